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

export function record(history: History, step: Step): History {
  const last = history.done.at(-1);
  const joins = last !== undefined && step.key !== undefined && last.key === step.key && !last.theirs && !step.theirs;
  if (joins && step.at - last.at <= limits.undoJoinMs && last.edits.length === 1 && step.edits.length === 1) {
    const joined = join(last, step);
    if (joined !== undefined) return { done: [...history.done.slice(0, -1), joined], undone: [] };
  }
  return { done: bounded([...history.done, step]), undone: step.theirs ? history.undone : [] };
}

/** Joins two adjacent replacements into one: further typing, or deleting text before or after the first one. */
function join(last: Step, step: Step): Step | undefined {
  const [a] = last.edits as [TextEdit];
  const [b] = step.edits as [TextEdit];
  const end = a.from + a.insert.length;
  if (b.from > end || b.to < a.from) return undefined;
  const [old] = last.inverse as [TextEdit];
  const [gone] = step.inverse as [TextEdit];
  // How much of the text before and after the first replacement the second one removed.
  const left = Math.max(0, a.from - b.from);
  const right = Math.max(0, b.to - end);
  const from = a.from - left;
  const insert = a.insert.slice(0, Math.max(0, b.from - a.from)) + b.insert + a.insert.slice(b.to - a.from);
  const before = gone.insert.slice(0, left) + old.insert + gone.insert.slice(gone.insert.length - right);
  return {
    ...step,
    edits: [{ from, to: a.to + right, insert }],
    inverse: [{ from, to: from + insert.length, insert: before }],
  };
}

function bounded(done: Step[]): Step[] {
  let chars = 0;
  for (let at = done.length - 1; at >= 0; at--) {
    chars += sizeOf(done[at]!);
    if (chars > limits.undoCharsMax) return done.slice(at + 1);
  }
  return done;
}

function sizeOf(step: Step): number {
  return [...step.edits, ...step.inverse].reduce((sum, edit) => sum + edit.insert.length + 16, 32);
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
