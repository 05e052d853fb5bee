// A program that is itself a value: the text of a model or a command becomes a command only when you have seen exactly
// that text.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { everythingIn, home } from "./approvals.ts";

/** A command prints the program, and the gate runs nothing else. */
const planned = (print: string, reference = "${1}", top = "") =>
  `${top}nodes:\n  - {id: plan, type: cli, data: {title: P, content: ${JSON.stringify(print)}}}\n  - {id: gate, type: cli, data: {title: G, content: ${JSON.stringify(reference)}, needsUserApproval: true}}\nedges: [plan -> gate]\n`;
const printing = (program: string): string => `echo ${Buffer.from(program).toString("base64")} | base64 -d`;

test("the program is shown exactly, bound by the approval, and run with nothing filled in", async () => {
  const program = "x='a b'\nprintf '%s|%s|%s' \"$x\" \"${1:-none}\" '${1}' # ${run}";
  const at = home(planned(printing(program)));
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["gate"] });
  const [request] = at.requests();
  expect(request).toMatchObject({
    reasons: [{ code: "needs-approval" }, { code: "whole-program" }],
    detail: { command: "${1}", rendered: program, wholeProgram: true, values: [] },
  });
  at.grant(request!);
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "a b|none|${1}" });
});

test.each([[["*"]], [["gate"]]])(
  "approved in advance (%j) it still waits, because no one has seen the text",
  async (inAdvance) => {
    const at = home(planned("echo touch ran"));
    expect(await at.run({ inAdvance })).toMatchObject({ status: "waiting", waiting: ["gate"] });
    expect(at.requests()[0]?.reasons.at(-1)?.message).toContain("does not apply");
    expect(existsSync(join(at.path, "ran"))).toBe(false);
  },
);

/** The same text on a shell's standard input. */
const fed = (content: string, more = "") =>
  `nodes:\n  - {id: plan, type: cli, data: {title: P, content: echo touch ran}}\n  - {id: gate, type: cli, data: {title: G, content: ${JSON.stringify(content)}, stdin: {source: parent-index, parentIndex: 0}${more}}}\nedges: [plan -> gate]\n`;

test.each([
  ["bash", ""],
  ["cat | sh -s", ""],
  ["bash < /dev/stdin", ""],
  ["sh 0<>/proc/self/fd/0", ""],
  ["xargs -I{} bash -c {}", ""],
  ['eval "$(cat)"', ""],
  ["bash", ", needsUserApproval: true"],
  ["bash", ", needsUserApproval: true, approval: {timeout: 5s, onTimeout: approve}"],
])("fed to what runs it (%s%s) it is no more approved in advance", async (content, more) => {
  const at = home(fed(content, more));
  expect(await at.run({ inAdvance: ["*"] })).toMatchObject({ status: "waiting", waiting: ["gate"] });
  const [request] = at.requests();
  expect(request?.reasons.at(-1)).toMatchObject({ code: "runs-input" });
  expect(request?.reasons.at(-1)?.message).toContain("does not apply");
  expect(request?.onTimeout ?? "reject").toBe("reject");
  expect(existsSync(join(at.path, "ran"))).toBe(false);
  at.grant(request!);
  expect(await at.resume()).toMatchObject({ status: "succeeded" });
  expect(existsSync(join(at.path, "ran"))).toBe(true);
});

test("the request shows what safe finds in the program", async () => {
  const at = home(planned("echo rm -r old"));
  await at.run();
  expect(at.requests()[0]?.reasons.map(({ code }) => code)).toEqual(["needs-approval", "whole-program", "deletes"]);
});

test("an edit replaces it unchanged: nothing is filled in there either", async () => {
  const at = home(planned("echo echo own"));
  await at.run();
  at.grant(at.requests()[0]!, { edited: "printf '%s' '${1} edited'" });
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "${1} edited" });
});

test.each([
  ["text turned around", "printf 'echo a \\342\\200\\256 b'", "U+202E"],
  ["a character without width", "printf 'rm\\342\\200\\213 x'", "U+200B"],
  ["a terminal's control", "printf 'echo hidden\\033[2K'", "U+001B"],
  ["a carriage return", "printf 'rm -r x\\recho hello'", "U+000D"],
  ["NUL", "printf 'echo a\\000b'", "U+0000"],
  ["a value that is not text", "printf 'echo \\377'", "U+FFFD"],
  ["nothing", "true", "it is empty"],
])("a person cannot read %s: Curlew does not ask, and nothing runs", async (_, print, says) => {
  const at = home(planned(print));
  expect((await at.run()).failure).toMatch(/^gate program-unreadable: /);
  expect((await at.run()).failure).toContain(says);
  expect(at.requests()).toEqual([]);
});

test("a program that contains a secret is not shown, so Curlew does not ask and it does not run", async () => {
  const at = home(planned("echo", "${TOKEN}", "secrets: [TOKEN]\n"));
  expect((await at.run({ env: { TOKEN: "touch ran-with-the-secret" } })).failure).toContain("it contains a secret");
  expect(everythingIn(at.home)).not.toContain("ran-with-the-secret");
});

test("a program that is too long to read is rejected, even if it is in a file", async () => {
  const at = home(planned(`head -c ${limits.wholeProgramBytesMax + 1} /dev/zero | tr '\\0' '#'`));
  expect((await at.run()).failure).toMatch(/^gate program-too-long: .* 16385 bytes/);
});
