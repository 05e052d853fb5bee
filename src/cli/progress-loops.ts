// progress-loops: the state of a run's loops, and the line counts of its listeners, for display (spec 2.2).

import type { RunEvent } from "../scheduler/event.ts";
import type { Change } from "./progress.ts";

export interface Loop {
  path: string;
  startedAtMs: number;
  passes: number | undefined;
  begun: number;
  ended: number;
  /** Lines received by a listener. */
  received?: number;
}

type Loops = Map<string, Loop>;

export function loopWentOn(
  loops: Loops,
  event: Extract<RunEvent, { type: "pass.started" | "pass.succeeded" | "pass.failed" | "loop.exhausted" }>,
  path: string,
  atMs: number,
): Change[] {
  const loop = loops.get(event.type === "loop.exhausted" ? path : path.replace(/\[\d+\]$/, ""));
  if (loop === undefined) return [];
  if (event.type === "pass.started") loop.begun += 1;
  if (event.type === "loop.exhausted") loop.passes = event.passes;
  if (event.type === "pass.succeeded" || event.type === "pass.failed") loop.ended += 1;
  if (event.type === "pass.succeeded" && event.last) loop.passes = loop.begun;
  return mayEnd(loops, loop, atMs);
}

/** A listener's lines are shown as a loop, starting with the first line. */
export function lineWentOn(
  loops: Loops,
  event: Extract<RunEvent, { type: "line.received" | "lines.ended" }>,
  path: string,
  atMs: number,
): Change[] {
  const known = loops.get(path);
  if (event.type === "lines.ended") {
    if (known === undefined) return [];
    known.passes = known.received;
    return mayEnd(loops, known, atMs);
  }
  const loop = known ?? { path, startedAtMs: atMs, passes: undefined, begun: 0, ended: 0, received: 0 };
  loop.received = (loop.received ?? 0) + 1;
  loop.passes = undefined;
  loops.set(path, loop);
  return known === undefined ? [{ kind: "loop-started", path, lines: true }] : [];
}

function mayEnd(loops: Loops, loop: Loop, atMs: number): Change[] {
  if (loop.passes === undefined || loop.ended < loop.passes) return [];
  loops.delete(loop.path);
  const lines = loop.received === undefined ? {} : { lines: true as const };
  const durationMs = atMs - loop.startedAtMs;
  return [{ kind: "loop-ended", path: loop.path, passes: loop.ended, durationMs, ...lines }];
}
