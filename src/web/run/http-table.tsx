// HttpTable: the HTTP exchanges of an attempt: method, URL without secrets, status and time, with details on demand
// (spec 2.3, 3.6).

import type { HttpCall } from "../../base/http-call.ts";
import { visible } from "../../base/visible.ts";
import { FactList } from "../ui/facts.tsx";
import { duration, size } from "../ui/words.ts";

export function HttpTable({ calls }: { calls: readonly HttpCall[] }) {
  return (
    <ul aria-label="HTTP exchanges" className="flex flex-col divide-y divide-line rounded-md border border-line">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an attempt never move.
        <li key={index}>
          <details>
            <summary className="flex min-h-7 cursor-pointer flex-wrap items-baseline gap-x-2 px-2.5 py-1 font-mono text-sm">
              <span
                className={
                  call.status === 0 || call.status >= 400 ? "font-semibold text-failed" : "font-semibold text-succeeded"
                }
              >
                {call.status === 0 ? "no answer" : call.status}
              </span>
              <span>{call.method}</span>
              <span className="min-w-0 flex-1 break-all">{visible(call.url)}</span>
              <span className="text-muted tabular-nums">{call.durationMs > 0 ? duration(call.durationMs) : ""}</span>
            </summary>
            <div className="flex flex-col gap-2 px-2.5 pb-2">
              <p className="text-sm text-muted">{factsOf(call).join(" · ")}</p>
              {call.error !== undefined && <p className="text-sm text-failed">{visible(call.error)}</p>}
              <HeaderTable headers={call.headers} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

export function HeaderTable({ headers }: { headers: Record<string, string> }) {
  return <FactList names facts={Object.entries(headers).map(([name, value]) => [visible(name), visible(value)])} />;
}

function factsOf({ sentBytes, receivedBytes, timings, retries, redirects, finalUrl, client }: HttpCall): string[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings ?? {};
  return [
    sentBytes ? `sent ${size(sentBytes)}` : "",
    receivedBytes ? `got ${size(receivedBytes)}` : "",
    dnsMs === undefined ? "" : `name after ${duration(dnsMs)}`,
    connectMs === undefined ? "" : `connected after ${duration(connectMs)}`,
    tlsMs ? `TLS after ${duration(tlsMs)}` : "",
    firstByteMs === undefined ? "" : `first byte after ${duration(firstByteMs)}`,
    retries === null ? "retries not counted" : retries ? `${retries} ${retries === 1 ? "retry" : "retries"}` : "",
    redirects ? `${redirects} redirects${finalUrl === undefined ? "" : ` to ${visible(finalUrl)}`}` : "",
    client === undefined ? "" : `by ${client}`,
  ].filter((fact) => fact !== "");
}
