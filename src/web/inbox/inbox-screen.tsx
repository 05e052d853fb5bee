// InboxScreen: everything that waits for a person, of all runs: the list at the left, the request to decide about at the right
// (spec ui 6.2.6). On a phone one below the other.
//   I1. Keys answer what is shown: Y approves, E edits, N rejects, J and K choose.
//   I2. Several are answered at once only when their commands are the same to the letter.

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Bell, BellOff, CheckCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useActions } from "../app/actions.ts";
import { setNotify, useNotify } from "../app/notifications.tsx";
import { TopBar } from "../app/top-bar.tsx";
import { ask, at } from "../client/api.ts";
import { approvalsQuery, keys, problemOf, queryClient } from "../client/queries.ts";
import { sameCommand } from "../run/approval.ts";
import { type Answering, ApprovalCard } from "../run/approval-card.tsx";
import { sentence } from "../run/use-actions.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toast.tsx";
import { ago } from "../ui/words.ts";

const route = getRouteApi("/inbox");

export function InboxScreen() {
  const { id } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: items, error } = useQuery(approvalsQuery);
  const [answering, setAnswering] = useState<Answering>(undefined);
  const [together, setTogether] = useState(false);
  const nowMs = useNow();
  const item = items?.find((one) => one.id === id) ?? items?.[0];
  const alike = item === undefined ? [] : (items ?? []).filter((one) => one.id !== item.id && sameCommand(one, item));
  const begin = () => {
    setAnswering(undefined);
    setTogether(false);
  };
  const choose = (next: string) => {
    begin();
    void navigate({ search: { id: next }, replace: true });
  };
  const step = (by: 1 | -1) => {
    const index = items?.findIndex((one) => one.id === item?.id) ?? -1;
    const next = items?.[index + by];
    if (next !== undefined) choose(next.id);
  };
  const grant = useMutation({
    mutationFn: async () => {
      for (const one of together ? [item, ...alike] : [item])
        if (one !== undefined) await ask<void>(at("approvals", one.id, "grant"), { method: "POST" });
    },
    onSuccess: () => toast(`Approved: ${item?.title}`),
    onError: (reason) => toast(sentence(reason)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.approvals }),
  });
  const open = item !== undefined && answering === undefined && !grant.isPending;
  useActions("Inbox", [
    { id: "inbox.approve", title: "Approve", keys: "Y or Ctrl+Enter", disabled: !open, run: () => grant.mutate() },
    { id: "inbox.edit", title: "Edit and approve", keys: "E", disabled: !open, run: () => setAnswering("edit") },
    { id: "inbox.reject", title: "Reject…", keys: "N", disabled: !open, run: () => setAnswering("reject") },
    { id: "inbox.next", title: "Next request", keys: "J or ArrowDown", keysOnly: true, run: () => step(1) },
    { id: "inbox.previous", title: "Request before", keys: "K or ArrowUp", keysOnly: true, run: () => step(-1) },
  ]);
  return (
    <>
      <TopBar
        title="Inbox"
        facts={items === undefined ? undefined : <span>{items.length} waiting</span>}
        actions={<Notify />}
      />
      {error !== null && items === undefined ? (
        <div className="p-6">
          <Problem problem={problemOf(error)} />
        </div>
      ) : items === undefined ? (
        <Skeleton className="p-6" />
      ) : item === undefined ? (
        <Empty icon={<CheckCheck size={32} aria-hidden="true" />} title="Nothing waits for you">
          A node with “needs approval”, or a command that could do harm, asks here before it runs: with the exact
          command, and what is different from the last time.
        </Empty>
      ) : (
        <div className="grid h-full grid-cols-[minmax(0,1fr)] overflow-y-auto md:grid-cols-[320px_minmax(0,1fr)] md:overflow-hidden">
          <nav aria-label="Requests" className="border-line md:overflow-y-auto md:border-r max-md:border-b">
            <ul className="flex flex-col p-2">
              {items.map((one) => (
                <li key={one.id}>
                  <button
                    type="button"
                    aria-current={one.id === item.id ? "true" : undefined}
                    onClick={() => choose(one.id)}
                    className={classes(
                      "flex min-h-12 w-full flex-col rounded-md px-3 py-2 text-left",
                      one.id === item.id ? "bg-selected" : "hover:bg-hover",
                    )}
                  >
                    <span className="w-full truncate font-semibold">{one.title}</span>
                    <span className="w-full truncate text-sm text-muted">
                      {one.workflow} · {ago(one.requestedAt, nowMs)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          <div className="min-w-0 bg-panel md:overflow-y-auto">
            <div className="mx-auto max-w-3xl">
              {alike.length > 0 && (
                <label className="flex items-center gap-2 px-4 pt-4">
                  <input type="checkbox" checked={together} onChange={(event) => setTogether(event.target.checked)} />
                  Answer {alike.length} more with the same command together
                </label>
              )}
              <ApprovalCard
                key={item.id}
                item={item}
                nowMs={nowMs}
                answering={answering}
                onAnswering={setAnswering}
                onAnswered={begin} // The address stays: who answered may have gone elsewhere already.
                alike={together ? alike : []}
                where={
                  <Link
                    to="/runs/$id"
                    params={{ id: item.run }}
                    search={{ node: item.path.split("/")[0] ?? "" }}
                    className="text-accent underline"
                  >
                    {item.workflow}
                  </Link>
                }
              />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function Notify() {
  const { on } = useNotify();
  if (!("Notification" in globalThis)) return null;
  return (
    <Button
      kind="quiet"
      aria-pressed={on}
      icon={on ? <Bell size={14} aria-hidden="true" /> : <BellOff size={14} aria-hidden="true" />}
      onClick={() =>
        void setNotify(!on).then((done) => {
          if (!done) toast("The browser does not allow notifications here");
        })
      }
    >
      <span className="max-sm:sr-only">{on ? "Notifying" : "Notify me"}</span>
    </Button>
  );
}

/** Once a second: what is left of the time to answer. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
