// show-approvals: the approvals of a run and who answered them, for `runs show` (spec 3.5).

import { visibleLine } from "../base/visible.ts";
import type { ApprovalView, NodeView } from "../scheduler/view.ts";
import type { Style } from "./style.ts";

/** Maximum lines shown of an edit. `--json` has all of it. */
const LINES_MAX = 40;
const ANSWERS_MAX = 50;

/** A heading and at least one line per answer; empty if there are no answers. Loads the diff library only for edits. */
export async function approvalLines(nodes: readonly NodeView[], style: Style): Promise<string[]> {
  const answers = nodes.flatMap(({ path, approvals = [] }) =>
    approvals.filter(({ answer }) => answer !== undefined).map((approval) => ({ path, approval })),
  );
  if (answers.length === 0) return [];
  const lines = [style("label", "approvals")];
  for (const { path, approval } of answers.slice(0, ANSWERS_MAX)) {
    lines.push(`  ${visibleLine(path)}  ${answerText(approval)}`);
    if (approval.edited === undefined) continue;
    const { changes } = await import("./changes.ts");
    lines.push(
      ...changes(approval.edited.from, approval.edited.to, {
        style,
        columns: Number.POSITIVE_INFINITY,
        linesMax: LINES_MAX,
      }),
    );
  }
  if (answers.length > ANSWERS_MAX)
    lines.push(style("faint", `  … ${answers.length - ANSWERS_MAX} more; --json shows all`));
  return lines;
}

function answerText({ answer, answeredAt, by, door, from, edited, reason, as }: ApprovalView): string {
  if (answer === "expired") return `not answered in time, which counted as ${as} (${answeredAt})`;
  const place =
    from === undefined
      ? ""
      : ` on ${from.host}${from.tty === undefined ? "" : ` ${from.tty}`}${from.address === undefined ? "" : `, from ${from.address}`}`;
  const who = visibleLine(`by ${by}${place} through ${door}`);
  const word = answer === "granted" ? (edited === undefined ? "approved" : "edited and approved") : "rejected";
  const why = reason === undefined || reason === "" ? "" : `: ${visibleLine(reason)}`;
  return `${word} ${who} (${answeredAt})${why}`;
}
