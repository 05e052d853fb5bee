// ask: approvals asked inline, on the terminal of `curlew run` (spec 2.2). What is not answered keeps waiting.

import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import type { RunOutcome } from "../engine/index.ts";
import type { Store } from "../store/index.ts";
import type { Workflow } from "../workflow/model.ts";
import { pendingOf, record } from "./approve.ts";
import type { Terminal } from "./terminal.ts";
import { harmless, oneLine } from "./text.ts";

/** Whether anything was answered. */
export async function askApprovals(
  outcome: RunOutcome,
  store: Store,
  workflow: Workflow | undefined,
  terminal: Terminal,
): Promise<boolean> {
  const row = store.journal.findRun(outcome.id);
  if (!row.ok) return false;
  let answered = false;
  for (const pending of pendingOf(row.value, store)) {
    const node = workflow?.nodes.find((each) => each.id === pending.node);
    const content = node !== undefined && "content" in node.data ? (node.data.content ?? "") : "";
    const title = node === undefined ? "" : `: ${oneLine(node.data.title)}`;
    terminal.err(`${terminal.errStyle("strong", pending.path)} waits for your approval${title}\n`);
    for (const line of harmless(content).trimEnd().split("\n")) terminal.err(`  | ${line}\n`);
    const answer = await askOne("Approve, reject, or leave it waiting? [a/r/L] ");
    if (answer === undefined) return answered;
    const about = { node: pending.node, path: pending.path, hash: pending.hash, by: userInfo().username, door: "cli" };
    if (/^a/i.test(answer))
      answered = keep(record(row.value.id, { type: "approval.granted", ...about }, store), terminal) || answered;
    if (/^r/i.test(answer)) {
      const reason = (await askOne("Why? ")) ?? "";
      answered =
        keep(record(row.value.id, { type: "approval.rejected", ...about, reason }, store), terminal) || answered;
    }
  }
  return answered;
}

function keep(recorded: ReturnType<typeof record>, terminal: Terminal): boolean {
  if (!recorded.ok) terminal.problem(recorded.error);
  return recorded.ok;
}

/** Nothing when the person turned away (Ctrl-C, Ctrl-D). */
async function askOne(question: string): Promise<string | undefined> {
  const reader = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
  try {
    return await new Promise<string | undefined>((resolve) => {
      reader.once("SIGINT", () => resolve(undefined));
      reader.once("close", () => resolve(undefined));
      reader.question(question).then(
        (answer) => resolve(answer.trim()),
        () => resolve(undefined),
      );
    });
  } finally {
    reader.close();
    process.stdin.pause();
  }
}
