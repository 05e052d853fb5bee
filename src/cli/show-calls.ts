// show-calls: the HTTP calls of a run for `runs show`, and notes on attempts that succeeded (spec 2.2, 3.6). Pure.

import type { HttpCall } from "../base/http-call.ts";
import { bytes, count, grouped, harmless, oneLine } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import type { NodeView } from "../scheduler/view.ts";
import type { Style } from "./style.ts";
import { padEnd, width } from "./text.ts";

const CALLS_SHOWN = 40;
const WARNINGS_SHOWN = 20;

/** The calls of every attempt in order, limited to the first ones. May be empty. */
export function callLines(nodes: readonly NodeView[], style: Style): string[] {
  const calls = nodes.flatMap(({ path, attempts }) =>
    attempts.flatMap(({ http, number }) =>
      http.map((call) => ({ at: attempts.length > 1 ? `${path} (${number})` : path, call })),
    ),
  );
  if (calls.length === 0) return [];
  const shown = calls.slice(0, CALLS_SHOWN);
  const wide = Math.max(...shown.map(({ at }) => width(at)));
  const lines = shown.map(({ at, call }) => `  ${padEnd(at, wide)}  ${callText(call, style)}`);
  const left = calls.length - shown.length;
  return [
    style("label", "http"),
    ...lines,
    ...(left === 0 ? [] : [`  … ${count(left, "more call")}; --json shows all`]),
  ];
}

function callText(call: HttpCall, style: Style): string {
  const { method, url, status, durationMs, receivedBytes = 0, sentBytes = 0, retries = 0, redirects = 0 } = call;
  const facts = [
    durationMs > 0 ? time(durationMs) : "",
    sentBytes > 0 ? `sent ${bytes(sentBytes)}` : "",
    receivedBytes > 0 ? `got ${bytes(receivedBytes)}` : "",
    retries === null
      ? "retries not counted"
      : retries > 0
        ? `${grouped(retries)} ${retries === 1 ? "retry" : "retries"}`
        : "",
    redirects > 0 ? count(redirects, "redirect") : "",
    status === 0 || call.exitCode !== undefined ? oneLine(call.error ?? "") : "",
  ].filter((fact) => fact !== "");
  const answer = status === 0 ? "no answer" : String(status);
  const look = status === 0 || status >= 400 ? "failed" : "succeeded";
  return `${style(look, answer)}  ${method} ${oneLine(url)}${facts.length === 0 ? "" : ` · ${facts.join(" · ")}`}`;
}

function time(ms: number): string {
  return ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : duration(ms);
}

export interface NodeWarning {
  path: string;
  message: string;
}

export function warningsOf(nodes: readonly NodeView[]): NodeWarning[] {
  return nodes.flatMap(({ path, attempts, warnings }) =>
    (warnings ?? attempts.at(-1)?.warnings ?? []).map(({ message }) => ({ path, message })),
  );
}

export function warningLines(warnings: readonly NodeWarning[], style: Style): string[] {
  const lines = warnings
    .slice(0, WARNINGS_SHOWN)
    .map(({ path, message }) => `${style("warning", "warning")} at ${path}: ${harmless(message)}`);
  const left = warnings.length - WARNINGS_SHOWN;
  return left > 0 ? [...lines, `… ${count(left, "more warning")}`] : lines;
}
