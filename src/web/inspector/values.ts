// values: the last outputs of a workflow's nodes. Pure. last-values.ts requests the runs.
//   V1. Each node has its first value. A run of a single node has no values of the others, so several runs are read.

import { shortRunId } from "../../base/ids.ts";
import type { RunView } from "../../scheduler/view.ts";
import { type EdgeData, edgeData, type HandedOn, handedOn, NOTHING_WENT } from "../canvas/edge-data.ts";
import type { ScopeName } from "./scope.ts";

export interface LastValues {
  /** The value of the last iteration. Large values are stored as outputs and are not included. */
  of(id: string): { text: string; run: string } | undefined;
  /** The same, but also reports large and secret values. */
  handedOn(id: string): HandedOn | undefined;
  /** The data that passed along an edge. Nothing passes to a node that its run skipped. */
  carried(edge: { source: string; target: string }): EdgeData;
  /** The newest attempt of a node and its run. */
  attempt(id: string): { run: string; path: string; number: number } | undefined;
  /** The newest ended run with a value for all of these nodes. */
  holding(ids: readonly string[]): string | undefined;
  /** The newest ended run of the whole workflow. Nodes can be run again from any node of it. */
  whole: string | undefined;
  /** Inputs of the newest run as texts of a form, without those that contain a secret. */
  inputs: Readonly<Record<string, string>>;
}

/** Shown for an edge along which no run has passed data. */
const NOTHING_YET = "no data from a run yet";

export type Ran = Pick<RunView, "id" | "nodes" | "endedAt" | "inputs" | "only">;

/** The server's replacement for secrets. */
const MASK = "***";

/** `runs`: the one whose values count first comes first. */
export function valuesOf(runs: readonly Ran[]): LastValues {
  const values = new Map<string, { text: string; run: string }>();
  const handed = new Map<string, HandedOn>();
  const attempts = new Map<string, { run: string; path: string; number: number }>();
  /** The nodes of the run that a value is from. A test runs only some nodes. */
  const from = new Map<string, Ran["nodes"]>();
  for (const { id: run, nodes, only } of runs)
    for (const node of nodes.toReversed()) {
      const { id, path, value, attempts: made } = node;
      const known = handed.has(id) ? undefined : handedOn(node);
      if (known !== undefined) {
        handed.set(id, known);
        if (only === undefined) from.set(id, nodes);
      }
      if (value !== undefined && !values.has(id)) values.set(id, { text: value, run });
      const last = made.findLast((attempt) => attempt.kept !== true);
      if (last !== undefined && !attempts.has(id)) attempts.set(id, { run, path, number: last.number });
    }
  return {
    of: (id) => values.get(id),
    handedOn: (id) => handed.get(id),
    carried({ source, target }) {
      const reached = from.get(source)?.filter(({ id }) => id === target) ?? [];
      const isSkipped = reached.length > 0 && reached.every(({ status }) => status === "skipped");
      return isSkipped ? { says: NOTHING_WENT } : edgeData(handed.get(source), NOTHING_YET);
    },
    attempt: (id) => attempts.get(id),
    holding: (ids) =>
      runs.find(
        ({ nodes, endedAt }) =>
          endedAt !== undefined && ids.every((id) => nodes.some((node) => node.id === id && isHeld(handedOn(node)))),
      )?.id,
    whole: runs.find(({ endedAt, only }) => endedAt !== undefined && only === undefined)?.id,
    inputs: Object.fromEntries(
      Object.entries(runs[0]?.inputs ?? {}).flatMap(([name, value]) => {
        const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
        return text.includes(MASK) ? [] : [[name, text]];
      }),
    ),
  };
}

/** The last value of a name, and where it was recorded. */
export function lastOf(name: ScopeName | undefined, last: LastValues): { text: string; origin: string } | undefined {
  if (name === undefined || name.kind === "loop") return undefined;
  if (name.node !== undefined) {
    const value = last.of(name.node);
    return value === undefined ? undefined : { text: value.text, origin: `from run ${shortRunId(value.run)}` };
  }
  const input = name.name.replace(/^vars\./, "");
  if (name.input === undefined || (name.kind !== "input" && name.kind !== "expression")) return undefined;
  const given = Object.hasOwn(last.inputs, input) ? last.inputs[input] : undefined;
  if (given !== undefined) return { text: given, origin: "from the last run" };
  return name.input.default === undefined ? undefined : { text: name.input.default, origin: "its default" };
}

/** Secrets are not stored beyond their run. */
function isHeld(handed: HandedOn | undefined): boolean {
  return handed !== undefined && handed.secret !== true;
}
