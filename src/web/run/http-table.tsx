// HttpTable: the HTTP calls of an attempt as a list to choose from: status, method, URL without secrets, and time. The
// Request tab shows the chosen call (spec 2.3, 3.6).

import type { HttpCall } from "../../base/http-call.ts";
import { visible } from "../../base/visible.ts";
import { classes } from "../ui/classes.ts";
import { FactList } from "../ui/facts.tsx";
import { duration } from "../ui/words.ts";

export interface HttpTableProps {
  calls: readonly HttpCall[];
  shown?: number;
  onCall: (index: number) => void;
}

export function HttpTable({ calls, shown, onCall }: HttpTableProps) {
  return (
    <ul aria-label="HTTP calls" className="flex flex-col divide-y divide-line rounded-md border border-line">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an attempt never move.
        <li key={index}>
          <button
            type="button"
            aria-current={index === shown || undefined}
            onClick={() => onCall(index)}
            className={classes(
              "flex min-h-7 w-full flex-wrap items-baseline gap-x-2 px-2.5 py-1 text-left font-mono text-sm hover:bg-hover",
              index === shown && "bg-selected",
            )}
          >
            <Status call={call} />
            <span>{call.method}</span>
            <span className="min-w-0 flex-1 break-words">{visible(call.url)}</span>
            <span className="text-muted tabular-nums">{call.durationMs > 0 ? duration(call.durationMs) : ""}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Status({ call: { status } }: { call: HttpCall }) {
  const isBad = status === 0 || status >= 400;
  return (
    <span className={classes("font-semibold", isBad ? "text-failed" : "text-succeeded")}>
      {status === 0 ? "no answer" : status}
    </span>
  );
}

export function HeaderTable({ headers }: { headers: readonly (readonly [name: string, value: string])[] }) {
  return <FactList names facts={headers.map(([name, value]) => [visible(name), visible(value)])} />;
}
