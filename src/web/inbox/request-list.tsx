// RequestList: what waits, one entry a request, with what tells a person which to open first: where it stands, the command, why it is
// asked, how long it has waited and when it decides itself (spec ui 6.2.6).
//   Q1. What an entry says of the command is its beginning only: it is answered beside it, where all of it stands.
//   Q2. An entry is drawn anew only when something of it is other: time passes for hundreds of them.
//   Q3. All are of one height: what is drawn when it comes into sight moves nothing under somebody's hand.

import { memo, useEffect, useRef } from "react";
import type { ApprovalItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { expiryShort, firstLine, whyAsked } from "../run/approval.ts";
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
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const chosen = useRef((id: string) => choose.current(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice scrolls, not requests that come.
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ul ref={list} className="flex flex-col p-2">
      {items.map((item) => (
        <Entry
          key={item.id}
          item={item}
          isCurrent={item.id === current}
          asked={ago(item.requestedAt, nowMs)}
          expiry={expiryShort(item, nowMs)}
          onChoose={chosen.current}
        />
      ))}
    </ul>
  );
}

interface EntryProps {
  item: ApprovalItem;
  isCurrent: boolean;
  asked: string;
  expiry: string | undefined;
  onChoose: (id: string) => void;
}

function sinceApproved({ identical, edited }: NonNullable<ApprovalItem["lastApproved"]>): string {
  if (!identical) return "changed since approved";
  return edited === undefined ? "as approved before" : "edited when it was approved before";
}

/** Q2, Q3. */
const Entry = memo(function Entry({ item, isCurrent, asked, expiry, onChoose }: EntryProps) {
  const { text, more } = firstLine(item.detail);
  const last = item.lastApproved;
  return (
    <li className="h-24 [contain-intrinsic-size:auto_96px] [content-visibility:auto]">
      <button
        type="button"
        aria-current={isCurrent ? "true" : undefined}
        onClick={() => onChoose(item.id)}
        className={classes(
          "flex h-full w-full flex-col justify-center gap-0.5 rounded-md px-3 text-left *:w-full *:truncate focus-visible:-outline-offset-2",
          isCurrent ? "bg-selected" : "hover:bg-hover",
        )}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{item.title}</span>
          <span className="shrink-0 text-sm text-muted">{asked}</span>
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
});
