// history: undo and redo for all changes of the text, including those of others (spec 2.3).
//   H1. Undoing your own last step restores the text before it, byte for byte.
//   H2. A change from the disk or another tab is never undone. Your own earlier step is removed from the current text
//       instead.
//   H3. Only memory limits the number of steps: the oldest are dropped when all together exceed limits.undoCharsMax.
// The caller provides the time of a step.

import { limits } from "../../base/limits.ts";
import { lineEdits, mergeTexts } from "./merge.ts";
import { applyEdits, editBetween, inverseOf } from "./text-edits.ts";
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

/** `before`: the text that the step changes. */
export function record(history: History, step: Step, before: string): History {
  const last = history.done.at(-1);
  const isSoon = last !== undefined && step.at - last.at <= limits.undoJoinMs;
  const joins = isSoon && step.key !== undefined && last.key === step.key && !last.theirs && !step.theirs;
  const joined = joins ? join(last, step, before) : undefined;
  if (joined !== undefined) return { done: [...history.done.slice(0, -1), joined], undone: [] };
  return { done: bounded([...history.done, step]), undone: step.theirs ? history.undone : [] };
}

/** Both steps as one replacement, unless unchanged text between them would be a part of it. */
function join(last: Step, step: Step, before: string): Step | undefined {
  const first = applyEdits(before, last.inverse);
  const edits = editBetween(first, applyEdits(before, step.edits));
  const joined = { ...step, edits, inverse: inverseOf(first, edits) };
  return charsIn(joined) <= charsIn(last) + charsIn(step) ? joined : undefined;
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
  const edits = lineEdits(before, merged.text);
  const theirs: Step = {
    label: above.at(-1)!.label,
    edits,
    inverse: inverseOf(before, edits),
    at: above.at(-1)!.at,
    theirs: true,
  };
  const again = lineEdits(merged.text, text);
  const redo: Step = { ...step, edits: again, inverse: inverseOf(merged.text, again) };
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
