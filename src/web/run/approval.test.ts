import { expect, test } from "vitest";
import type { ApprovalDetail } from "../../base/approval-detail.ts";
import type { ApprovalView, RunView } from "../../scheduler/view.ts";
import { checksOf, commandPieces, expiryText, firstLine, whyAsked, whyGone } from "./approval.ts";

const detail = (command: string, rendered: string, values: [string, string, true?][]): ApprovalDetail => ({
  command,
  rendered,
  values: values.map(([name, text, secret]) => ({ name, text, bytes: text.length, ...(secret ? { secret } : {}) })),
  shell: "bash",
});

test("values and secrets are marked in place, and shell expansions stay as written", () => {
  const given = detail(
    'curl -X DELETE "https://x/o/${1}" -H "A: ${TOKEN}" ${HOME}',
    'curl -X DELETE "https://x/o/o_113" -H "A: «***»" ${HOME}',
    [
      ["${1}", "o_113"],
      ["${TOKEN}", "***", true],
    ],
  );
  expect(commandPieces(given)).toEqual([
    { text: 'curl -X DELETE "https://x/o/' },
    { text: "o_113", value: "${1}" },
    { text: '" -H "A: ' },
    { text: "«***»", value: "${TOKEN}", secret: true },
    { text: '" ' },
    { text: "${HOME}" },
  ]);
});

test("if the written and the prepared command differ, nothing is marked and nothing is lost", () => {
  const given = detail("echo ${1} ok", "echo something else", [["${1}", "x"]]);
  expect(commandPieces(given)).toEqual([{ text: "echo something else" }]);
});

test("nothing in a value can hide", () => {
  const given = detail("echo ${1}", "echo «a\u202eb»", [["${1}", "a\u202eb"]]);
  expect(commandPieces(given)).toEqual([{ text: "echo " }, { text: "«a⟨U+202E⟩b»", value: "${1}" }]);
});

test("the card says whether the command uses HTTPS", () => {
  const said = (rendered: string) =>
    checksOf({ detail: detail(rendered, rendered, []) }).map(({ level, text }) => `${level}: ${text}`);
  expect(said("curl -X DELETE https://x/1")).toEqual(["note: HTTPS for all URLs in the command"]);
  expect(said("curl http://api.test/x")).toEqual(["warning: http:// to api.test: others on the network can read it"]);
  expect(said("curl http://127.0.0.1:80/x")).toEqual([]);
});

test("why it is asked, and until when", () => {
  expect(whyAsked({ reasons: [{ code: "needs-approval", message: "x" }] })).toEqual([
    "The workflow asks for approval.",
  ]);
  const soon = { expiresAt: new Date(102_000).toISOString() };
  expect(expiryText(soon, 0)).toBe("rejected in 01:42");
  expect(expiryText({ ...soon, onTimeout: "fail" }, 0)).toBe("fails in 01:42");
  expect(expiryText({ expiresAt: new Date(0).toISOString() }, 1)).toBe("the time to answer has run out");
  expect(expiryText({}, 0)).toBe(undefined);
});

test("a request that is gone says who answered it, or what ended it", () => {
  const asked = { number: 1, hash: "h", requestedAt: "2026-01-01T00:00:00.000Z", reasons: [] };
  const gone = (answer: Partial<ApprovalView>, status: RunView["status"] = "running", hash = "h") =>
    whyGone({ ...asked, hash }, { status, nodes: [{ approvals: [{ ...asked, ...answer }] }] } as unknown as RunView);
  expect(gone({ answer: "granted", by: "anna\u202e" })).toBe("anna⟨U+202E⟩ approved it.");
  expect(gone({ answer: "granted", by: "anna", edited: { from: "a", to: "b" } })).toBe("anna edited and approved it.");
  expect(gone({ answer: "rejected", by: "anna" })).toBe("anna rejected it.");
  expect(gone({ answer: "expired" })).toBe("its time ran out, which counted as a rejection.");
  expect(gone({ answer: "expired", as: "approve" })).toBe("its time ran out, which counted as an approval.");
  expect(gone({}, "cancelled")).toBe("the run was cancelled.");
  const unknown = "it was answered elsewhere, its time ran out, or its run has ended.";
  expect(gone({}, "failed")).toBe(unknown);
  expect(gone({ answer: "granted", by: "anna" }, "running", "another")).toBe(unknown);
});

test("a list shows the first line with a command, and says how many follow", () => {
  const line = (rendered: string) => firstLine({ rendered });
  expect(line("rm -r x")).toEqual({ text: "rm -r x", more: 0 });
  expect(line("#!/bin/bash\nset -eu\n\n# looks harmless\ncurl -X DELETE \\\n  https://x/1\nrm y\n")).toEqual({
    text: "curl -X DELETE https://x/1",
    more: 4,
  });
  expect(line("# nothing else")).toEqual({ text: "# nothing else", more: 0 });
  expect(line("")).toEqual({ text: "", more: 0 });
  expect(line(`a\u202eb${"x".repeat(1_000)}`).text).toMatch(/^a⟨U\+202E⟩bx{290}$/);
});
