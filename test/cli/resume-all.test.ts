// runs resume --all: what was interrupted or waited goes on, each on its own account.

import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder, inARow } from "./curlew.ts";

vi.setConfig({ testTimeout: 120_000 });

const held = (name: string, end: string) => inARow({ a: `echo once >> ${name}`, b: `cat ${name}.fifo; ${end}` });
const asks = inARow({ gate: "echo gate" }).replace(
  'content: "echo gate"',
  'content: "echo gate", needsUserApproval: true',
);

test("every open run goes on; what failed or waits is told and keeps no other from it", async () => {
  const it = folder({
    "well.flow.yaml": held("well", "true"),
    "bad.flow.yaml": held("bad", "exit 3"),
    "waits.flow.yaml": asks,
  });
  expect(await it.run("runs resume --all")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "There are no runs to resume.\n",
  });
  for (const name of ["well", "bad"]) {
    execFileSync("mkfifo", [join(it.path, `${name}.fifo`)]);
    const run = it.start(`run ${name}.flow.yaml --json`);
    await run.says('"attempt.started"', "stdout", 2);
    run.process.kill("SIGKILL");
    await run.done;
  }
  expect(await it.run("run waits.flow.yaml")).toMatchObject({ code: 3 });
  const resumed = it.start("runs resume --all");
  // Waits, each in a thread of its own, until the command reads.
  await Promise.all(["well", "bad"].map((name) => writeFile(join(it.path, `${name}.fifo`), "go\n")));
  await resumed.says("succeeded");
  const all = await resumed.done;
  expect(all).toMatchObject({ code: 1, stdout: "" });
  expect(all.stderr).toMatch(/Run \w{10} \(Test\) succeeded\.\n/);
  expect(all.stderr).toMatch(/Run \w{10} \(Test\) failed at b: .*\n/);
  expect(all.stderr).toMatch(/Run \w{10} \(Test\) waiting\.\n/);
  expect(all.stderr).toMatch(/3 runs resumed\.\n$/);
  // What had succeeded was not run again.
  expect(it.read("well")).toBe("once\n");
  const statuses = JSON.parse((await it.run("runs --json")).stdout).map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(["waiting", "failed", "succeeded"]);
  expect(await it.run("runs resume --all")).toMatchObject({ code: 3 });
});

test.each(["runs resume", "runs resume latest --all", "runs resume --all --secret A"])(
  "curlew %s is refused",
  async (args) => {
    expect(await folder().run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error[what-to-resume]"),
    });
  },
);
