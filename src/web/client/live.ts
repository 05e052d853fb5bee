// live: invalidates or updates cached data when stream messages arrive (spec ui 6.2). run-events.ts handles events of
// single runs.
//   L1. Many events cause few fetches: at most one per kind in `gatherMs`.
//   L2. Lists of runs are long and are updated in place where shown (runs/use-rows.ts). They are fetched again when
//       mounted again.
//   L3. Failed queries run again after a reconnect, so that a page recovers automatically.

import type { StreamMessage } from "../../api/shapes.ts";
import { keys, queryClient } from "./queries.ts";
import { onMessage } from "./stream.ts";

const gatherMs = 250;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Called once, by the shell. Returns a function that stops it. */
export function keepFresh(): () => void {
  return onMessage((message) => {
    for (const key of staleBy(message)) gather(key);
    // L3.
    if (message.kind === "live")
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  });
}

/** The query keys that a message makes stale. */
export function staleBy(message: StreamMessage): readonly (readonly string[])[] {
  if (message.kind === "document") return [keys.workflows, ["secrets"], keys.triggers];
  if (message.kind === "delivery") return [keys.deliveries, keys.triggers];
  if (message.kind === "live") return [keys.workflows, keys.runs, keys.approvals];
  if (message.kind === "output") return [];
  if (message.kind === "stuck") return [keys.workflows, keys.runs, keys.run(message.run)];
  if (message.kind === "removed") return [keys.workflows, keys.runs, keys.approvals];
  const { type, run } = message.event;
  if (type === "run.started" && message.event.trigger.kind !== "subflow")
    return [keys.workflows, keys.runs, keys.run(run), keys.approvals, keys.triggers];
  if (type === "run.started" || /^run\./.test(type)) return [keys.workflows, keys.runs, keys.run(run), keys.approvals];
  if (/^approval\./.test(type)) return [keys.workflows, keys.runs, keys.approvals];
  return [];
}

/** L1. */
function gather(key: readonly string[]): void {
  const name = key.join(" ");
  if (waiting.has(name)) return;
  waiting.set(
    name,
    setTimeout(() => {
      waiting.delete(name);
      // L2.
      void queryClient.invalidateQueries({ queryKey: key, refetchType: key[0] === keys.runs[0] ? "none" : "active" });
    }, gatherMs),
  );
}
