// ApprovalDiff: the changes since this node was last approved, and the changes of an edit (spec 3.5).

import type { ApprovalItem } from "../../api/shapes.ts";
import { visible } from "../../base/visible.ts";
import type { ApprovalView } from "../../scheduler/view.ts";
import { changedLines, DiffLines } from "../ui/diff-lines.tsx";
import { Section } from "../ui/facts.tsx";
import { ago, exactTime } from "../ui/words.ts";

export function ApprovalDiff({ item: { lastApproved }, nowMs }: { item: ApprovalItem; nowMs: number }) {
  if (lastApproved === undefined)
    return (
      <Section title="Since the last approval">
        <p className="text-muted">Not approved before</p>
      </Section>
    );
  const { by, at, identical, diff, edited } = lastApproved;
  const when = `${ago(at, nowMs)} by ${visible(by)}`;
  return (
    <Section title="Since the last approval">
      <p className={identical && edited === undefined ? "text-succeeded" : "text-waiting"}>
        {!identical
          ? `Different from what was ${edited === undefined ? "approved" : "asked then, and edited"}`
          : edited === undefined
            ? "Identical to what was approved"
            : "The same was asked, and approved only with an edit,"}{" "}
        {when}
      </p>
      {diff !== undefined && diff !== "" && <DiffLines lines={diff.replace(/\n$/, "").split("\n")} />}
      {edited !== undefined && (
        <>
          <p className="text-muted">What was approved then, against what was asked:</p>
          <DiffLines lines={changedLines(edited.from, edited.to)} />
        </>
      )}
    </Section>
  );
}

/** The decisions about a node: who, what, when and from where (spec 3.5). */
export function DecidedList({ approvals }: { approvals: readonly ApprovalView[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {approvals
        .filter(({ answer }) => answer !== undefined)
        .map((approval) => (
          <li key={`${approval.hash} ${approval.requestedAt}`} className="flex flex-col gap-1">
            <p>
              <span
                className={approval.answer === "granted" ? "font-semibold text-succeeded" : "font-semibold text-failed"}
              >
                {wordFor(approval)}
              </span>
              {whoFor(approval)}
            </p>
            <p className="text-sm text-muted">
              {approval.answeredAt === undefined ? "" : exactTime(approval.answeredAt)}
            </p>
            {approval.reason !== undefined && approval.reason !== "" && <p>“{visible(approval.reason)}”</p>}
            {approval.edited !== undefined && (
              <DiffLines lines={changedLines(approval.edited.from, approval.edited.to)} />
            )}
          </li>
        ))}
    </ul>
  );
}

function wordFor({ answer, edited, as }: ApprovalView): string {
  if (answer === "expired") return `Not answered in time, which counted as ${as ?? "reject"}`;
  if (answer === "rejected") return "Rejected";
  return edited === undefined ? "Approved" : "Edited and approved";
}

function whoFor({ by, door, from }: ApprovalView): string {
  if (by === undefined) return "";
  const place = from === undefined ? "" : ` on ${from.host}${from.tty === undefined ? "" : ` ${from.tty}`}`;
  return ` by ${visible(by)}${visible(place)}${door === undefined ? "" : ` through ${door}`}`;
}
