// `curlew doctor --store` looks at a data directory without changing a byte of it, even at a history that an older
// version wrote.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { type Folder, folder, inARow, made } from "../cli/curlew.ts";

const OLD = path.join(import.meta.dirname, "old");
const versions = fs.readdirSync(OLD).filter((name) => name.endsWith(".sql"));

/** Every file with its mode, the time of its last change and its content. */
function fingerprint(home: string): Record<string, unknown> {
  const names = ["", ...fs.readdirSync(home, { recursive: true }).map(String)].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(home, name);
      const { mode, mtimeMs } = fs.statSync(file);
      const digest = fs.statSync(file).isFile()
        ? createHash("sha256").update(fs.readFileSync(file)).digest("hex")
        : undefined;
      return [name, { mode, mtimeMs, digest }];
    }),
  );
}

async function isLeftAsItIs(it: Folder): Promise<{ code: number | string; stdout: string }> {
  const before = fingerprint(it.home);
  const TMPDIR = fs.mkdtempSync(path.join(it.path, "tmp-"));
  const ran = await it.run("doctor --store", { env: { TMPDIR } });
  expect(fingerprint(it.home)).toEqual(before);
  expect(fs.readdirSync(TMPDIR)).toEqual([]);
  return ran;
}

test("a history of the current version", async () => {
  const it = folder({ "f.flow.yaml": inARow({ a: "echo hi" }) });
  await it.run("run f.flow.yaml");
  expect(await isLeftAsItIs(it)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 run, 4 events") });
});

test.each(versions)("a history of %s stays one, and is checked as what it would become", async (version) => {
  const it = folder();
  fs.mkdirSync(it.home, { mode: 0o700 });
  fs.writeFileSync(path.join(it.home, "key"), Buffer.alloc(32, 7), { mode: 0o600 });
  const sqlite = new DatabaseSync(path.join(it.home, "curlew.db"));
  sqlite.exec(fs.readFileSync(path.join(OLD, version), "utf8"));
  const { user_version } = sqlite.prepare("PRAGMA user_version").get()!;
  sqlite.close();
  const ran = await isLeftAsItIs(it);
  expect(ran.stdout).toMatch(/output-missing|every record is unchanged/);
  using after = new DatabaseSync(path.join(it.home, "curlew.db"), { readOnly: true });
  expect(after.prepare("PRAGMA user_version").get()!.user_version).toBe(user_version);
});

test("without its key the audit log cannot be judged, and no key is made", async () => {
  const it = folder({
    "f.flow.yaml": inARow({ a: "echo hi" }).replace("content:", "needsUserApproval: true, content:"),
  });
  await it.run("run f.flow.yaml --yes");
  fs.rmSync(path.join(it.home, "key"));
  expect(await isLeftAsItIs(it)).toMatchObject({ code: 1, stdout: expect.stringContaining("audit-key") });
});

test("beside a run that is writing, the findings are true", async () => {
  const it = folder({ "f.flow.yaml": inARow({ a: "touch up; until [ -e go ]; do sleep 0.01; done", b: "echo hi" }) });
  const run = it.start("run f.flow.yaml");
  await made(path.join(it.path, "up"));
  expect(await it.run("doctor --store")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 run, ") });
  it.write("go", "");
  expect(await run.done).toMatchObject({ code: 0 });
});
