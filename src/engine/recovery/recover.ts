// recover: looks for attempts that were running when their engine ended, and removes what that engine left (spec 3.4,
// 4.2).
//   F1. When a run is resumed, secret files of the earlier process are removed. Files that a living command still needs
//       are removed with that command. Files of this process are not touched.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { authFilesIn } from "../../kinds/cli/index.ts";
import type { Before, FoundAttempt } from "../../kinds/executor.ts";
import { STATE_FILE } from "../../kinds/state.ts";
import { reportsIn } from "../../process/http-observer/observe.ts";
import { removeArtifact } from "../../process/runner/artifacts.ts";
import { type RunState, workedMs } from "../../scheduler/state.ts";
import type { Journal } from "../../store/index.ts";
import { type childRuns, limitOf } from "../child-runs.ts";
import type { RunDriver } from "../driver/run-driver.ts";
import { plainFiles } from "../run-files.ts";

/** The attempts that report their own end, by path. */
export function findAttempts(
  driver: RunDriver,
  state: RunState,
  open: ReadonlyMap<string, Before>,
): Map<string, FoundAttempt & Before> {
  const sought = new Map<string, FoundAttempt & Before>();
  for (const { path, node, attempts, childRun } of state.running.values()) {
    const before = open.get(path);
    if (before === undefined || childRun !== undefined) continue;
    const { id } = state.graph.nodes[node]!;
    const attempt = driver.find({ do: "start-attempt", node: id, path, number: attempts }, before);
    if (attempt !== undefined) sought.set(path, { ...attempt, ...before });
  }
  return sought;
}

/** Adopts subflows whose runs are recorded. Their state comes from those runs, which are resumed. */
export function adoptChildren(
  driver: RunDriver,
  state: RunState,
  { children, known, nowMs }: { children: Children; known: ReadonlySet<string>; nowMs: number },
): void {
  for (const node of [...state.running.values(), ...state.paused.values()]) {
    if (node.childRun === undefined || !known.has(node.childRun)) continue;
    const { id, node: drawn } = state.graph.nodes[node.node]!;
    const [file, limitMs] = drawn.type === "subflow" ? [drawn.data.workflow, limitOf(drawn)] : [id, undefined];
    const before = { beforeMs: nowMs - (node.firstStartedMs ?? 0), limitMs, spentMs: workedMs(node, nowMs) };
    const attempt = children.attach(node.childRun, file, before);
    driver.adopt({ do: "start-attempt", node: id, path: node.path, number: node.attempts }, attempt);
  }
}

/** Those of the subflows' runs that are recorded. */
export async function recordedChildren(state: RunState, journal: Pick<Journal, "lastSeq">): Promise<Set<string>> {
  const known = new Set<string>();
  for (const { childRun } of [...state.running.values(), ...state.paused.values()])
    if (childRun !== undefined && (await journal.lastSeq(childRun)).ok) known.add(childRun);
  return known;
}

type Children = Pick<ReturnType<typeof childRuns>, "attach">;

/** Files to list before the run continues, as absolute paths. */
export function filesOfEarlierEngine(folder: string): string[] {
  return [...authFilesIn(folder), ...plainFiles(folder)];
}

/** F1. */
export function removeLeftovers(
  folder: string,
  left: readonly string[],
  sought: ReadonlyMap<string, FoundAttempt & Before>,
): void {
  const open = [...sought.values()];
  const stems = new Set(open.map(({ stem }) => stem));
  for (const name of readdirSync(folder))
    for (const suffix of [".end", STATE_FILE])
      if (name.endsWith(suffix) && !stems.has(name.slice(0, -suffix.length))) removeArtifact(join(folder, name));
  // Reports of a command that is alive, or that have not been read yet, stay.
  for (const { stem, path } of reportsIn(folder)) if (!stems.has(stem)) removeArtifact(path);
  const remaining = (keeps: ReadonlySet<string>): void => {
    for (const path of left) if (!keeps.has(path)) removeArtifact(path);
  };
  if (open.length === 0) remaining(new Set());
  else
    void Promise.all(open.map(({ found }) => found)).then((all) =>
      remaining(new Set(all.flatMap(({ keeps }) => [...keeps]))),
    );
}
