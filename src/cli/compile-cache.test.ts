import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compileCacheFolder } from "./compile-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "curlew-compile-cache-"));
  mkdirSync(join(folder, "cache"), { mode: 0o700 });
  vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("compiled code is stored beside a writable bundle", () => {
  expect(compileCacheFolder(folder)).toBe(`${folder}/.cache`);
});

test.runIf(process.platform !== "win32")("otherwise it is stored in a folder that only its user can write", () => {
  const own = join(folder, "cache/curlew/compiled");
  const notThere = join(folder, "read-only bundle");
  expect(compileCacheFolder(notThere)).toBe(own);
  for (const path of [own, join(own, ".."), join(folder, "cache")]) {
    chmodSync(path, 0o770);
    expect(compileCacheFolder(notThere), path).toBeUndefined();
    chmodSync(path, 0o700);
  }
});
