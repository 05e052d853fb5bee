import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { keyFor } from "./home-key.ts";

test("a data directory has one key, and each purpose has its own", () => {
  const here = tempFolder();
  const first = keyFor("approvals", here);
  expect(keyFor("approvals", here)).toEqual(first);
  expect(keyFor("sealed-values", here)).not.toEqual(first);
  expect(keyFor("approvals", tempFolder())).not.toEqual(first);
  expect(readdirSync(here)).toEqual(["key"]);
  expect(statSync(join(here, "key")).mode & 0o777).toBe(0o600);
  expect(first.ok && first.value.equals(readFileSync(join(here, "key")))).toBe(false);
});

test("a key that others could read becomes private", () => {
  const here = tempFolder();
  keyFor("audit", here);
  chmodSync(join(here, "key"), 0o644);
  keyFor("audit", here);
  expect(statSync(join(here, "key")).mode & 0o777).toBe(0o600);
});

test("a damaged key is reported, never replaced", () => {
  const here = tempFolder();
  writeFileSync(join(here, "key"), "short");
  expect(keyFor("audit", here)).toMatchObject({ ok: false, error: { code: "home-key-damaged" } });
  expect(readFileSync(join(here, "key"), "utf8")).toBe("short");
});

if (process.platform !== "win32")
  test("a key that does not fit on the disk leaves nothing behind, and is created once there is space", () => {
    const here = tempFolder();
    const script = `import { keyFor } from ${JSON.stringify(join(import.meta.dirname, "home-key.ts"))};
      process.exit(keyFor("audit", ${JSON.stringify(here)}).error?.code === "home-key-unreadable" ? 7 : 1);`;
    const args = ["-c", 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, script];
    expect(spawnSync("sh", args).status).toBe(7);
    expect(readdirSync(here)).toEqual([]);
    expect(keyFor("audit", here).ok).toBe(true);
  });
