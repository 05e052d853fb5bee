// approvals: what waits for a person, and the answers. An answer is recorded first; then the run goes on here, in the foreground.

import { userInfo } from "node:os";
import { shortRunId } from "../../base/ids.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { type Pending, pendingOf, record } from "../approve.ts";
import { Exit } from "../exit.ts";
import { findRun, type HomeOption, refused, withStore } from "../open.ts";
import { problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";
import { oneLine, padEnd, width } from "../text.ts";

export interface AnswerOptions extends HomeOption {
  detach?: boolean;
  json?: boolean;
  quiet?: boolean;
  reason?: string;
}

export async function approvals(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, (store) => {
    const page = store.journal.listRuns({ status: ["waiting", "running"], children: "all", limit: 1_000 });
    if (!page.ok) return refused(page.error, terminal);
    const all = page.value.runs.filter((row) => row.waiting > 0).flatMap((row) => pendingOf(row, store));
    if (options.json)
      terminal.json(
        all.map(({ hash: _hash, ...shown }) => shown),
        true,
      );
    else if (all.length === 0) terminal.err("Nothing waits for an approval.\n");
    else {
      const wide = Math.max(...all.map((each) => width(each.path)));
      for (const each of all)
        terminal.out(
          `${shortRunId(each.run)}  ${padEnd(each.path, wide)}  ${oneLine(each.workflow)}${each.command === undefined ? "" : `: ${oneLine(each.command)}`}\n`,
        );
      terminal.err("Answer with: curlew approve RUN NODE, or curlew reject RUN NODE\n");
    }
    return Exit.OK;
  });
}

export async function approve(run: string, node: string, options: AnswerOptions, terminal: Terminal): Promise<Exit> {
  return answer(run, node, options, terminal, (pending) => ({
    type: "approval.granted",
    node: pending.node,
    path: pending.path,
    hash: pending.hash,
    by: userInfo().username,
    door: "cli",
  }));
}

export async function reject(run: string, node: string, options: AnswerOptions, terminal: Terminal): Promise<Exit> {
  return answer(run, node, options, terminal, (pending) => ({
    type: "approval.rejected",
    node: pending.node,
    path: pending.path,
    hash: pending.hash,
    by: userInfo().username,
    door: "cli",
    reason: options.reason ?? "",
  }));
}

async function answer(
  name: string,
  node: string,
  options: AnswerOptions,
  terminal: Terminal,
  body: (pending: Pending) => EventBody,
): Promise<Exit> {
  let id: string | undefined;
  const code = await withStore(options, terminal, (store) => {
    const row = findRun(name, store, terminal);
    if (row === undefined) return Exit.USAGE;
    const waiting = pendingOf(row, store);
    const pending = waiting.find((each) => each.path === node);
    if (pending === undefined) {
      const paths = waiting.map((each) => each.path);
      const help = paths.length === 0 ? "Nothing of this run waits for an approval." : `Waiting: ${paths.join(", ")}.`;
      terminal.problem(
        problem(
          "not-waiting",
          `"${node}" of run ${row.id} does not wait for an approval.${didYouMean(node, paths)}`,
          help,
        ),
      );
      return Exit.USAGE;
    }
    id = row.id;
    const recorded = record(row.id, body(pending), store);
    return recorded.ok ? Exit.OK : refused(recorded.error, terminal);
  });
  if (code !== Exit.OK || id === undefined) return code;
  if (options.detach) {
    terminal.err(`Recorded. Go on with the run: curlew runs resume ${shortRunId(id)}\n`);
    return Exit.OK;
  }
  const { resume } = await import("./run.ts");
  return resume(id, options, terminal);
}
