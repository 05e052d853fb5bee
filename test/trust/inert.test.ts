// An imported workflow is blocked until approved (spec 4.2). No command of it starts before its user has seen exactly
// that command with everything in the document that decides what it does. `advanced`, approval in advance and an
// expired time limit do not count as seeing it.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Inert } from "../../src/scheduler/event.ts";
import { type Home, home } from "../approvals/approvals.ts";

const MARK = "imported: { from: https://example.com/t.flow.yaml }\n";
const cli = (id: string, content: string, more = "") =>
  `  - {id: ${id}, type: cli, data: {title: ${id}, content: ${JSON.stringify(content)}${more}}}\n`;
const RUNS = `nodes:\n${cli("a", "echo hi | tee -a ran")}`;

const ran = (at: Home): string => (existsSync(join(at.path, "ran")) ? readFileSync(join(at.path, "ran"), "utf8") : "");
const rewrite = (at: Home, from: string, to: string): void => {
  const file = join(at.path, "t.flow.yaml");
  const before = readFileSync(file, "utf8");
  expect(before).toContain(from);
  writeFileSync(file, before.replace(from, to));
};
const codes = (at: Home): string[][] => at.requests().map(({ reasons }) => reasons.map(({ code }) => code));
/** Runs it, approves everything that asks, and resumes until it is over. */
async function approved(at: Home): Promise<string> {
  let went = await at.run();
  for (let answered = 0; went.status === "waiting"; went = await at.resume()) {
    const open = at.requests().slice(answered);
    if (open.length === 0) throw new Error("it waits, and asks nothing");
    for (const request of open) at.grant(request);
    answered += open.length;
  }
  at.remove(at.id());
  return went.status;
}

test("a command asks the first time; once approved it runs, and the next run does not ask", async () => {
  const at = home(MARK + RUNS);
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["a"] });
  expect(ran(at)).toBe("");
  expect(codes(at)).toEqual([["imported"]]);
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "hi" });
  expect(await at.run()).toMatchObject({ status: "succeeded" });
  expect(ran(at)).toBe("hi\nhi\n");
});

test("the same file without the mark does not ask", async () => {
  expect(await home(RUNS).run()).toMatchObject({ status: "succeeded" });
});

test.each([
  ["safetyLevel: advanced", ", safetyLevel: advanced", []],
  ["--yes", "", ["*"]],
  ["--approve a", "", ["a"]],
  ["advanced and --yes", ", safetyLevel: advanced", ["*", "a"]],
  ["needsUserApproval approved in advance", ", needsUserApproval: true", ["*"]],
])("%s does not count as seeing it", async (_, more, inAdvance) => {
  const at = home(`${MARK}nodes:\n${cli("a", "echo hi | tee -a ran", more)}`);
  expect(await at.run({ inAdvance })).toMatchObject({ status: "waiting", waiting: ["a"] });
  expect(ran(at)).toBe("");
  expect(codes(at)[0]).toContain("imported");
});

test("neither does a time limit that approves", async () => {
  const more = ", needsUserApproval: true, approval: {timeout: 1ms, onTimeout: approve}";
  const at = home(`${MARK}nodes:\n${cli("a", "echo hi | tee -a ran", more)}`);
  const went = await at.run();
  expect(at.requests()[0]).toMatchObject({ onTimeout: "reject" });
  expect(went.status === "waiting" ? await at.resume() : went).toMatchObject({ status: "failed" });
  expect(ran(at)).toBe("");
});

test("neither a rejection nor the approval of an edit counts as trust", async () => {
  const at = home(MARK + RUNS);
  await at.run();
  at.reject(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "failed" });
  at.remove(at.id());
  expect(await at.run()).toMatchObject({ status: "waiting" });
  at.grant(at.requests()[0]!, { edited: "echo edited | tee -a ran" });
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "edited" });
  at.remove(at.id());
  expect(await at.run()).toMatchObject({ status: "waiting" });
  expect(ran(at)).toBe("edited\n");
});

const FED = `${MARK}secrets: [TOKEN]
inputs: {page: {type: string, default: one}}
nodes:
  - {id: host, type: variable, data: {title: Host, variableName: host, initialValue: api.example.com}}
  - {id: note, type: text, data: {title: Note, content: "a note"}}
  - {id: other, type: text, data: {title: Other, content: "another"}}
  - {id: first, type: cli, data: {title: First, content: echo from the first}}
  - id: a
    type: cli
    data:
      title: A
      content: printf '%s\\n' "\${host} \${1} \${page} $X" >> ran
      env: {static: {X: fixed}}
      cwd: .
      timeout: 60s
edges: [note -> a, first -> a]
`;

test.each([
  ["the command", "$X", "$X more"],
  ["its mode", "cwd: .", "cwd: .\n      mode: script"],
  ["its shell", "cwd: .", "cwd: .\n      shell: sh"],
  ["its safety level", "cwd: .", "cwd: .\n      safetyLevel: advanced"],
  ["its flags", "cwd: .", "cwd: .\n      flags: {pipefail: false}"],
  ["its egress", "cwd: .", "cwd: .\n      egress: any"],
  ["its standard input", "cwd: .", "cwd: .\n      stdin: {source: literal, literal: x}"],
  ["what is inherited", "static: {X: fixed}", "static: {X: fixed}, inherit: [LESS]"],
  ["a variable of the environment", "X: fixed", "X: changed"],
  ["its folder", "cwd: .", "cwd: ./."],
  ["its time", "60s", "61s"],
  ["the document's egress", "inputs:", "egress: any\ninputs:"],
  ["a field by defaults", "inputs:", "defaults: {idleTimeout: 60s}\ninputs:"],
  ["a Variable that it names", "api.example.com", "evil.example.com"],
  ["a text that feeds it", "a note", "another note"],
  ["the default of an input that it names", "default: one", "default: two"],
  ["which node is its first parent", "[note -> a, first -> a]", "[first -> a, note -> a]"],
  ["where its value comes from", "[note -> a,", "[other -> a,"],
  ["the command that feeds it", "from the first", "from another"],
])("trust does not hold when something else decides: %s", async (_, from, to) => {
  const at = home(FED);
  expect(await approved(at)).toBe("succeeded");
  expect(await at.run()).toMatchObject({ status: "succeeded" });
  at.remove(at.id());
  const before = ran(at);
  rewrite(at, from, to);
  let went = await at.run();
  if (went.waiting.includes("first")) {
    at.grant(at.requests()[0]!);
    went = await at.resume();
  }
  expect(went).toMatchObject({ status: "waiting", waiting: ["a"] });
  expect(ran(at)).toBe(before);
});

test("a title, a note, a position on the canvas, another name and another node make no difference", async () => {
  const at = home(FED);
  expect(await approved(at)).toBe("succeeded");
  rewrite(at, "title: A\n", "title: Something else\n");
  rewrite(at, "curlew: 1", "curlew: 1\ndescription: More\nlayout: {note: [1, 2]}");
  rewrite(at, "nodes:\n", "nodes:\n  - {id: alone, type: text, data: {title: Alone, content: x}}\n");
  rewrite(at, "id: a\n", "id: renamed\n");
  rewrite(at, "[note -> a, first -> a]", "[note -> renamed, first -> renamed]");
  expect(await at.run()).toMatchObject({ status: "succeeded" });
});

test("the same command in another folder counts as unseen", async () => {
  const at = home(MARK + RUNS);
  expect(await approved(at)).toBe("succeeded");
  const other = home(MARK + RUNS);
  expect(await other.run()).toMatchObject({ status: "waiting" });
});

const CHILD = `curlew: 1\nname: Child\ninputs: {who: {type: string, default: you}}\nnodes:\n${cli("b", 'printf "%s\\n" "hello ${who}" | tee -a ran')}`;
const SUB = "  - {id: sub, type: subflow, data: {title: Sub, workflow: child.flow.yaml, inputs: {who: me}}}\n";
const inertOf = (at: Home): (Inert | undefined)[] =>
  at.events().flatMap((event) => (event.type === "run.started" ? [event.inert] : []));

test("the subflow of an imported workflow is blocked too, and is trusted for the values that it gets there", async () => {
  const at = home(`${MARK}nodes:\n${SUB}`, { "child.flow.yaml": CHILD });
  expect(await at.run({ inAdvance: ["*"] })).toMatchObject({ status: "waiting", waiting: ["sub/b"] });
  expect(ran(at)).toBe("");
  expect(inertOf(at)).toEqual([
    { why: "imported" },
    { why: "imported", within: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "hello me" });
  at.remove(at.id());
  expect(await at.run()).toMatchObject({ status: "succeeded" });
  at.remove(at.id());
  rewrite(at, "who: me", "who: someone else");
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["sub/b"] });
});

test("an imported subflow is blocked in a workflow that is not imported", async () => {
  const at = home(`nodes:\n${cli("own", "echo own | tee -a ran")}${SUB}edges: [own -> sub]\n`, {
    "child.flow.yaml": CHILD.replace("name:", `${MARK}name:`),
  });
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["sub/b"] });
  expect(ran(at)).toBe("own\n");
  expect(inertOf(at)).toEqual([undefined, { why: "imported" }]);
});

const LOOPED = `${MARK}nodes:
  - {id: s, type: loop-start, data: {title: S, iterations: 3}}
${cli("get", 'printf "%s" "${cursor}" | tee -a ran')}  - {id: cursor, type: variable, data: {title: C, variableName: cursor, initialValue: "0", content: "\${1}+"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [s -> get -> cursor -> e]
`;

test("in a loop one approval is enough for every iteration", async () => {
  const at = home(LOOPED);
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["get[0]"] });
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "succeeded" });
  expect(at.requests()).toHaveLength(1);
  at.remove(at.id());
  rewrite(at, 'content: "${1}+"', 'content: "${1}-"');
  expect(await at.run(), "what the pass before leaves behind counts").toMatchObject({ waiting: ["get[0]"] });
});

test("a run that waits stays blocked when the mark is removed from the file", async () => {
  const at = home(MARK + RUNS);
  await at.run();
  rewrite(at, MARK, "");
  expect(await at.resume()).toMatchObject({ status: "waiting" });
});

test("a command that does not start does not count as seen, and one grant is good for one command", async () => {
  const at = home(`${MARK}nodes:\n${cli("a", "echo a >> ran")}${cli("b", "echo b >> ran")}edges: [a -> b]\n`);
  await at.run();
  const [first] = at.requests();
  at.grant(first!);
  expect(await at.resume()).toMatchObject({ waiting: ["b"] });
  at.grant({ ...at.requests()[1]!, hash: first!.hash });
  expect(await at.resume()).toMatchObject({ status: "waiting", waiting: ["b"] });
  expect(ran(at)).toBe("a\n");
});
