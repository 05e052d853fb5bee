// `runs rm` by age and number, and `history` in config.yaml.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Folder, folder, inARow } from "./curlew.ts";

vi.setConfig({ testTimeout: 120_000 });

const asks = inARow({ gate: "echo gate" }).replace(
  'content: "echo gate"',
  'content: "echo gate", needsUserApproval: true',
);
const files = {
  "a.flow.yaml": inARow({ a: "echo hi" }),
  "bad.flow.yaml": inARow({ a: "exit 3" }),
  "w.flow.yaml": asks,
};

async function ids(it: Folder): Promise<string[]> {
  return JSON.parse((await it.run("runs --json")).stdout).map((run: { id: string }) => run.id);
}

test("by age and number: shown first, then done. Waiting runs stay, and the disk gets the space back", async () => {
  const it = folder(files);
  for (const file of ["w", "a", "bad", "a"]) await it.run(`run ${file}.flow.yaml`);
  const [newest, failed, oldest, waits] = await ids(it);
  expect(await it.run("runs rm --older-than 30d")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Removed 0 runs; /),
  });
  const would = await it.run("runs rm --keep 1 --dry-run");
  expect(would).toMatchObject({ code: 0, stdout: "" });
  expect(would.stderr.split("\n").map((line) => line.split(" ")[0])).toEqual([
    oldest!.slice(0, 10),
    failed!.slice(0, 10),
    "2",
    "",
  ]);
  expect(await ids(it)).toEqual([newest, failed, oldest, waits]);
  const gone = JSON.parse((await it.run("runs rm --keep 0 --status failed --json")).stdout);
  expect(gone).toMatchObject({ removed: [{ id: failed, status: "failed" }], freedBytes: expect.any(Number) });
  expect(await it.run("runs rm --older-than 1ms")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Removed 2 runs; .* freed.\n$/),
  });
  expect(await ids(it)).toEqual([waits]);
  expect(await it.run("approve latest gate")).toMatchObject({ code: 0, stdout: "gate\n" });
});

test("a run that is named twice is removed once", async () => {
  const it = folder(files);
  await it.run("run a.flow.yaml");
  const [id] = await ids(it);
  const ran = await it.run(`runs rm latest ${id}`);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Removed \w+ \([^)]*\)\.\n$/) });
});

test.each([
  ["runs rm", "runs-not-named"],
  ["runs rm latest --keep 3", "runs-not-named"],
  ["runs rm latest --dry-run", "runs-not-named"],
  ["runs rm --status failed", "runs-not-named"],
  ["runs rm --keep 3 --status running", "unknown-status"],
  ["runs rm --older-than 30", "bad-duration"],
  ["runs rm --older-than soon", "bad-duration"],
])("curlew %s is refused: %s", async (args, code) => {
  const ran = await folder().run(args);
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`error[${code}]`) });
});

test("config.yaml says how many runs stay: after a run the others are removed, with a message", async () => {
  const it = folder(files);
  mkdirSync(it.home, { mode: 0o700 });
  const config = (text: string) => writeFileSync(join(it.home, "config.yaml"), text, { mode: 0o600 });
  for (let n = 0; n < 3; n++) await it.run("run a.flow.yaml");
  config("history: { keep: 90d, maxRuns: 2 }\n");
  const ran = await it.run("run a.flow.yaml");
  expect(ran).toMatchObject({ code: 0, stdout: "hi\n" });
  expect(ran.stderr).toMatch(/\nHistory: 2 runs left it by what config.yaml says; .* freed.\n$/);
  expect(await ids(it)).toHaveLength(2);
  config("history: { keep: for ever }\n");
  const wrong = await it.run("run a.flow.yaml");
  expect(wrong).toMatchObject({ code: 0, stdout: "hi\n" });
  expect(wrong.stderr).toContain("warning[config-invalid]");
  expect(wrong.stderr).toContain("config.yaml:1:18: history.keep must be a time such as 90d");
  expect(await ids(it)).toHaveLength(3);
});
