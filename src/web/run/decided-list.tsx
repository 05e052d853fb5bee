// DecidedList: who was asked about a node, what they said, when and from where (spec 3.5). Kept in the run for good.

import { visible } from "../../base/visible.ts";
import type { ApprovalView } from "../../scheduler/view.ts";
import { DiffLines, linesOfEdit } from "./approval-diff.tsx";

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
              {approval.answeredAt === undefined ? "" : new Date(approval.answeredAt).toLocaleString()}
            </p>
            {approval.reason !== undefined && approval.reason !== "" && <p>“{visible(approval.reason)}”</p>}
            {approval.edited !== undefined && <DiffLines lines={linesOfEdit(approval.edited)} />}
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
