// live: makes cached data stale when stream messages arrive (spec ui 6.2).
//   L1. Many events cause few fetches: at most one per kind in `gatherMs`.
//   L2. Failed queries run again after a reconnect, so that a page recovers automatically.

import type { StreamMessage } from "../../api/shapes.ts";
import { keys, queryClient } from "./queries.ts";
import { onMessage } from "./stream.ts";

const gatherMs = 250;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Called once, by the shell. Returns a function that stops it. */
export function keepFresh(): () => void {
  return onMessage((message) => {
    for (const key of staleBy(message)) gather(key);
    // L2.
    if (message.kind === "live")
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  });
}

function staleBy(message: StreamMessage): readonly (readonly string[])[] {
  switch (message.kind) {
    case "output":
      return [];
    case "document":
      return [keys.workflows, ["secrets"], keys.triggers];
    case "delivery":
      return [keys.deliveries, keys.triggers];
    case "live":
    case "removed":
      return [keys.workflows, keys.runs, keys.approvals];
    case "stuck":
      return [keys.workflows, keys.runs, keys.run(message.run)];
    case "run": {
      const { type, run } = message.event;
      if (!/^(?:run|approval)\./.test(type)) return [];
      const started = type === "run.started" ? [keys.triggers] : [];
      return [keys.workflows, keys.runs, keys.run(run), keys.approvals, ...started];
    }
  }
}

/** L1. */
function gather(queryKey: readonly string[]): void {
  const name = queryKey.join(" ");
  if (waiting.has(name)) return;
  waiting.set(
    name,
    setTimeout(() => {
      waiting.delete(name);
      void queryClient.invalidateQueries({ queryKey });
    }, gatherMs),
  );
}
