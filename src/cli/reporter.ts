// reporter: shows the progress of a run on stderr as a live area, as plain lines, or not at all.
//   R1. stdout is never touched. `close` removes the live area; lasting lines stay.
//   R2. The screen is redrawn at most every FRAME_MS, however many events arrive. A flood of lines becomes a count.

import { count } from "../base/text.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { frame, lastingLine, type Screen } from "./live.ts";
import { plainLine } from "./plain.ts";
import type { Change, Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";
import { columnsOf } from "./text.ts";

export interface Reporter {
  progress: Progress;
  event(event: RunEvent): void;
  output(output: { run: string; path: string; bytes: Uint8Array }): void;
  /** Prints a line of Curlew's own. */
  note(text: string): void;
  /** Stops drawing. May be called more than once. */
  close(): void;
}

const FRAME_MS = 80;
/** Maximum number of lasting lines per frame. The others are counted. */
const LASTING_LINES_MAX = 50;

export type View = "live" | "plain" | "none";

/** Live on a terminal that can move its cursor, otherwise plain. */
export function viewFor(terminal: Terminal, quiet: boolean): View {
  if (quiet) return "none";
  return terminal.errStream.isTTY === true && terminal.env.TERM !== "dumb" ? "live" : "plain";
}

export async function openReporter(
  view: View,
  progress: Progress,
  terminal: Terminal,
  now: () => number,
): Promise<Reporter> {
  if (view === "live") return liveReporter(progress, terminal, now);
  return view === "plain" ? plainReporter(progress, terminal) : silentReporter(progress, terminal);
}

function silentReporter(progress: Progress, terminal: Terminal): Reporter {
  return {
    progress,
    event: (event) => void progress.apply(event),
    output: () => {},
    note: (text) => terminal.err(`${text}\n`),
    close: () => {},
  };
}

/** Lines of one turn of the event loop are written together. */
function plainReporter(progress: Progress, terminal: Terminal): Reporter {
  let lines: string[] = [];
  let planned: NodeJS.Immediate | undefined;
  const flush = (): void => {
    if (planned) clearImmediate(planned);
    planned = undefined;
    if (lines.length > 0) terminal.err(`${lines.join("\n")}\n`);
    lines = [];
  };
  const add = (line: string | undefined): void => {
    if (line === undefined) return;
    lines.push(line);
    planned ??= setImmediate(flush);
  };
  return {
    progress,
    event: (event) => {
      for (const change of progress.apply(event)) add(plainLine(change));
    },
    output: () => {},
    note: add,
    close: flush,
  };
}

async function liveReporter(progress: Progress, terminal: Terminal, now: () => number): Promise<Reporter> {
  const { createLogUpdate } = await import("log-update");
  const stream = sized(terminal.errStream);
  const area = createLogUpdate(stream);
  const screen = (): Screen => ({ columns: stream.columns, rows: stream.rows, style: terminal.errStyle });
  let changes: Change[] = [];
  let notes: string[] = [];
  let closed = false;

  const persist = (): void => {
    const size = screen();
    const lines = notes;
    notes = [];
    const linesMax = lines.length + LASTING_LINES_MAX;
    let folded = 0;
    for (const change of changes) {
      const line = lastingLine(change, progress, size);
      if (line === undefined) continue;
      const failed = change.kind === "node-ended" && change.status !== "succeeded" && change.status !== "skipped";
      if (lines.length >= linesMax && !failed) folded += 1;
      else lines.push(line);
    }
    changes = [];
    if (folded > 0) lines.push(size.style("faint", `  … and ${count(folded, "more node")}`));
    if (lines.length > 0) area.persist(lines.join("\n"));
  };
  const draw = (): void => {
    persist();
    area(frame(progress, now(), screen()).join("\n"));
  };
  const timer = setInterval(draw, FRAME_MS);

  return {
    progress,
    event: (event) => {
      for (const change of progress.apply(event)) changes.push(change);
      // Limits the changes held between two frames.
      if (changes.length > 1_000) draw();
    },
    output: ({ run, path, bytes }) => progress.output(run, path, bytes),
    note: (text) => void notes.push(text),
    close: () => {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      persist();
      area.clear();
      area.done();
    },
  };
}

/** The same stream with a usable size. Terminals of unknown size (`script`, many CI systems) report 0 by 0. */
function sized(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return Object.create(stream, {
    columns: { get: () => columnsOf(stream, 80) },
    rows: { get: () => stream.rows || 24 },
    write: { value: (text: string) => stream.write(text) },
  });
}
