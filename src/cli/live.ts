// live: progress on a terminal: finished nodes above, then one line per running node with its elapsed time and newest
// output line (spec 2.2).
//   V1. Pure: a frame is computed from the progress, the time and the size of the terminal. Nothing is drawn here.
//   V2. No frame is wider or higher than the terminal. The rest is cut or counted.
//   V3. Nodes that finish inside a loop are counted in the loop's line. Failures always get their own line.

import { shortRunId } from "../base/ids.ts";
import { count, grouped, harmless, oneLine } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import { budgetText } from "./plain.ts";
import type { Change, EndStatus, Loop, Progress, Running } from "./progress.ts";
import type { Look, Style } from "./style.ts";
import { cut, expired, padEnd, padStart, width } from "./text.ts";

export interface Screen {
  columns: number;
  rows: number;
  style: Style;
}

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const SPIN_MS = 80;
const TIME_COLUMNS = 7;
const PATH_COLUMNS_MAX = 28;
/** Rows kept free for what was on the terminal before. */
const ROWS_SPARED = 2;

const SIGNS: Record<EndStatus, { sign: string; look: Look }> = {
  succeeded: { sign: "✓", look: "succeeded" },
  failed: { sign: "✗", look: "failed" },
  "timed-out": { sign: "✗", look: "failed" },
  lost: { sign: "✗", look: "failed" },
  cancelled: { sign: "◌", look: "warning" },
  skipped: { sign: "–", look: "faint" },
};

interface Row {
  sign: string;
  look: Look;
  path: string;
  durationMs?: number;
  text: string;
}

/** A line that stays on the screen, or undefined. */
export function lastingLine(change: Change, progress: Progress, screen: Screen): string | undefined {
  if (change.kind === "run-reused") {
    const from = change.from === undefined ? "" : `, again from ${change.from}`;
    return screen.style("faint", cut(`Reuses the results of run ${shortRunId(change.run)}${from}.`, screen.columns));
  }
  const shown = lastingRow(change, progress);
  return shown === undefined ? undefined : row(shown, progress, screen);
}

function lastingRow(change: Change, progress: Progress): Row | undefined {
  switch (change.kind) {
    case "node-ended":
      return endedRow(change, progress);
    case "loop-ended": {
      const { path, durationMs, passes, lines } = change;
      const text = lines ? count(passes, "line", "lines") : count(passes, "iteration", "iterations");
      return isInLoop(path) ? undefined : { sign: "✓", look: "succeeded", path, durationMs, text };
    }
    case "node-kept":
      if (isInLoop(change.path) || change.type === "loop-end") return undefined;
      return { sign: change.status === "failed" ? "✗" : "=", look: "faint", path: change.path, text: "kept" };
    case "retry-waited": {
      const text = `attempt ${change.number} failed: ${oneLine(change.note)}`;
      return isInLoop(change.path) ? undefined : { sign: "↻", look: "warning", path: change.path, text };
    }
    case "approval-expired":
      return { sign: "?", look: "strong", path: change.path, text: expired(change.as) };
    case "approval-answered": {
      const text = `${change.granted ? "approved" : "rejected"} by ${oneLine(change.by)}`;
      return { sign: "?", look: "strong", path: change.path, text };
    }
    default:
      return undefined;
  }
}

/** V3. */
function endedRow(change: Extract<Change, { kind: "node-ended" }>, progress: Progress): Row | undefined {
  const { path, status, type, durationMs } = change;
  const isFailed = status === "failed" || status === "timed-out" || status === "lost";
  if (!isFailed && (isInLoop(path) || type === "loop-end")) return undefined;
  const note = change.note === undefined ? "" : `${status === "succeeded" ? "→ " : ""}${oneLine(change.note)}`;
  const word = status === "succeeded" || status === "failed" ? "" : status;
  const text = [word, note].filter((part) => part !== "").join(": ");
  return { ...SIGNS[status], path, durationMs, text: text || oneLine(progress.title(path)) };
}

function isInLoop(path: string): boolean {
  return path.includes("[");
}

/** The lines that are redrawn each time. */
export function frame(progress: Progress, nowMs: number, screen: Screen): string[] {
  const lines = rowsOf(progress, nowMs).map((each) => row(each, progress, screen));
  const room = Math.max(1, screen.rows - ROWS_SPARED - 1);
  const shown = lines.length > room ? lines.slice(0, room - 1) : lines;
  if (shown.length < lines.length)
    shown.push(
      screen.style("faint", cut(`  … and ${count(lines.length - shown.length, "more line")}`, screen.columns)),
    );
  return [...shown, totals(progress, nowMs, screen)];
}

/**
 * The newest non-blank line of the output: the text after the last newline or carriage return that printable text
 * follows.
 */
export function newestLine(tail: Uint8Array): string {
  const pieces = new TextDecoder().decode(tail).split(/[\r\n]+/);
  for (let n = pieces.length - 1; n >= 0; n--) {
    const line = harmless(pieces[n]!).replaceAll("\t", " ").trim();
    if (line !== "") return line;
  }
  return "";
}

function rowsOf(progress: Progress, nowMs: number): Row[] {
  const { loops, retries, budgets, approvals, running } = progress;
  return [
    ...[...loops.values()].map((loop) => loopRow(loop, nowMs)),
    ...[...retries.values()].map(({ path, number, atMs }): Row => {
      return { sign: "↻", look: "warning", path, text: `attempt ${number} in ${duration(atMs - nowMs)}` };
    }),
    ...[...budgets.values()].map(({ path, untilMs, ...budget }): Row => {
      const waitMs = untilMs === undefined ? undefined : untilMs - nowMs;
      return { sign: "◷", look: "warning", path, text: `waits for ${budgetText({ ...budget, waitMs })}` };
    }),
    ...[...approvals].map((path): Row => ({ sign: "?", look: "strong", path, text: "waits for an approval" })),
    ...[...running.values()].map((each) => runningRow(each, nowMs, progress)),
  ];
}

function runningRow({ path, tail, number, startedAtMs }: Running, nowMs: number, progress: Progress): Row {
  const sign = SPINNER[Math.floor(nowMs / SPIN_MS) % SPINNER.length]!;
  const newest = newestLine(tail);
  const attempt = number > 1 ? `attempt ${number}` : "";
  const text = newest !== "" ? `│ ${newest}` : attempt || oneLine(progress.title(path));
  return { sign, look: "running", path, durationMs: nowMs - startedAtMs, text };
}

function loopRow({ path, passes, received, ended, startedAtMs }: Loop, nowMs: number): Row {
  const done = received === undefined ? count(ended, "iteration", "iterations") : count(ended, "line", "lines");
  const text = `${passes === undefined ? done : `${grouped(ended)} of ${count(passes, "iteration", "iterations")}`} done`;
  return { sign: "⟳", look: "running", path, durationMs: nowMs - startedAtMs, text };
}

function totals(progress: Progress, nowMs: number, screen: Screen): string {
  const { ended } = progress;
  const failed = ended.failed + ended["timed-out"] + ended.lost;
  const parts = [
    progress.cancelling ? "cancelling" : "",
    `${grouped(ended.succeeded)} done`,
    failed > 0 ? `${failed} failed` : "",
    ended.skipped > 0 ? `${grouped(ended.skipped)} skipped` : "",
    `${grouped(progress.running.size)} running`,
    duration(nowMs - progress.startedAtMs),
  ];
  return screen.style("faint", cut(parts.filter((part) => part !== "").join(" · "), screen.columns));
}

/** `sign path  time  text`, exactly as wide as the terminal allows. */
function row({ sign: mark, look, path, durationMs, text }: Row, progress: Progress, screen: Screen): string {
  const { columns, style } = screen;
  const sign = style(look, mark);
  const pathColumns = Math.max(4, Math.min(pathWidth(progress), Math.floor(columns / 3)));
  const name = padEnd(cut(path, pathColumns), pathColumns);
  const time = padStart(durationMs === undefined ? "" : duration(durationMs), TIME_COLUMNS);
  const left = columns - 2 - pathColumns - 1 - TIME_COLUMNS - 2;
  const head = `${sign} ${style("strong", name)} ${time}`;
  if (left < 4) return columns < 2 + pathColumns + 1 + TIME_COLUMNS ? `${sign} ${cut(path, columns - 2)}` : head;
  return text === "" ? head.trimEnd() : `${head}  ${style("faint", cut(text, left))}`;
}

const widths = new WeakMap<Progress, number>();

/** The widest node id plus space for an iteration's index, so that columns do not move. */
function pathWidth(progress: Progress): number {
  const known = widths.get(progress);
  if (known !== undefined) return known;
  let widest = 8;
  for (const id of progress.nodeIds) widest = Math.max(widest, width(id) + 3);
  const columns = Math.min(widest, PATH_COLUMNS_MAX);
  widths.set(progress, columns);
  return columns;
}
