import { expect, test } from "vitest";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import { frame, lastingLine, newestLine, type Screen } from "./live.ts";
import { plainLine } from "./plain.ts";
import { Progress } from "./progress.ts";
import { plain } from "./style.ts";
import { summary } from "./summary.ts";
import { width } from "./text.ts";

const START = Date.parse("2026-11-21T05:00:00.000Z");
const screen: Screen = { columns: 60, rows: 12, style: plain };
const RUN = "1m7y7kg40012z01zabcd";

const node = (id: string, type: WorkflowNode["type"] = "cli", data: object = {}): WorkflowNode =>
  ({ id, type, data: { title: `Title of ${id}`, ...data } }) as WorkflowNode;

/** Events 100 ms apart, as the engine would stamp them. */
function events(bodies: readonly EventBody[], run = RUN): RunEvent[] {
  return bodies.map((body, n) => ({ seq: n + 1, at: new Date(START + n * 100).toISOString(), run, ...body }));
}

const started = (): EventBody => ({
  type: "run.started",
  workflow: { name: "Digest", file: "/d.flow.yaml", text: "" },
  inputs: {},
  trigger: { kind: "cli" },
});
const begins = (path: string, number = 1): EventBody => ({
  type: "attempt.started",
  node: path.replace(/\[.*/, ""),
  path,
  number,
  detail: {},
});
const succeeds = (path: string, number = 1): EventBody => ({
  type: "attempt.succeeded",
  node: path.replace(/\[.*/, ""),
  path,
  number,
  value: { text: "" },
  end: { durationMs: 1_200 },
});
const fails = (path: string, message: string, number = 1, retryAt?: string): EventBody => ({
  type: "attempt.failed",
  node: path.replace(/\[.*/, ""),
  path,
  number,
  failure: {
    code: "exit-non-zero",
    message,
    exitCode: 22,
    hint: "Check the URL.",
    stderr: "line one\ncurl: (22) error: 404\n",
  },
  value: { text: "" },
  end: { durationMs: 300, exitCode: 22 },
  ...(retryAt === undefined ? {} : { retryAt }),
});

/** The output of both views, line by line, and the last frame as it appears on the screen. */
function watch(bodies: readonly EventBody[], nodes: WorkflowNode[], size: Screen = screen) {
  const progress = new Progress({ nodes });
  const lines: string[] = [];
  const lasting: string[] = [];
  for (const event of events(bodies)) {
    for (const change of progress.apply(event)) {
      const line = plainLine(change);
      if (line !== undefined) lines.push(line);
      const stays = lastingLine(change, progress, size);
      if (stays !== undefined) lasting.push(stays);
    }
  }
  const drawn = frame(progress, START + bodies.length * 100, size);
  return { progress, lines, lasting, drawn };
}

/** Replaces the spinner with a fixed character. */
const still = (line: string) => line.replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u, "*");

const digest = [node("fetch"), node("check", "if"), node("post"), node("note", "text")];
const digestRun: EventBody[] = [
  started(),
  begins("fetch"),
  succeeds("fetch"),
  { type: "node.succeeded", node: "check", path: "check", branch: true },
  { type: "node.skipped", node: "note", path: "note", reason: "branch-not-taken" },
  begins("post"),
];

test("without a terminal: one plain line for each change", () => {
  const { lines } = watch([...digestRun, fails("post", "curl got an HTTP error (22).")], digest);
  expect(lines).toEqual([
    `run ${RUN} started: Digest`,
    "fetch started",
    "fetch succeeded in 1.2s",
    "check succeeded: true",
    "note skipped (branch not taken)",
    "post started",
    "post failed after 0.3s: curl got an HTTP error (22).",
  ]);
});

test("on a terminal: finished nodes stay, running ones are drawn with their newest line", () => {
  const { progress, lasting, drawn } = watch(digestRun, digest);
  expect(lasting).toEqual([
    "✓ fetch       1.2s  Title of fetch",
    "✓ check             → true",
    "– note              skipped: branch not taken",
  ]);
  expect(drawn.map(still)).toEqual(["* post        0.1s  Title of post", "2 done · 1 skipped · 1 running · 0.6s"]);
  progress.output(RUN, "post", Buffer.from("first\n  % done\r 40 %\u001b[31m!\r\n"));
  expect(still(frame(progress, START + 700, screen)[0]!)).toBe("* post        0.2s  │ 40 %!");
});

test("no frame is wider or higher than the terminal", () => {
  const many = Array.from({ length: 40 }, (_, n) => node(`a-rather-long-node-name-${n}`));
  for (const [columns, rows] of [
    [60, 12],
    [20, 5],
    [10, 3],
    [200, 60],
  ] as const) {
    const { progress } = watch([started(), ...many.map((each) => begins(each.id))], many);
    for (const each of many)
      progress.output(RUN, each.id, Buffer.from("日本語 👩‍👩‍👧 wide words without an end ".repeat(9)));
    const drawn = frame(progress, START + 1_000, { columns, rows, style: plain });
    expect(drawn.length).toBeLessThan(Math.max(rows, 3));
    for (const line of drawn) expect(width(line)).toBeLessThanOrEqual(columns);
  }
});

test("a thousand iterations take one line while they run, and one afterwards", () => {
  const nodes = [node("pages", "loop-start"), node("fetch"), node("end", "loop-end")];
  const passes = Array.from({ length: 1_000 }, (_, index): EventBody[] => [
    { type: "pass.started", node: "pages", path: `pages[${index}]`, index, counter: index + 1 },
    begins(`fetch[${index}]`),
    succeeds(`fetch[${index}]`),
    { type: "pass.succeeded", node: "pages", path: `pages[${index}]`, index, value: { text: "" }, last: false },
  ]).flat();
  const loop: EventBody = { type: "loop.started", node: "pages", path: "pages", passes: 1_000, first: 1 };
  const half = watch([started(), loop, ...passes.slice(0, 2_001)], nodes);
  expect(half.lasting).toEqual([]);
  expect(half.drawn[0]).toContain("500 of 1,000 iterations done");
  const whole = watch([started(), loop, ...passes], nodes);
  expect(whole.lasting).toEqual(["✓ pages     6m 40s  1,000 iterations"]);
  expect(whole.progress.loops.size + whole.progress.running.size).toBe(0);
  expect(whole.lines).toHaveLength(1 + 1 + 2_000 + 1);
});

test("a failure inside a loop has its own line", () => {
  const nodes = [node("pages", "loop-start"), node("fetch")];
  const { lasting } = watch([started(), begins("fetch[3]"), fails("fetch[3]", "no\nanswer")], nodes);
  expect(lasting).toEqual(["✗ fetch[3]    0.3s  no ⏎ answer"]);
});

test("a retry is counted down, and its attempt has a number", () => {
  const retryAt = new Date(START + 2_200).toISOString();
  const { drawn, lines, progress } = watch([started(), begins("fetch"), fails("fetch", "refused", 1, retryAt)], digest);
  expect(drawn[0]).toBe("↻ fetch             attempt 2 in 1.9s");
  expect(lines.at(-1)).toBe("fetch failed (attempt 1), trying again in 2.0s: refused");
  expect(progress.firstFailure).toBeUndefined();
});

test("a wait for a budget is drawn with its time and printed once; a cached result is printed as one", () => {
  const at = { node: "fetch", path: "fetch", number: 1 };
  const until = new Date(START + 12_200).toISOString();
  const waits: EventBody = { type: "budget.awaited", ...at, for: "rate", key: "api", until };
  const { drawn, lines } = watch([started(), waits, waits], digest);
  expect(drawn[0]).toMatch(/^◷ fetch +waits for a rate budget \(api\), 1[12](\.\d)?s$/);
  expect(lines.filter((line) => line?.includes("waits"))).toEqual([
    expect.stringMatching(/^fetch waits for a rate budget \(api\), 1[12](\.\d)?s$/),
  ]);
  const from = { run: RUN, path: "fetch" };
  const answer: EventBody = {
    ...{ type: "cache.answered", node: "fetch", path: "fetch", value: { text: "x" }, key: "k", from },
    ...{ storedAt: until, expiresAt: until },
  };
  expect(watch([started(), waits, answer], digest).lines.at(-1)).toBe("fetch succeeded: from the cache");
});

test("an ended subflow does not look like a cancelled run", () => {
  const progress = new Progress({ nodes: [node("sub", "subflow")] });
  const inner: EventBody[] = [
    { ...started(), parent: { run: RUN, path: "sub" } } as EventBody,
    { type: "run.cancel-requested" },
  ];
  for (const event of [...events([started(), begins("sub")]), ...events(inner, "1m7y7kg40099999zabcd")])
    progress.apply(event);
  expect(progress.cancelling).toBe(false);
});

test("nodes of a subflow come after the node that runs it", () => {
  const child = "1m7y7kg40099999zabcd";
  const progress = new Progress({ nodes: [node("sub", "subflow")] });
  const inner: EventBody[] = [
    { ...started(), parent: { run: RUN, path: "sub[1]" } } as EventBody,
    begins("fetch"),
    { type: "run.succeeded" },
  ];
  const all = [...events([started(), begins("sub[1]")]), ...events(inner, child)];
  expect(all.flatMap((event) => progress.apply(event)).map(plainLine)).toEqual([
    `run ${RUN} started: Digest`,
    "sub[1] started",
    undefined,
    "sub[1]/fetch started",
    undefined,
  ]);
});

test.each([
  ["", ""],
  ["one", "one"],
  ["one\ntwo\n", "two"],
  ["one\n\n  \n", "one"],
  ["10 %\r20 %\r", "20 %"],
  ["\u001b[2Jcleared", "cleared"],
])("the newest line of %j is %j", (text, expected) => expect(newestLine(Buffer.from(text))).toBe(expected));

test("the summary names the prompt of a language model", () => {
  const failure = { code: "timed-out", message: "Too slow." };
  const facts = { run: RUN, status: "failed", durationMs: 1, failure: { path: "a", failure, isPrompt: true } } as const;
  expect(
    summary({ ...facts, failure: { ...facts.failure, command: "Say hi" } }, watch([], digest).progress, plain),
  ).toContain("  prompt: Say hi\n");
});

test("the summary names the first failure with command, exit code, last lines and help", () => {
  const { progress } = watch([...digestRun, fails("post", "curl got an HTTP error (22).")], digest);
  const { path, failure } = progress.firstFailure!;
  const facts = {
    run: RUN,
    status: "failed",
    durationMs: 1_500,
    failure: { path, failure, command: "curl --fail \\\n  https://x" },
  } as const;
  expect(summary(facts, progress, plain)).toBe(
    `failed after 1.5s · 2 nodes succeeded, 1 failed, 1 skipped · run 1m7y7kg400
curlew: error[exit-non-zero]: Node "post" failed: curl got an HTTP error (22).
  command:
    | curl --fail \\
    |   https://x
  exit code: 22
  stderr:
    | line one
    | curl: (22) error: 404
  help: Check the URL.
  more: curlew runs show 1m7y7kg400 · curlew runs logs 1m7y7kg400 post
  retry: curlew runs retry 1m7y7kg400
`,
  );
});

test("the summary of a waiting run says how to approve", () => {
  const text = summary({ run: RUN, status: "waiting", durationMs: 10, waiting: ["publish[2]"] }, new Progress(), plain);
  expect(text).toContain("publish[2] waits for an approval: curlew approve 1m7y7kg400 'publish[2]'");
});

test("of 200 waiting nodes, the summary names ten and says where to find the others", () => {
  const waiting = Array.from({ length: 200 }, (_, pass) => `publish[${pass}]`);
  const lines = summary({ run: RUN, status: "waiting", durationMs: 10, waiting }, new Progress(), plain).split("\n");
  expect(lines.slice(1)).toEqual([
    ...waiting.slice(0, 10).map((path) => `  ${path} waits for an approval: curlew approve 1m7y7kg400 '${path}'`),
    "  … and 190 more: curlew approvals 1m7y7kg400",
    "",
  ]);
});
