// The store accepts no more writes while commands run. The run stops where its journal ends and its commands continue.
// The process that resumes it finds them, or how they ended (spec 3.4, 4.4). A real full disk:
// test/store/full-disk.test.ts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folder, made, runnersOf } from "../cli/curlew.ts";
import { attached, callsOf, livingIn, type Outcome, place, RESULT, run, STORE_FILES } from "../contract/faults.ts";
import { has } from "../setup/machine.ts";

const TIMES = { timeout: 300_000 };
const FULL = process.env.CHECK_FULL !== undefined;

if (has("strace")) {
  test("no room from the n-th write on: each command ran once, and none is lost", TIMES, async () => {
    const { all } = callsOf("pwrite64", true);
    const step = FULL ? 1 : Math.ceil(all / 10);
    let stopped = 0;
    for (let from = all; from > all / 2; from -= step) {
      const it = place();
      const first = await run(it, ["run", "f.flow.yaml"], {
        ...{ call: "pwrite64", error: "ENOSPC", from, persists: true, ofStore: true },
      });
      const last: Outcome = first.code === 0 ? first : await run(it, ["runs", "resume", "latest"]);
      const seen = `${from} of ${all}\n${first.code} ${first.stderr}\n${last.code} ${last.stderr}`;
      expect([0, 2, 5], seen).toContain(first.code);
      // It never started: there is no run, and nothing has happened.
      if (first.code === 2) expect(last, seen).toMatchObject({ code: 2, effects: {} });
      else expect(last, seen).toMatchObject({ code: 0, stdout: RESULT, effects: { a: 1, b: 1, c: 1 }, left: [] });
      if (first.code === 5) stopped += 1;
    }
    expect(stopped).toBeGreaterThan(0);
  });

  test("running commands continue: their end is known, found, or waited for, even in subflows", TIMES, async () => {
    const it = folder({
      "inner.flow.yaml": `curlew: 1\nnodes:\n${held("within", 8)}`,
      "k.flow.yaml": `curlew: 1\nnodes:\n${held("first", 6)}${held("second", 7)}  - { id: sub, type: subflow, data: { title: Sub, workflow: inner.flow.yaml } }\n`,
    });
    const run = it.start("run k.flow.yaml");
    for (const id of ["first", "second", "within"]) await made(join(it.path, `began-${id}`));
    const files = STORE_FILES.flatMap((name) => ["-P", join(it.home, name)]);
    await attached(run.process.pid!, ["-o", "/dev/null", "-e", "inject=pwrite64:error=ENOSPC:when=1+", ...files]);
    it.write("go-first", "");
    expect(await run.done).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/its commands continue: curlew runs resume [0-9a-z]{10}$/m),
    });
    it.write("go-second", "");
    await expect.poll(() => livingIn(it).length).toBe(1);

    const resuming = it.start("runs resume latest --json");
    await resuming.says('"type":"attempt.adopted","node":"within"', "stdout");
    it.write("go-within", "");
    const resumed = await resuming.done;
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(resumed.stdout.match(/"exitCode":[678]/g)?.sort()).toEqual(['"exitCode":6', '"exitCode":7', '"exitCode":8']);
    expect(it.read("effects").trim().split("\n").sort()).toEqual(["first", "second", "within"]);
    await expect.poll(() => runnersOf(it.home)).toEqual([]);
    expect(readdirSync(it.home, { recursive: true }).filter((name) => String(name).endsWith(".end"))).toEqual([]);
  });

  test("a server continues the run automatically as soon as there is room again", TIMES, async () => {
    const it = folder({
      "k.flow.yaml": `curlew: 1\nnodes:\n${held("first", 6)}${held("second", 7)}edges: [first -> second]\n`,
    });
    const server = it.start("serve --port 0 --hooks-port 0 .");
    onTestFinished(() => void server.process.kill("SIGTERM"));
    await server.says("hooks");
    await it.run("run k.flow.yaml --detach");
    await made(join(it.path, "began-first"));
    const files = STORE_FILES.flatMap((name) => ["-P", join(it.home, name)]);
    const full = ["-o", "/dev/null", "-e", "inject=pwrite64:error=ENOSPC:when=1+", ...files];
    const room = await attached(server.process.pid!, full);
    it.write("go-first", "");
    const stopped = () => readFileSync(join(it.home, "server.log"), "utf8").includes("a run stopped");
    await expect.poll(stopped, { timeout: 60_000 }).toBe(true);
    await room();
    it.write("go-second", "");
    const ended = async () => JSON.parse((await it.run("runs show latest --json")).stdout);
    await expect.poll(async () => (await ended()).status, { timeout: 60_000, interval: 500 }).toBe("succeeded");
    const { nodes } = await ended();
    expect(
      nodes.map(({ attempts }: never) => (attempts as { exitCode: number }[]).map(({ exitCode }) => exitCode)),
    ).toEqual([[6], [7]]);
    expect(it.read("effects")).toBe("first\nsecond\n");
  });
}

/** A command that ends with that code when the test releases it. */
function held(id: string, code: number): string {
  const content = `echo ${id} >> effects; touch began-${id}; until test -e go-${id}; do sleep 0.02; done; exit ${code}`;
  return `  - { id: ${id}, type: cli, data: { title: ${id}, successExitCodes: [${code}], content: "${content}" } }\n`;
}
