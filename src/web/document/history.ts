// history: undo and redo for all changes of the text, including those of others (spec 2.3).
//   H1. Undoing your own last step restores the text before it, byte for byte.
//   H2. A change from the disk or another tab is never undone. Your own earlier step is removed from the current text
//       instead.
//   H3. Only memory limits the number of steps: the oldest are dropped when all together exceed limits.undoCharsMax.
// The caller provides the time of a step.

import { limits } from "../../base/limits.ts";
import { lineEdits, mergeTexts } from "./merge.ts";
import { applyEdits, inverseOf } from "./text-edits.ts";
import type { TextEdit } from "./types.ts";

export interface Step {
  label: string;
  key?: string;
  edits: TextEdit[];
  inverse: TextEdit[];
  at: number;
  /** The change came from elsewhere. */
  theirs?: true;
}

export interface History {
  done: readonly Step[];
  undone: readonly Step[];
}

export const noHistory: History = { done: [], undone: [] };

type Made = Omit<Step, "edits" | "inverse">;

function stepOf(made: Made, before: string, after: string): Step {
  const edits = lineEdits(before, after);
  return { ...made, edits, inverse: inverseOf(before, edits) };
}

/** The history with a step from one text to another. It is joined with the last one of the same key. */
export function record(history: History, made: Made, before: string, after: string): History {
  if (before === after) return history;
  const last = history.done.at(-1);
  const isSoon = last !== undefined && made.at - last.at <= limits.undoJoinMs;
  const joins = isSoon && made.key !== undefined && last.key === made.key && !last.theirs && !made.theirs;
  const step = stepOf(made, joins ? applyEdits(before, last.inverse) : before, after);
  const done = bounded([...(joins ? history.done.slice(0, -1) : history.done), step]);
  return { done, undone: made.theirs ? history.undone : [] };
}

/** The size of a step without its texts. */
const STEP_CHARS = 64;

function bounded(done: Step[]): Step[] {
  let chars = 0;
  for (let at = done.length - 1; at >= 0; at--) {
    chars += charsIn(done[at]!) + STEP_CHARS;
    if (chars > limits.undoCharsMax) return done.slice(at + 1);
  }
  return done;
}

function charsIn({ edits, inverse }: Step): number {
  return [...edits, ...inverse].reduce((sum, { insert }) => sum + insert.length, 0);
}

export interface Undone {
  text: string;
  history: History;
  label: string;
}

/** `undefined` if you have no step to undo. `conflict` if others have changed the same lines since. */
export function undo(text: string, history: History): Undone | { conflict: string } | undefined {
  const at = history.done.findLastIndex((step) => !step.theirs);
  const step = history.done[at];
  if (step === undefined) return undefined;
  const above = history.done.slice(at + 1);
  const after = above.reduceRight((now, theirs) => applyEdits(now, theirs.inverse), text);
  const before = applyEdits(after, step.inverse);
  const kept = history.done.slice(0, at);
  if (above.length === 0)
    return { text: before, label: step.label, history: { done: kept, undone: [...history.undone, step] } };
  const merged = mergeTexts(after, before, text);
  if (merged.conflicts.length > 0) return { conflict: step.label };
  const { label, at: time } = above.at(-1)!;
  const theirs = stepOf({ label, at: time, theirs: true }, before, merged.text);
  const redo = stepOf(step, merged.text, text);
  return {
    text: merged.text,
    label: step.label,
    history: { done: [...kept, theirs], undone: [...history.undone, redo] },
  };
}

export function redo(text: string, history: History): Undone | { conflict: string } | undefined {
  const step = history.undone.at(-1);
  if (step === undefined) return undefined;
  const fits = step.edits.every((edit, index) => {
    const inverse = step.inverse[index]!;
    return text.slice(edit.from, edit.to) === inverse.insert;
  });
  if (!fits) return { conflict: step.label };
  return {
    text: applyEdits(text, step.edits),
    label: step.label,
    history: { done: [...history.done, step], undone: history.undone.slice(0, -1) },
  };
}
