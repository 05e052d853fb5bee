// show: one run as text for `runs show`. The object comes from engine/read-run.ts.

import { shortRunId } from "../base/ids.ts";
import { bytes, count, harmless, oneLine } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import type { AttemptView, NodeView, RunView } from "../scheduler/view.ts";
import { budgetText } from "./plain.ts";
import { callLines, warningLines, warningsOf } from "./show-calls.ts";
import { STATUS_LOOKS, type Style } from "./style.ts";
import { failureText, noResultText } from "./summary.ts";
import { padEnd, shellWord, width } from "./text.ts";

const PASSES_SHOWN = 20;
const RESULT_LINES_MAX = 20;

export interface Around {
  /** A live process owns the run. */
  alive: boolean;
  /** Lines from show-approvals.ts. */
  approvals: readonly string[];
  /** Paths that wait for an approval, in the run and its subflows. */
  waiting: readonly string[];
}

export function showText(run: RunView, style: Style, { alive, approvals, waiting }: Around): string {
  const status = run.endedAt === undefined && run.status === "running" && !alive ? "interrupted" : run.status;
  const lines = [
    `${style("strong", oneLine(run.workflow))}  ${style(STATUS_LOOKS[status] ?? "strong", status)}${run.durationMs === undefined ? "" : ` in ${duration(run.durationMs)}`}`,
    fact("run", run.id, style),
    fact("file", oneLine(run.file), style),
    fact(
      "started",
      `${run.startedAt} by ${run.trigger.kind}${run.trigger.by === undefined ? "" : ` (${oneLine(run.trigger.by)})`}`,
      style,
    ),
  ];
  if (run.again !== undefined) {
    const { run: other, from, anew = [], current } = run.again;
    const how = [
      from === undefined ? "" : `from ${from}`,
      anew.length === 0 ? "" : `${anew.join(", ")} again`,
      current === true ? "with the file as it was then" : "",
    ].filter((part) => part !== "");
    lines.push(fact("reuses", `${other}${how.length === 0 ? "" : ` (${how.join("; ")})`}`, style));
  }
  if (run.endedAt !== undefined) lines.push(fact("ended", run.endedAt, style));
  for (const [name, value] of Object.entries(run.inputs))
    lines.push(fact("input", oneLine(`${name} = ${JSON.stringify(value)}`), style));
  lines.push("", ...nodeLines(run.nodes, style));
  const calls = callLines(run.nodes, style);
  if (calls.length > 0) lines.push("", ...calls);
  const warnings = warningLines(warningsOf(run.nodes), style);
  if (warnings.length > 0) lines.push("", ...warnings);
  if (approvals.length > 0) lines.push("", ...approvals);
  if (run.failure !== undefined) lines.push("", failed(run, style).trimEnd());
  if (run.result !== undefined && run.result !== "") lines.push("", style("label", "result"), ...someLines(run.result));
  if (run.resultSkipped !== undefined) lines.push("", noResultText(run.resultSkipped));
  if (status === "queued") {
    const needed = run.runsOn === undefined ? "a free slot" : run.runsOn.map(oneLine).join(", ");
    lines.push("", `It waits for a machine with ${needed}. "curlew machines" lists them.`);
  }
  for (const { path, runsOn } of run.nodes)
    if (runsOn !== undefined)
      lines.push(
        "",
        `${path} waits for a machine with ${runsOn.map(oneLine).join(", ")}. "curlew machines" lists them.`,
      );
  if (status === "interrupted")
    lines.push("", `The process of this run has ended. Resume it: curlew runs resume ${shortRunId(run.id)}`);
  for (const path of waiting)
    lines.push("", `${path} waits for an approval: curlew approve ${shortRunId(run.id)} ${shellWord(path)}`);
  return `${lines.join("\n")}\n`;
}

function fact(label: string, text: string, style: Style): string {
  return `  ${style("faint", label.padEnd(8))} ${text}`;
}

/** One line per node or iteration. Iterations of one node above a limit are only counted. */
function nodeLines(nodes: NodeView[], style: Style): string[] {
  const shown: (NodeView | string)[] = [];
  const passes = new Map<string, number>();
  for (const node of nodes) {
    const seen = (passes.get(node.id) ?? 0) + 1;
    passes.set(node.id, seen);
    if (seen <= PASSES_SHOWN || node.status === "failed") shown.push(node);
    else if (seen === PASSES_SHOWN + 1) shown.push(node.id);
  }
  const wide = Math.max(4, ...shown.map((node) => (typeof node === "string" ? 0 : width(node.path))));
  return shown.flatMap((node) => {
    if (typeof node === "string")
      return [
        `  ${style("faint", `… ${count((passes.get(node) ?? 0) - PASSES_SHOWN, "more iteration", "more iterations")} of ${node}; --json shows all`)}`,
      ];
    const status = node.waitingFor === undefined ? node.status : waitText(node);
    const last = node.attempts.at(-1);
    return [
      `  ${padEnd(node.path, wide)}  ${style(STATUS_LOOKS[node.status] ?? "strong", status.padEnd(9))}  ${padEnd(last?.durationMs === undefined ? "" : duration(last.durationMs), 7)}  ${oneLine(node.title)}${cacheFact(node)}${attemptFacts(node.attempts, last, node.kept !== undefined)}`.trimEnd(),
    ];
  });
}

function waitText({ waitingFor, waitingKey, waitingUntil }: NodeView): string {
  const budget = waitingFor === "rate" || waitingFor === "concurrency" ? waitingFor : undefined;
  const what = budget === undefined ? waitingFor : budgetText({ for: budget, key: waitingKey ?? "" });
  return `waits for ${what}${waitingUntil === undefined ? "" : ` until ${waitingUntil}`}`;
}

function cacheFact({ cached }: NodeView): string {
  if (cached === undefined) return "";
  return ` · from the cache (run ${shortRunId(cached.from.run)}, ${cached.storedAt})`;
}

function attemptFacts(attempts: AttemptView[], last: AttemptView | undefined, kept: boolean): string {
  if (last === undefined) return kept ? " · kept" : "";
  const facts = [
    last.kept === true ? "kept" : "",
    attempts.length > 1 ? `${attempts.length} attempts` : "",
    last.cause !== undefined && last.cause !== "exited(0)" && last.cause !== last.status ? last.cause : "",
    last.stdout !== undefined && last.stdout.bytes > 0
      ? `stdout ${bytes(last.stdout.bytes)}${last.stdout.secret === true ? " (secret)" : ""}`
      : "",
    last.stderr !== undefined && last.stderr.bytes > 0 ? `stderr ${bytes(last.stderr.bytes)}` : "",
    usageFact(last.usage),
    last.childRun === undefined ? "" : `run ${shortRunId(last.childRun)}`,
  ].filter((fact) => fact !== "");
  return facts.length === 0 ? "" : ` · ${facts.join(" · ")}`;
}

function usageFact(usage: AttemptView["usage"]): string {
  if (usage === undefined) return "";
  const { tokensIn, tokensOut, usd, estimated } = usage;
  const cost = usd === undefined ? "" : `, $${usd.toPrecision(2)}`;
  return `${estimated === true ? "about " : ""}${tokensIn} + ${tokensOut} tokens${cost}`;
}

function failed({ id, failure: why, nodes }: RunView, style: Style): string {
  const { path, failure } = why!;
  const node = nodes.find((each) => each.path === path);
  const command = node?.attempts.at(-1)?.command;
  return failureText({ path, failure, command, isPrompt: node?.type === "llm" }, shortRunId(id), style);
}

function someLines(text: string): string[] {
  const all = harmless(text.trimEnd()).split("\n");
  const shown = all.slice(0, RESULT_LINES_MAX).map((line) => `  | ${line}`);
  return all.length > RESULT_LINES_MAX
    ? [...shown, `  | … ${count(all.length - RESULT_LINES_MAX, "more line")}`]
    : shown;
}
