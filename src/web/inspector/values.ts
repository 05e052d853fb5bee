// values: the last outputs of a workflow's nodes. Pure. last-values.ts requests the runs.
//   V1. Each node has its newest value. A run of a single node has no values of the others, so several runs are read.
//   V2. If the user chose a run, only its values are shown, never those of another run.

import { shortRunId } from "../../base/ids.ts";
import type { RunView } from "../../scheduler/view.ts";
import { type HandedOn, handedOn } from "../canvas/edge-data.ts";

export interface LastValues {
  /** The run that the user chose (V2). */
  chosen: string | undefined;
  /** Names the source of the values in a sentence: "the last run", "run 01k3zq". */
  words: string;
  /** The value of the last iteration. Large values are stored as outputs and are not included. */
  of(id: string): { text: string; run: string } | undefined;
  /** The same, but also reports large and secret values. */
  handedOn(id: string): HandedOn | undefined;
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
export const NOTHING_YET = "no data from a run yet";

export type Ran = Pick<RunView, "id" | "nodes" | "endedAt" | "inputs" | "only">;

/** The server's replacement for secrets. */
const MASK = "***";

/** `runs` is sorted newest first. For a chosen run it has only that run. */
export function valuesOf(runs: readonly Ran[], chosen?: string): LastValues {
  const values = new Map<string, { text: string; run: string }>();
  const handed = new Map<string, HandedOn>();
  const attempts = new Map<string, { run: string; path: string; number: number }>();
  for (const { id: run, nodes } of runs)
    for (const node of nodes.toReversed()) {
      const { id, path, value, attempts: made } = node;
      const known = handed.has(id) ? undefined : handedOn(node);
      if (known !== undefined) handed.set(id, known);
      if (value !== undefined && !values.has(id)) values.set(id, { text: value, run });
      const last = made.findLast((attempt) => attempt.kept !== true);
      if (last !== undefined && !attempts.has(id)) attempts.set(id, { run, path, number: last.number });
    }
  return {
    chosen,
    words: chosen === undefined ? "the last run" : `run ${shortRunId(chosen)}`,
    of: (id) => values.get(id),
    handedOn: (id) => handed.get(id),
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

/** Secrets are not stored beyond their run. */
function isHeld(handed: HandedOn | undefined): boolean {
  return handed !== undefined && handed.secret !== true;
}
