// InboxScreen: all approval requests of all runs: the list on the left, the selected request on the right (spec ui
// 6.2.6). On a phone they are stacked.
//   I1. Keys act on the request shown: Y approves, E edits, N rejects, J and K select, Enter opens it, X includes those
//       with the same command.
//   I2. Several requests can be answered together only if their commands are identical.
//   I3. The shown request stays until the user moves on or answers it, even if it is answered elsewhere. No key acts on
//       a replacement.
//   I4. An entry of the list shows only the start of the command. All entries have the same height, so that rendering
//       more does not move the list.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CheckCheck } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ApprovalItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { useActions } from "../app/actions.ts";
import { TopBar } from "../app/top-bar.tsx";
import { approvalsQuery } from "../client/queries.ts";
import { expiryText, firstLine, sameCommand, whyAsked } from "../run/approval.ts";
import { ApprovalCard } from "../run/approval-card.tsx";
import { classes } from "../ui/classes.ts";
import { Empty } from "../ui/empty.tsx";
import { useNow } from "../ui/now.ts";
import { Failed } from "../ui/problem.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ago, count } from "../ui/words.ts";

const route = getRouteApi("/inbox");

export function InboxScreen() {
  const { id } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: items, error } = useQuery(approvalsQuery);
  const nowMs = useNow(1000);
  const { item, isGone, isMissed, onAnswering } = useShown(items, id);
  const card = useRef<HTMLDivElement>(null);
  const choose = (next: string) => void navigate({ to: "/inbox", search: { id: next }, replace: true });
  const step = (by: 1 | -1) => {
    const index = items?.findIndex((one) => one.id === item?.id) ?? -1;
    const next = items?.[index < 0 ? 0 : index + by];
    if (next !== undefined) choose(next.id);
  };
  const list = { keysOnly: true, held: true };
  const enter = () => card.current?.querySelector<HTMLElement>("[data-focus-first]")?.focus();
  useActions("Inbox", [
    { id: "inbox.next", title: "Next request", keys: "J or ArrowDown", ...list, run: () => step(1) },
    { id: "inbox.previous", title: "Previous request", keys: "K or ArrowUp", ...list, run: () => step(-1) },
    { id: "inbox.open", title: "Go into the request", keys: "Enter", keysOnly: true, run: enter },
  ]);
  return (
    <>
      <TopBar
        title="Inbox"
        facts={items === undefined ? undefined : <span>{items.length} waiting</span>}
        // Notifications are set in one place.
        actions={
          <Link to="/settings" className="text-muted hover:text-text hover:underline">
            Notifications
          </Link>
        }
      />
      {error !== null && items === undefined ? (
        <div className="p-6">
          <Failed error={error} />
        </div>
      ) : items === undefined ? (
        <Skeleton className="p-6" />
      ) : item === undefined ? (
        <Empty
          icon={<CheckCheck size={32} />}
          title="No approvals waiting"
          docs={["how-to/approvals", "Ask for approval"]}
        >
          Nodes that need approval appear here with the exact command before they run.
        </Empty>
      ) : (
        <div className="h-full overflow-y-auto md:grid md:grid-cols-[320px_minmax(0,1fr)] xl:grid-cols-[400px_minmax(0,1fr)] md:overflow-hidden">
          <nav
            aria-label="Requests"
            className="overflow-y-auto border-line md:border-r max-md:max-h-[36vh] max-md:border-b"
          >
            <ul className="flex flex-col p-2">
              {items.map((one) => (
                <Entry
                  key={one.id}
                  {...{ nowMs, item: one, isCurrent: one.id === item.id, onChoose: () => choose(one.id) }}
                />
              ))}
            </ul>
          </nav>
          <div ref={card} className="min-w-0 bg-panel md:overflow-y-auto">
            <div className="mx-auto max-w-3xl">
              {isMissed && <p className="px-4 pt-4 text-muted">That request is no longer waiting.</p>}
              <Request key={item.id} {...{ item, items, nowMs, isGone, onAnswering }} />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

const KEYS = { approve: "Y or Ctrl+Enter", edit: "E", reject: "N" };

function Request({
  item,
  items,
  nowMs,
  isGone,
  onAnswering,
}: Pick<Shown, "isGone" | "onAnswering"> & { item: ApprovalItem; items: readonly ApprovalItem[]; nowMs: number }) {
  const [together, setTogether] = useState(false);
  const alike = useMemo(
    () => (isGone ? [] : items.filter((one) => one.id !== item.id && sameCommand(one, item))),
    [isGone, items, item],
  );
  useActions("Inbox", [
    {
      id: "inbox.together",
      title: "Answer those with the same command together",
      keys: "X",
      disabled: alike.length === 0,
      run: () => setTogether(!together),
    },
  ]);
  return (
    <>
      {alike.length > 0 && (
        <label className="flex min-h-6 items-center gap-2 px-4 pt-4">
          <input type="checkbox" checked={together} onChange={(event) => setTogether(event.target.checked)} />
          Answer {alike.length} more with the same command together
        </label>
      )}
      <ApprovalCard
        item={item}
        nowMs={nowMs}
        keys={KEYS}
        gone={isGone}
        onAnswering={onAnswering}
        alike={together ? alike : []}
        where={
          <RunLink id={item.run} node={item.path.split("/")[0]}>
            {item.workflow}
          </RunLink>
        }
      />
    </>
  );
}

interface Shown {
  item: ApprovalItem | undefined;
  isGone: boolean;
  /** The request in the URL was answered before it was shown here. */
  isMissed: boolean;
  /** `refused`: some of several answers were rejected. The others were accepted, and the next request is shown. */
  onAnswering: (ids: readonly string[], not?: "failed" | "refused") => void;
}

/** I3. `id` comes from the URL and may name a request that is already answered. */
function useShown(items: readonly ApprovalItem[] | undefined, id: string | undefined): Shown {
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<ApprovalItem>(undefined);
  /** Requests shown only briefly, while others were answered with them. */
  const unread = useRef(new Set<string>());
  const wanted = id !== undefined && !answered.has(id) ? id : last.current?.id;
  const there = items?.find((one) => one.id === wanted);
  const isSeen = wanted !== undefined && !answered.has(wanted) && !unread.current.has(wanted);
  const kept = there === undefined && last.current?.id === wanted && isSeen ? last.current : undefined;
  const item = there ?? kept ?? items?.[0];
  const isMissed = items !== undefined && id !== undefined && item?.id !== id && !answered.has(id);
  last.current = item;
  const onAnswering: Shown["onAnswering"] = (ids, not) => {
    if (not === "refused") for (const one of ids) unread.current.add(one);
    setAnswered((before) => {
      const after = new Set(before);
      for (const one of ids) not === undefined ? after.add(one) : after.delete(one);
      return after;
    });
  };
  return { item, isGone: item !== undefined && item === kept, isMissed, onAnswering };
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

/** I4. */
function Entry({ item, isCurrent, nowMs, onChoose }: EntryProps) {
  const { text, more } = firstLine(item.detail);
  const expiry = expiryText(item, nowMs);
  const last = item.lastApproved;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li ref={element} className="h-24 [contain-intrinsic-size:auto_96px] [content-visibility:auto]">
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
