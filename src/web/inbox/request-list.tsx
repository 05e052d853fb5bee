// RequestList: the waiting requests, one entry each. An entry shows its place, command, reason, waiting time and time
// limit (spec ui 6.2.6).
//   Q1. An entry shows only the start of the command. Requests are answered beside the list, where the command is shown
//       in full.
//   Q2. All entries have the same height, so that rendering more does not move the list.

import { useEffect, useRef } from "react";
import type { ApprovalItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { expiryText, firstLine, whyAsked } from "../run/approval.ts";
import { classes } from "../ui/classes.ts";
import { ago, count } from "../ui/words.ts";

export interface RequestListProps {
  items: readonly ApprovalItem[];
  current: string;
  nowMs: number;
  onChoose: (id: string) => void;
}

export function RequestList({ items, current, nowMs, onChoose }: RequestListProps) {
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice scrolls, not requests that come.
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ul ref={list} className="flex flex-col p-2">
      {items.map((item) => (
        <Entry key={item.id} {...{ item, nowMs, isCurrent: item.id === current, onChoose: () => onChoose(item.id) }} />
      ))}
    </ul>
  );
}

function sinceApproved({ identical, edited }: NonNullable<ApprovalItem["lastApproved"]>): string {
  if (!identical) return "changed since approved";
  return edited === undefined ? "as approved before" : "edited when it was approved before";
}

interface EntryProps {
  item: ApprovalItem;
  isCurrent: boolean;
  nowMs: number;
  onChoose: () => void;
}

/** Q2. */
function Entry({ item, isCurrent, nowMs, onChoose }: EntryProps) {
  const { text, more } = firstLine(item.detail);
  const expiry = expiryText(item, nowMs);
  const last = item.lastApproved;
  return (
    <li className="h-24 [contain-intrinsic-size:auto_96px] [content-visibility:auto]">
      <button
        type="button"
        aria-current={isCurrent ? "true" : undefined}
        onClick={onChoose}
        className={classes(
          "flex h-full w-full flex-col justify-center gap-0.5 rounded-md px-3 text-left *:w-full *:truncate focus-visible:-outline-offset-2",
          isCurrent ? "bg-selected" : "hover:bg-hover",
        )}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{item.title}</span>
          <span className="shrink-0 text-sm text-muted">{ago(item.requestedAt, nowMs)}</span>
        </span>
        <span className="flex items-baseline gap-2 text-sm text-muted">
          <span className="min-w-0 flex-1 truncate">
            {item.workflow} · <span className="font-mono text-xs">{visibleLine(item.path)}</span>
          </span>
          {expiry !== undefined && <span className="shrink-0 text-waiting tabular-nums">{expiry}</span>}
        </span>
        <span className="font-mono text-xs">{text}</span>
        <span className="text-sm text-muted">
          {[
            ...(more === 0 ? [] : [`+ ${count(more, "line")}`]),
            ...(last === undefined ? [] : [sinceApproved(last)]),
            ...whyAsked(item),
          ].join(" · ")}
        </span>
      </button>
    </li>
  );
}
