// What counts the tries of an old curl (src/process/curl-tries.ts): its bytes are those of its source, and it says nothing but what it counts.
// That it counts right, of every curl before 8.9 that is at hand, test/calls tells.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compiled } from "../../scripts/preloaded.ts";
import { curlTries } from "../../src/process/curl-tries.ts";
import { curls } from "../setup/curls.ts";

const place = mkdtempSync(join(tmpdir(), "curlew-tries-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const code = curlTries();
const gcc = spawnSync("gcc", ["-dumpfullversion", "-dumpmachine"], { encoding: "utf8" }).stdout ?? "";

test.runIf(gcc.startsWith("12.2.") && process.arch === "x64")("the bytes are what its source is compiled to", () => {
  expect(compiled("curl-tries", ["gcc"]).toString("base64")).toBe(code?.toString("base64"));
});

if (code !== undefined) {
  const object = join(place, "object.so");
  writeFileSync(object, code);
  const tries = join(place, "tries");
  const [curl] = curls();

  test.runIf(curl !== undefined)(
    "curl says what it says without it, and leaves one line for each handle, try and end",
    () => {
      const asked = ["-sS", "file:///dev/null", "file:///nowhere/at/all"];
      const env = { LD_PRELOAD: object, CURLEW_CURL_TRIES: tries };
      const file = join(curl!.folder, "curl");
      const { status, stdout, stderr } = spawnSync(file, asked, { env, encoding: "utf8" });
      expect({ status, stdout, stderr }).toMatchObject(spawned(file, asked));
      const lines = readFileSync(tries, "utf8").trimEnd().split("\n");
      for (const line of lines) expect(line).toMatch(/^[NTE][0-9a-f]{16}$/);
      expect(lines.filter((line) => line.startsWith("T"))).toHaveLength(2);
    },
  );

  test.runIf(curl !== undefined)("without a file to write to, or one that cannot be written, curl goes on", () => {
    const file = join(curl!.folder, "curl");
    for (const env of [{}, { CURLEW_CURL_TRIES: join(place, "none/tries") }]) {
      const ran = spawnSync(file, ["-sS", "file:///dev/null"], {
        env: { LD_PRELOAD: object, ...env },
        encoding: "utf8",
      });
      expect(ran).toMatchObject({ status: 0, stdout: "", stderr: "" });
    }
  });
}

function spawned(file: string, args: string[]): object {
  const { status, stdout, stderr } = spawnSync(file, args, { env: {}, encoding: "utf8" });
  return { status, stdout, stderr };
}
