// An adversary at an approval: programs that are killed in the wrong moment, two doors at once, and a folder that is another one by then.
// Whatever happens, what ran was approved, and ran at most once.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Folder, folder, MAIN, started } from "../cli/curlew.ts";

vi.setConfig({ testTimeout: 180_000 });

const gate = (content: string, more = "") =>
  `curlew: 1\nname: Gate\nnodes:\n  - { id: gate, type: cli, data: { title: G, needsUserApproval: true, ${more}content: ${JSON.stringify(content)} } }\n`;
const ran = (it: Folder): number =>
  existsSync(join(it.path, "ran")) ? readFileSync(join(it.path, "ran"), "utf8").trim().split("\n").length : 0;

interface Waiting {
  path: string;
  hash: string;
}
async function waiting(it: Folder): Promise<Waiting[]> {
  return JSON.parse((await it.run("approvals --json")).stdout) as Waiting[];
}

test("killed while it asks, then approved by two and gone on with by two: it runs once", async () => {
  const it = folder({ "t.flow.yaml": gate("echo x >> ran") });
  const command = `stty cols 80 rows 24; exec '${process.execPath}' -- '${MAIN}' run t.flow.yaml`;
  const asking = started(
    "script",
    ["-qefc", command, "/dev/null"],
    it.path,
    { env: { TERM: "xterm" }, keepStdin: true },
    it.home,
  );
  await asking.says("leave it waiting?", "stdout");
  const [pid] = /"pid":\s*(\d+)/.exec((await it.run("runs show latest --json")).stdout)?.slice(1) ?? [];
  if (pid !== undefined) process.kill(Number(pid), "SIGKILL");
  asking.process.kill("SIGKILL");
  await asking.done;
  expect(ran(it)).toBe(0);
  const all = await Promise.all(
    ["approve latest gate", "approve latest gate", "runs resume latest", "runs resume latest"].map(
      (args) => it.start(args).done,
    ),
  );
  for (const each of all) expect([0, 2, 3], each.stderr).toContain(each.code);
  await it.run("runs resume latest");
  expect(ran(it)).toBe(1);
  // The answer has been used: giving it again, or going on again, starts nothing.
  expect((await it.run("approve latest gate")).code).toBe(2);
  await it.run("runs resume latest");
  expect(ran(it)).toBe(1);
});

test("killed at any moment after the answer: never twice", async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 100_000);
  for (let n = 0; n < 5; n++) {
    const it = folder({ "t.flow.yaml": gate("echo x >> ran") });
    expect((await it.run("run t.flow.yaml")).code).toBe(3);
    const approve = it.start("approve latest gate");
    // Between the start of the program and some time after its end.
    const afterMs = ((seed + n * 7_919) % 1_500) + 100;
    const timer = setTimeout(() => approve.process.kill("SIGKILL"), afterMs);
    await approve.done;
    clearTimeout(timer);
    await it.run("runs resume latest");
    await it.run("approve latest gate");
    await it.run("runs resume latest");
    expect(ran(it), `SEED=${seed}, killed after ${afterMs} ms`).toBeLessThanOrEqual(1);
  }
});

test("the folder that was shown leads elsewhere by now: it is asked anew", async () => {
  const it = folder({ "t.flow.yaml": gate("echo x >> ran", 'cwd: "here", ') });
  mkdirSync(join(it.path, "one"));
  mkdirSync(join(it.path, "two"));
  symlinkSync("one", join(it.path, "here"));
  expect((await it.run("run t.flow.yaml")).code).toBe(3);
  const [before] = await waiting(it);
  rmSync(join(it.path, "here"));
  symlinkSync("two", join(it.path, "here"));
  expect((await it.run(`approve latest gate --hash ${before!.hash}`)).code).toBe(3);
  expect(existsSync(join(it.path, "one/ran")) || existsSync(join(it.path, "two/ran"))).toBe(false);
  const [after] = await waiting(it);
  expect(after!.hash).not.toBe(before!.hash);
});

test("an answer for one run is none for another of the same document", async () => {
  const it = folder({ "t.flow.yaml": gate("echo x >> ran") });
  await it.run("run t.flow.yaml");
  const [first] = await waiting(it);
  await it.run("run t.flow.yaml");
  const second = (await waiting(it)).find((each) => each.hash !== first!.hash);
  expect(second, "two runs ask with one hash").toBeDefined();
  expect((await it.run(`approve latest gate --hash ${first!.hash}`)).code).toBe(2);
  expect(ran(it)).toBe(0);
});
