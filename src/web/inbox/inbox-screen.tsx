// InboxScreen: all approval requests of all runs: the list on the left, the selected request on the right (spec ui
// 6.2.6). On a phone they are stacked.
//   I1. Keys act on the request shown: Y approves, E edits, N rejects, J and K select, Enter opens it, X includes those
//       with the same command.
//   I2. Several requests can be answered together only if their commands are identical.
//   I3. The shown request stays until the user moves on or answers it, even if it is answered elsewhere. No key acts on
//       a replacement.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CheckCheck } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { ApprovalItem } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { TopBar } from "../app/top-bar.tsx";
import { approvalsQuery } from "../client/queries.ts";
import { sameCommand } from "../run/approval.ts";
import { ApprovalCard } from "../run/approval-card.tsx";
import { Empty } from "../ui/empty.tsx";
import { useNow } from "../ui/now.ts";
import { Failed } from "../ui/problem.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RequestList } from "./request-list.tsx";

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
  useActions("Inbox", [
    { id: "inbox.next", title: "Next request", keys: "J or ArrowDown", keysOnly: true, held: true, run: () => step(1) },
    {
      id: "inbox.previous",
      title: "Previous request",
      keys: "K or ArrowUp",
      keysOnly: true,
      held: true,
      run: () => step(-1),
    },
    {
      id: "inbox.open",
      title: "Go into the request",
      keys: "Enter",
      keysOnly: true,
      disabled: item === undefined,
      run: () => card.current?.querySelector<HTMLElement>("[data-focus-first]")?.focus(),
    },
  ]);
  return (
    <>
      <TopBar
        title="Inbox"
        facts={items === undefined ? undefined : <span>{items.length} waiting</span>}
        actions={<NotifyLink />}
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
            <RequestList items={items} current={item.id} nowMs={nowMs} onChoose={choose} />
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

/** Notifications are set in one place. */
function NotifyLink() {
  return (
    <Link to="/settings" className="text-muted hover:text-text hover:underline">
      Notifications
    </Link>
  );
}
