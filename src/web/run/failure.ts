// failure: the content of a failed node's card: what happened, the evidence and how to fix it. Also the same as a
// report to share (spec ui 6.4). All of it was masked when it was recorded. Pure.

import { answerIn } from "../../base/failure.ts";
import type { HttpCall } from "../../base/http-call.ts";
import { visible } from "../../base/visible.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { AttemptView, NodeView } from "../../scheduler/view.ts";
import type { Graph } from "../../workflow/graph.ts";
import { duration } from "../ui/words.ts";
import { causeFact } from "./facts.ts";

type Started = Extract<RunEvent, { type: "run.started" }>;

const LINES_MAX = 20;

export interface FailureCard {
  cause: string;
  /** The server's message, from a JSON object that was printed. */
  answer?: string;
  code: string;
  evidence: string[];
  stderr: string[];
  printed: string[];
  hints: string[];
  /** The call that was rejected, or the last one. */
  call?: HttpCall;
  /** `HTTP 422 · exit 22 · 1.2 s · attempt 3 of 3`. */
  facts: string;
}

/** Undefined if the node did not fail. */
export function failureOf(node: NodeView, graph?: Graph): FailureCard | undefined {
  const last = node.attempts.at(-1);
  const { failure } = node;
  if (node.status !== "failed" || failure === undefined) return undefined;
  const answer = answerIn(failure);
  const hints = failure.hints ?? (failure.hint === undefined ? [] : [failure.hint]);
  const stderr = linesOf(failure.stderr);
  const evidence = (failure.evidence ?? []).filter((line) => !stderr.includes(visible(line))).map(visible);
  const call = last?.http.findLast(({ status }) => status === 0 || status >= 400) ?? last?.http.at(-1);
  return {
    cause: failure.message,
    answer,
    code: failure.reason ?? failure.code,
    evidence,
    stderr,
    printed: (failure.printed ?? []).slice(answer === undefined ? 0 : 1).map(visible),
    hints: [...waitHints(call), ...hints],
    call,
    facts: last === undefined ? "it did not start" : factsOf(last, call, attemptsOf(node, graph)),
  };
}

/** The number of attempts that the node may make, or has made. */
function attemptsOf({ id, attempts }: NodeView, graph: Graph | undefined): number {
  const node = graph?.nodes[graph.indexOf.get(id) ?? -1]?.node;
  const { retry } = (node?.data ?? {}) as { retry?: { maxAttempts?: number } };
  return Math.max(attempts.length, retry?.maxAttempts ?? 1);
}

/** When to try again according to the response: seconds or a date (RFC 9110). */
function waitHints(call: HttpCall | undefined): string[] {
  const after = call === undefined || call.status < 400 ? undefined : call.headers["retry-after"];
  if (after === undefined || after.trim() === "") return [];
  const asked = /^\d{1,9}$/.test(after) ? `to wait ${duration(Number(after) * 1_000)}` : `not to come before ${after}`;
  return [`The server asks ${asked} (Retry-After).`];
}

function linesOf(text: string | undefined): string[] {
  const lines = (text ?? "").replace(/\n$/, "").split("\n").map(visible);
  return lines.length === 1 && lines[0] === "" ? [] : lines.slice(-LINES_MAX);
}

function factsOf(attempt: AttemptView, call: HttpCall | undefined, attempts: number): string {
  return [
    call === undefined || call.status === 0 ? "" : `HTTP ${call.status}`,
    causeFact(attempt),
    attempt.durationMs === undefined ? "" : duration(attempt.durationMs),
    `attempt ${attempt.number} of ${attempts}`,
  ]
    .filter((fact) => fact !== "")
    .join(" · ");
}

/** As Markdown, for an issue or a colleague. */
export function reportOf(
  node: NodeView,
  card: FailureCard,
  { run, workflow, at: startedAt }: Pick<Started, "run" | "workflow" | "at">,
): string {
  const last = node.attempts.at(-1);
  const part = (title: string, text: string) => (text === "" ? [] : [`**${title}**`, "", text, ""]);
  const block = (title: string, lines: readonly string[]) =>
    part(title, lines.length === 0 ? "" : fenced(lines.join("\n")));
  return [
    `### ${workflow.name}: ${node.title} failed`,
    "",
    card.answer === undefined ? card.cause : `${card.cause} It said: “${card.answer}”`,
    "",
    `- run \`${run}\`, node \`${node.path}\`, started ${startedAt}`,
    `- ${card.facts}; code \`${card.code}\``,
    `- shell ${last?.shell ?? "?"}, folder \`${last?.cwd ?? "?"}\`, environment names: ${last?.env?.join(", ") || "none"}`,
    "",
    ...block("Command", last?.command === undefined ? [] : [visible(last.command)]),
    ...block("Standard error, its end", card.stderr),
    ...block("Evidence", card.evidence),
    ...block("HTTP", (last?.http ?? []).map(callLine)),
    ...part("How to fix it", card.hints.map((hint) => `- ${hint}`).join("\n")),
  ].join("\n");
}

/** Headers that explain the failure or say when to try again. The exchange shows the others. */
export function relevantHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => TELLING.test(name)));
}

const TELLING =
  /^(?:www-authenticate|proxy-authenticate|retry-after|content-type|location|allow|x-request-id|x-error.*|.*rate-?limit.*)$/;

export function callLine({ method, url, status, durationMs, error }: HttpCall): string {
  const answer = status === 0 ? "no answer" : String(status);
  return `${answer} ${method} ${url}${durationMs > 0 ? ` (${duration(durationMs)})` : ""}${error === undefined ? "" : `: ${error}`}`;
}

/** A Markdown fence that does not occur in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
