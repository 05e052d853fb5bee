// The failure card, and the script that repeats the failure in a real shell.

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { done, told } from "../../../test/web/told-run.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { shellScriptOf } from "./copy-shell.ts";
import { failureOf, relevantHeaders, reportOf } from "./failure.ts";

const DOCUMENT = `curlew: 1
name: t
inputs: { city: { type: string } }
secrets: [TOKEN]
nodes:
  - { id: get, type: cli, data: { title: Get, content: "true" } }
  - { id: send, type: cli, data: { title: Send it, content: "true", stdin: { source: parent-index, parentIndex: 0 } } }
edges: [get -> send]
`;
const PROGRAM = 'read -r line; echo "$line" "${1.id}" \'of \'"${city}" "$NAME"';

const GIVEN = '{"id":"a b\'c"}\n';

/** `bytes`: size of the value from its parent. */
function failing(command: string, bytes = GIVEN.length, headers: Record<string, string> = {}) {
  const run = told(DOCUMENT);
  run.model.started.inputs.city = "St. John's";
  const detail = { command, shell: "bash", cwd: "/", env: [], stdin: { bytes, sha256: "0" } };
  const call = { method: "POST", url: "https://api.test/x", status: 401, durationMs: 12, headers };
  run.at(0, { type: "attempt.started", node: "get", path: "get", number: 1, detail: {} });
  run.at(1, done("get", GIVEN), { type: "attempt.started", node: "send", path: "send", number: 1, detail });
  const failure = {
    ...{ code: "exited", reason: "authentication", message: "curl: the server answered 401.", exitCode: 22 },
    ...{
      stderr: "first\nsecond\u202e\n",
      evidence: ["second\u202e", "POST answered 401"],
      hints: ["Check the token."],
    },
  };
  run.at(1_200, {
    ...{ type: "attempt.failed", node: "send", path: "send", number: 1, failure, value: { text: "" } },
    end: { durationMs: 1_199, exitCode: 22, http: [call] },
  } as EventBody);
  const node = run.model.node("send");
  if (node === undefined) throw new Error("no node");
  return { model: run.model, node };
}

test("the card shows the failure, its evidence and hints, nothing twice and nothing hidden", () => {
  const { node } = failing(PROGRAM);
  expect(failureOf(node)).toEqual({
    cause: "curl: the server answered 401.",
    code: "authentication",
    evidence: ["POST answered 401"],
    stderr: ["first", "second⟨U+202E⟩"],
    printed: [],
    hints: ["Check the token."],
    call: { method: "POST", url: "https://api.test/x", status: 401, durationMs: 12, headers: {} },
    facts: "HTTP 401 · exit 22 · 1.2 s · attempt 1 of 1",
  });
});

test("of an answer's headers the card has those that say why, or when to come again", () => {
  const headers = {
    "www-authenticate": "Bearer",
    "retry-after": "2",
    "x-ratelimit-remaining": "0",
    "x-frame-options": "DENY",
  };
  expect(Object.keys(relevantHeaders(headers))).toEqual(["www-authenticate", "retry-after", "x-ratelimit-remaining"]);
});

test("Retry-After is the first hint", () => {
  const hints = (after: string) => failureOf(failing("true", 0, { "retry-after": after }).node)?.hints;
  expect(hints("90")).toEqual(["The server asks to wait 1 min 30 s (Retry-After).", "Check the token."]);
  expect(hints("Wed, 21 Oct 2026 07:28:00 GMT")?.[0]).toBe(
    "The server asks not to come before Wed, 21 Oct 2026 07:28:00 GMT (Retry-After).",
  );
  expect(hints(" ")).toEqual(["Check the token."]);
});

test("the report is in fences that its own text cannot close", () => {
  const { model, node } = failing("echo ````");
  const card = failureOf(node);
  if (card === undefined) throw new Error("no card");
  const report = reportOf(node, card, model.started);
  expect(report).toContain("`````\necho ````\n`````");
  expect(report).toContain("401 POST https://api.test/x (12 ms)");
});

test("the copied script does the same as the node, with the values of the run", async () => {
  const { model, node } = failing(PROGRAM);
  const script = await shellScriptOf(model, node);
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8", env: { ...process.env, NAME: "n" } })).toBe(
    '{"id":"a b\'c"} a b\'c of St. John\'s n\n',
  );
});

test("the script contains the node's input only if the page has all of it", async () => {
  const { model, node } = failing("cat", GIVEN.length + 1);
  const script = await shellScriptOf(model, node);
  expect(script).toContain(`# It read ${GIVEN.length + 1} bytes from standard input: give them with < FILE`);
  expect(script).not.toContain("printf");
});

test("a secret is never in the script, which stops without it", async () => {
  const { model, node } = failing('echo "${TOKEN}"');
  const script = await shellScriptOf(model, node);
  expect(script).toContain("TOKEN");
  expect(() => execFileSync("bash", ["-c", script], { stdio: "pipe" })).toThrow(/set it first: TOKEN is a secret/);
});
