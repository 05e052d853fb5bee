// The wall clock is set back by hours under a real `curlew run`: no wait and no time limit gets longer (spec 3.3, 3.4).
// Only the program's view of the time changes, as after `date -s`. Its monotonic clock stays the machine's.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { type Folder, folder, made } from "../cli/curlew.ts";
import { must } from "../store/fixture.ts";

/** The milliseconds in `step` are added to the wall clock. */
const STEPPED = `import { readFileSync } from "node:fs";
const { now } = Date;
Date.now = () => {
  try { return now() + Number(readFileSync(process.env.STEP_FILE, "utf8")); } catch { return now(); }
};
`;
const HOURS = 3 * 3_600_000;
const TIMES = { timeout: 120_000 };

function place(nodes: string, more = ""): { it: Folder; env: Record<string, string> } {
  const it = folder({ "stepped.mjs": STEPPED, "f.flow.yaml": `curlew: 1\nname: T\n${more}nodes:\n${nodes}` });
  const env = {
    NODE_OPTIONS: `--import ${pathToFileURL(join(it.path, "stepped.mjs"))}`,
    STEP_FILE: join(it.path, "step"),
  };
  return { it, env };
}

const RETRY = (interval: string) =>
  `  - { id: a, type: cli, data: { title: A, content: "echo x >> ran; [ $(wc -l < ran) = 2 ]", retry: { maxAttempts: 2, initialInterval: ${interval}, maxInterval: ${interval}, jitter: none, on: [1] } } }\n`;

test("the clock is set back during a retry's wait, and the retry comes at its time", TIMES, async () => {
  const { it, env } = place(RETRY("700ms"));
  const run = it.start("run f.flow.yaml --json", { env });
  await run.says('"retryAt"', "stdout");
  it.write("step", String(-HOURS));
  expect(await run.done).toMatchObject({ code: 0 });
  expect(it.read("ran")).toBe("x\nx\n");
});

test(
  "set back, killed, and resumed: the wait is no longer than it was to be, and times never go back",
  TIMES,
  async () => {
    const { it, env } = place(RETRY("1s"));
    const run = it.start("run f.flow.yaml --json", { env });
    await run.says('"retryAt"', "stdout");
    run.process.kill("SIGKILL");
    const before = await run.done;
    it.write("step", String(-HOURS));
    const resumed = await it.run("runs resume latest --json", { env });
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    const times = `${before.stdout}${resumed.stdout}`
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).at);
    expect(times).toEqual(times.toSorted((one: string, other: string) => one.localeCompare(other)));
  },
);

test("the clock is set ahead and back again during a retry's wait, and the retry comes once", TIMES, async () => {
  const { it, env } = place(RETRY("1s"));
  const run = it.start("run f.flow.yaml --json", { env });
  await run.says('"retryAt"', "stdout");
  it.write("step", String(HOURS));
  it.write("step", String(-HOURS));
  it.write("step", "0");
  expect(await run.done).toMatchObject({ code: 0 });
  expect(it.read("ran")).toBe("x\nx\n");
});

test(
  "the clock is set back while a command runs, and the time limits of its node and of the run hold",
  TIMES,
  async () => {
    for (const [limit, more] of [
      ["timeout: 1s, ", ""],
      ["", "timeout: 2s\n"],
    ]) {
      const { it, env } = place(
        `  - { id: a, type: cli, data: { title: A, ${limit}content: "touch up; sleep 1000" } }\n`,
        more,
      );
      const run = it.start("run f.flow.yaml", { env });
      await made(join(it.path, "up"));
      it.write("step", String(-HOURS));
      const ran = await run.done;
      expect(ran.code, ran.stderr).toBe(more === "" ? 1 : 4);
      expect(ran.stderr).toContain("timed out");
    }
  },
);

test.each([
  ["an answer", "approve latest gate --quiet", 0],
  ["a rejection", "reject latest gate --reason no --quiet", 1],
  ["a cancel", "runs cancel latest", 0],
])("set back before %s: times never go back, and no run ends before it began", TIMES, async (_what, answer, code) => {
  const { it, env } = place(
    `  - { id: gate, type: cli, data: { title: G, content: "true", needsUserApproval: true } }\n`,
  );
  expect(await it.run("run f.flow.yaml", { env })).toMatchObject({ code: 3 });
  it.write("step", String(-HOURS));
  expect(await it.run(answer, { env })).toMatchObject({ code });
  const store = must(openStore(it.home));
  const times = must(store.journal.readAll(0, 1_000)).events.map(({ event }) => event.at);
  const { startedAt, endedAt = "" } = must(store.journal.findRun("latest"));
  store.close();
  expect(times).toEqual(times.toSorted((one, other) => one.localeCompare(other)));
  expect(endedAt >= startedAt).toBe(true);
});
