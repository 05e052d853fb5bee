// report: every call and what came of it, for the node that makes it (nodes/http-seen.ts tells the form; spec 3.6).
//   T1. A call that cannot be reported is made all the same.

import { appendFileSync } from "node:fs";
import type { HttpCall } from "../../base/http-call.ts";
import { limits } from "../../base/limits.ts";
import type { SeenExchange } from "./call.ts";

/** Appends one record a call to the file of this process. Outside of nodes nobody asks for it. */
export function reporter(env: Readonly<Record<string, string | undefined>>): (exchange: SeenExchange) => void {
  const prefix = env.CURLEW_HTTP;
  if (!prefix) return () => {};
  return (exchange) => {
    try {
      appendFileSync(`${prefix}.${process.pid}`, `\u001eH\u001f${JSON.stringify(recordOf(exchange))}\u001e`, {
        mode: 0o600,
      });
    } catch {
      // T1.
    }
  };
}

function recordOf(seen: SeenExchange): HttpCall {
  const { method, url, startedMs, answeredMs, endedMs, requestBytes, response, problem, redirects, finalUrl } = seen;
  const status = response?.status ?? 0;
  const exitCode = problem?.exit ?? 0;
  return {
    method,
    url: url.href,
    status,
    durationMs: endedMs - startedMs,
    headers: Object.fromEntries(joined(response?.headers ?? [])),
    ...(requestBytes === undefined ? {} : { sentBytes: requestBytes }),
    ...(response === undefined ? {} : { receivedBytes: response.received }),
    ...(answeredMs === undefined ? {} : { timings: { firstByteMs: answeredMs - startedMs } }),
    ...(redirects > 0 ? { redirects, finalUrl: finalUrl.href } : {}),
    ...(exitCode === 0 ? {} : { exitCode }),
    ...(problem === undefined ? {} : { error: problem.message }),
    client: "curlew http",
  };
}

function joined(headers: readonly (readonly [string, string])[]): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = all.get(name);
    all.set(name, (before === undefined ? value : `${before}, ${value}`).slice(0, limits.httpHeaderCharsMax));
  }
  return all;
}
