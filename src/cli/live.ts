// live: progress on a terminal: finished nodes above, then one line per running node with its elapsed time and newest
// output line (spec 2.2).
//   V1. Pure: a frame is computed from the progress, the time and the size of the terminal. Nothing is drawn here.
//   V2. No frame is wider or higher than the terminal. The rest is cut or counted.
//   V3. Nodes that finish inside a loop are counted in the loop's line. Failures always get their own line.

import { shortRunId } from "../base/ids.ts";
import { count, grouped, harmless, oneLine } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import { budgetText } from "./plain.ts";
import type { Change, EndStatus, Progress, Running } from "./progress.ts";
import type { Loop } from "./progress-loops.ts";
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

/** A line that stays on the screen, or undefined. */
export function lastingLine(change: Change, progress: Progress, screen: Screen): string | undefined {
  const { style } = screen;
  switch (change.kind) {
    case "node-ended": {
      const failed = change.status === "failed" || change.status === "timed-out" || change.status === "lost";
      if (!failed && (change.path.includes("[") || change.type === "loop-end")) return undefined;
      const { sign, look } = SIGNS[change.status];
      const note =
        change.note === undefined
          ? ""
          : change.status === "succeeded"
            ? `→ ${oneLine(change.note)}`
            : oneLine(change.note);
      const said = [change.status === "succeeded" || change.status === "failed" ? "" : change.status, note]
        .filter((part) => part !== "")
        .join(": ");
      return row(
        style(look, sign),
        change.path,
        change.durationMs,
        said || oneLine(progress.title(change.path)),
        progress,
        screen,
      );
    }
    case "loop-ended":
      if (change.path.includes("[")) return undefined;
      return row(
        style("succeeded", "✓"),
        change.path,
        change.durationMs,
        change.lines ? count(change.passes, "line", "lines") : count(change.passes, "pass", "passes"),
        progress,
        screen,
      );
    case "run-goes-by":
      return style(
        "faint",
        cut(
          `Goes by run ${shortRunId(change.run)}${change.from === undefined ? "" : `, again from ${change.from}`}.`,
          screen.columns,
        ),
      );
    case "node-kept":
      if (change.path.includes("[") || change.type === "loop-end") return undefined;
      return row(
        style("faint", change.status === "failed" ? "✗" : "="),
        change.path,
        undefined,
        "kept",
        progress,
        screen,
      );
    case "retry-waited":
      if (change.path.includes("[")) return undefined;
      return row(
        style("warning", "↻"),
        change.path,
        undefined,
        `attempt ${change.number} failed: ${oneLine(change.note)}`,
        progress,
        screen,
      );
    case "approval-expired":
      return row(style("strong", "?"), change.path, undefined, expired(change.as), progress, screen);
    case "approval-answered":
      return row(
        style("strong", "?"),
        change.path,
        undefined,
        `${change.granted ? "approved" : "rejected"} by ${oneLine(change.by)}`,
        progress,
        screen,
      );
    default:
      return undefined;
  }
}

/** The lines that are redrawn each time. */
export function frame(progress: Progress, nowMs: number, screen: Screen): string[] {
  const lines = [
    ...[...progress.loops.values()].map((loop) => loopLine(loop, nowMs, progress, screen)),
    ...[...progress.retries.values()].map((retry) =>
      row(
        screen.style("warning", "↻"),
        retry.path,
        undefined,
        `attempt ${retry.number} in ${duration(retry.atMs - nowMs)}`,
        progress,
        screen,
      ),
    ),
    ...[...progress.budgets.values()].map(({ path, untilMs, ...budget }) =>
      row(
        screen.style("warning", "◷"),
        path,
        undefined,
        `waits for ${budgetText({ ...budget, ...(untilMs === undefined ? {} : { waitMs: untilMs - nowMs }) })}`,
        progress,
        screen,
      ),
    ),
    ...[...progress.approvals].map((path) =>
      row(screen.style("strong", "?"), path, undefined, "waits for an approval", progress, screen),
    ),
    ...[...progress.running.values()].map((running) => runningLine(running, nowMs, progress, screen)),
  ];
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

function runningLine(running: Running, nowMs: number, progress: Progress, screen: Screen): string {
  const spin = SPINNER[Math.floor(nowMs / SPIN_MS) % SPINNER.length]!;
  const newest = newestLine(running.tail);
  const again = running.number > 1 ? `attempt ${running.number}` : "";
  const said = newest !== "" ? `│ ${newest}` : again || oneLine(progress.title(running.path));
  return row(screen.style("running", spin), running.path, nowMs - running.startedAtMs, said, progress, screen);
}

function loopLine(loop: Loop, nowMs: number, progress: Progress, screen: Screen): string {
  const done =
    loop.passes === undefined
      ? `${loop.received === undefined ? count(loop.ended, "pass", "passes") : count(loop.ended, "line", "lines")} done`
      : `${grouped(loop.ended)} of ${count(loop.passes, "pass", "passes")} done`;
  return row(screen.style("running", "⟳"), loop.path, nowMs - loop.startedAtMs, done, progress, screen);
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
function row(
  sign: string,
  path: string,
  durationMs: number | undefined,
  said: string,
  progress: Progress,
  screen: Screen,
): string {
  const pathColumns = Math.max(4, Math.min(pathWidth(progress), Math.floor(screen.columns / 3)));
  const name = padEnd(cut(path, pathColumns), pathColumns);
  const time = padStart(durationMs === undefined ? "" : duration(durationMs), TIME_COLUMNS);
  const left = screen.columns - 2 - pathColumns - 1 - TIME_COLUMNS - 2;
  const head = `${sign} ${screen.style("strong", name)} ${time}`;
  if (left < 4)
    return screen.columns < 2 + pathColumns + 1 + TIME_COLUMNS ? `${sign} ${cut(path, screen.columns - 2)}` : head;
  return said === "" ? head.trimEnd() : `${head}  ${screen.style("faint", cut(said, left))}`;
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
