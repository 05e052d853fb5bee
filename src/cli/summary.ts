// summary: the last lines of a run's output: how it ended, and the first failure with help (spec 2.2). Pure.

import { type Failure, placeOfFailure } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import { count, grouped, harmless } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import { listed } from "../workflow/nearest.ts";
import type { FailedNode, Progress } from "./progress.ts";
import { warningLines } from "./show-calls.ts";
import type { Style } from "./style.ts";
import { shellWord } from "./text.ts";

export interface SummaryFacts {
  run: string;
  status: "succeeded" | "failed" | "cancelled" | "timed-out" | "waiting";
  durationMs: number;
  failure?: FailedNode | undefined;
  /** The last nodes, if all of them were skipped. */
  skipped?: readonly string[] | undefined;
  /** Paths of the nodes that wait for an approval. */
  waiting?: readonly string[];
  /** The run's own time limit, as written in the workflow file. */
  timeout?: string | undefined;
}

const COMMAND_LINES_MAX = 12;
const STDERR_LINES_MAX = 10;
const WAITING_LINES_MAX = 10;

/** One or more lines, each ending in a newline. `progress` counts the nodes. */
export function summary(facts: SummaryFacts, progress: Progress, style: Style): string {
  const run = shortRunId(facts.run);
  const time = duration(facts.durationMs);
  const nodes = counted(progress);
  switch (facts.status) {
    case "succeeded":
      return `${style("succeeded", "succeeded")} in ${time}${nodes} · run ${run}\n${warned(progress, style)}${noResult(facts.skipped)}`;
    case "cancelled":
      return `${style("warning", "cancelled")} after ${time}${nodes} · run ${run}\n`;
    case "timed-out":
      return `${style("failed", "timed out")} after ${time}${nodes} · run ${run}\n${failed(facts, run, style)}`;
    case "failed":
      return `${style("failed", "failed")} after ${time}${nodes} · run ${run}\n${warned(progress, style)}${failed(facts, run, style)}`;
    case "waiting":
      return `${style("warning", "waiting")} after ${time}${nodes} · run ${run}\n${waiting(facts.waiting ?? [], run, style)}`;
    default:
      return facts.status satisfies never;
  }
}

/** The part that `--quiet` and `--json` still print on stderr: the failure, and waiting approvals. */
export function failureOnly(facts: SummaryFacts, style: Style): string {
  const run = shortRunId(facts.run);
  return facts.status === "waiting" ? waiting(facts.waiting ?? [], run, style) : failed(facts, run, style);
}

function warned({ warnings }: Progress, style: Style): string {
  return warningLines(warnings, style)
    .map((line) => `  ${line}\n`)
    .join("");
}

/** Why stdout is empty. */
function noResult(skipped: readonly string[] = []): string {
  return skipped.length === 0 ? "" : `  ${noResultText(skipped)}\n`;
}

export function noResultText(skipped: readonly string[]): string {
  const nodes = listed(skipped.map((id) => `"${id}"`));
  return skipped.length === 1
    ? `No result: the last node, ${nodes}, was skipped.`
    : `No result: the last nodes, ${nodes}, were all skipped.`;
}

function counted(progress: Progress): string {
  const { ended } = progress;
  const failures = ended.failed + ended["timed-out"] + ended.lost;
  const parts = [
    ended.succeeded > 0 || failures === 0 ? `${count(ended.succeeded, "node")} succeeded` : "",
    failures > 0 ? `${grouped(failures)} failed` : "",
    progress.kept > 0 ? `${grouped(progress.kept)} kept` : "",
    ended.cancelled > 0 ? `${grouped(ended.cancelled)} cancelled` : "",
    ended.skipped > 0 ? `${grouped(ended.skipped)} skipped` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` · ${parts.join(", ")}`;
}

function failed({ failure, status, timeout }: SummaryFacts, run: string, style: Style): string {
  if (failure === undefined) return status === "timed-out" ? runTimedOut(timeout, run, style) : "";
  return failureText(failure, run, style);
}

/** The failure of a node and the advice, in the same words after a run and in `runs show`. Ends in a newline. */
export function failureText(
  { path, failure: why, command, isPrompt = false }: FailedNode,
  run: string,
  style: Style,
): string {
  const lines = [
    `curlew: ${style("error", `error[${why.code}]`)}: Node ${harmless(placeOfFailure(`"${path}"`, why))} failed: ${harmless(why.message)}`,
  ];
  const add = (label: string, text: string): void => void lines.push(`  ${style("label", `${label}:`)} ${text}`);
  const label = style("label", isPrompt ? "prompt:" : "command:");
  if (command !== undefined) addBlock(lines, label, harmless(command), COMMAND_LINES_MAX, "first");
  if (why.exitCode !== undefined) add("exit code", String(why.exitCode));
  if (why.signal !== undefined) add("signal", why.signal);
  if (why.stderr !== undefined && why.stderr.trim() !== "")
    addBlock(
      lines,
      style("label", "stderr:"),
      harmless(why.stderr.replaceAll(/\r(?!\n)/g, "\n")),
      STDERR_LINES_MAX,
      "last",
    );
  if (why.printed !== undefined)
    addBlock(lines, style("label", "printed:"), harmless(why.printed.join("\n")), STDERR_LINES_MAX, "first");
  for (const line of evidenceBeside(why)) add("seen", harmless(line));
  for (const hint of hintsOf(why)) add("help", harmless(hint));
  add("more", `curlew runs show ${run} · curlew runs logs ${run} ${shellWord(path)}`);
  add("retry", `curlew runs retry ${run}`);
  return `${lines.join("\n")}\n`;
}

/** The lines that support the failure's explanation, unless they are all of stderr anyway. */
function evidenceBeside({ evidence = [], stderr = "" }: Failure): string[] {
  return evidence.length === 1 && stderr.trim() === evidence[0] ? [] : evidence;
}

function hintsOf({ hints, hint }: Failure): string[] {
  return hints ?? (hint === undefined ? [] : [hint]);
}

function runTimedOut(timeout: string | undefined, run: string, style: Style): string {
  const limit = timeout === undefined ? "its time limit" : `${timeout}, its time limit`;
  const lines = [
    `curlew: ${style("error", "error[run-timed-out]")}: The run was stopped after ${limit}.`,
    `  ${style("label", "help:")} Raise "timeout" at the top of the workflow file, or give the slow node its own timeout.`,
    `  ${style("label", "more:")} curlew runs show ${run}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** One line of text goes after its label. Longer text goes below it, each line marked. */
function addBlock(lines: string[], label: string, text: string, most: number, keep: "first" | "last"): void {
  const all = text.trimEnd().split("\n");
  if (all.length === 1) {
    lines.push(`  ${label} ${all[0]!.trim()}`);
    return;
  }
  const left = all.length - most;
  const shown = left <= 0 ? all : keep === "first" ? all.slice(0, most) : all.slice(-most);
  lines.push(`  ${label}${left > 0 && keep === "last" ? ` (the last ${most} lines)` : ""}`);
  for (const line of shown) lines.push(`    | ${line}`.trimEnd());
  if (left > 0 && keep === "first") lines.push(`    | … ${count(left, "more line")}`);
}

function waiting(paths: readonly string[], run: string, style: Style): string {
  const lines = paths
    .slice(0, WAITING_LINES_MAX)
    .map((path) => `  ${style("label", path)} waits for an approval: curlew approve ${run} ${shellWord(path)}\n`);
  const left = paths.length - lines.length;
  return `${lines.join("")}${left === 0 ? "" : `  … and ${grouped(left)} more: curlew approvals ${run}\n`}`;
}
