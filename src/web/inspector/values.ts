// values: what the nodes of a workflow handed on when they ran last. Pure; last-values.ts reads the runs.
//   V1. Of each node the newest value there is: a run of one node alone says nothing about the others, so some runs before it are asked too.
//   V2. Where a person chose a run, that one alone says what was handed on: nothing of another run passes for its own.

import { shortRunId } from "../../base/ids.ts";
import type { RunView } from "../../scheduler/view.ts";
import { type HandedOn, handedOn } from "../canvas/edge-data.ts";

export interface LastValues {
  /** V2. */
  chosen: string | undefined;
  /** Whose they are, in a sentence: "the last run", "run 01k3zq". */
  words: string;
  /** Of the last pass, where the node ran in several. Large values stand in outputs and are not here. */
  of(id: string): { text: string; run: string } | undefined;
  /** The same, told also where it is large or secret. */
  handedOn(id: string): HandedOn | undefined;
  /** The newest attempt of a node, and the run that it belongs to. */
  attempt(id: string): { run: string; path: string; number: number } | undefined;
  /** The newest run that is over and has a value of every one of these nodes. */
  holding(ids: readonly string[]): string | undefined;
  /** The newest run of the whole workflow that is over: from a node of it everything can run again. */
  whole: string | undefined;
  /** Inputs of the newest run, as the text of a form; those that hold a secret are left out. */
  inputs: Readonly<Record<string, string>>;
}

/** Of an edge on which no run has handed anything on. */
export const NOTHING_YET = "no data from a run yet";

export type Ran = Pick<RunView, "id" | "nodes" | "endedAt" | "inputs" | "only">;

/** What the server shows in the place of a secret. */
const MASK = "***";

/** `runs`: newest first; of a chosen one that one alone. */
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

/** Secrets are not kept beyond their run. */
function isHeld(handed: HandedOn | undefined): boolean {
  return handed !== undefined && handed.secret !== true;
}
