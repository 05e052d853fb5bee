// An attacker at an approval: programs that are killed at the wrong moment, and two answers at once. In every case, what ran was approved, and ran at most once.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Folder, folder, MAIN, started } from "../cli/curlew.ts";

vi.setConfig({ testTimeout: 180_000 });

const gate = (content: string) =>
  `curlew: 1\nname: Gate\nnodes:\n  - { id: gate, type: cli, data: { title: G, needsUserApproval: true, content: ${JSON.stringify(content)} } }\n`;
const ran = (it: Folder): number =>
  existsSync(join(it.path, "ran")) ? readFileSync(join(it.path, "ran"), "utf8").trim().split("\n").length : 0;

interface Waiting {
  path: string;
  hash: string;
}
async function waiting(it: Folder): Promise<Waiting[]> {
  return JSON.parse((await it.run("approvals --json")).stdout) as Waiting[];
}

test("a run that is killed while it asks, then approved twice and resumed twice, runs its command once", async () => {
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
  // A process that resumes the run refuses both answers: then the person answers again.
  const isAnswered = all.slice(0, 2).some(({ code }) => code !== 2);
  await it.run(isAnswered ? "runs resume latest" : "approve latest gate");
  expect(ran(it)).toBe(1);
  // The answer has been used: giving it again, or resuming again, starts nothing.
  expect((await it.run("approve latest gate")).code).toBe(2);
  await it.run("runs resume latest");
  expect(ran(it)).toBe(1);
});

test("a command never runs twice, whenever the approval is killed", async () => {
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

test("an answer for one run does not count for another run of the same document", async () => {
  const it = folder({ "t.flow.yaml": gate("echo x >> ran") });
  await it.run("run t.flow.yaml");
  const [first] = await waiting(it);
  await it.run("run t.flow.yaml");
  const second = (await waiting(it)).find((each) => each.hash !== first!.hash);
  expect(second, "two runs ask with one hash").toBeDefined();
  expect((await it.run(`approve latest gate --hash ${first!.hash}`)).code).toBe(2);
  expect(ran(it)).toBe(0);
});
