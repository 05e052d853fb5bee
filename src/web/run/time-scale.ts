// time-scale: maps times of a run to positions on a line, with long idle times folded to a small width. Pure.

import { clock, duration } from "../ui/words.ts";

export interface Fold {
  fromMs: number;
  toMs: number;
}

export interface TimeScale {
  folds: Fold[];
  place(ms: number): number;
  moment(place: number): number;
}

/** A gap is folded if it takes more than this share of the visible time and is long enough to matter. */
const FOLDED_PART = 0.15;
const FOLDED_MS_MIN = 5_000;
/** Width of a fold, as a share of the time that is not folded. */
const FOLD_WIDTH = 0.04;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((n) => n * HOUR),
];
const MARKS_MAX = 6;
/** Minimum distance of two marks, as a share of the line. The last mark has room for its label. */
const MARK_WIDTH = 0.1;

/** Round times since `originMs` for the axis: 0.5 s, 1.0 s; never inside a fold. */
export function marksOf(scale: TimeScale, originMs: number): number[] {
  const [fromMs, toMs] = [scale.moment(0), scale.moment(1)];
  const plain = scale.folds.reduce((left, fold) => left - (fold.toMs - fold.fromMs), toMs - fromMs);
  const step = STEPS.find((ms) => plain / ms <= MARKS_MAX) ?? Math.ceil(plain / MARKS_MAX / (24 * HOUR)) * 24 * HOUR;
  const next = (ms: number) => originMs + Math.ceil((ms - originMs) / step) * step;
  const marks: number[] = [];
  let free = 0;
  for (let at = next(fromMs); at <= toMs; at += step) {
    const fold = scale.folds.find((one) => at > one.fromMs && at < one.toMs);
    if (fold !== undefined) at = next(fold.toMs);
    const place = scale.place(at);
    if (place < free || place > 1 - MARK_WIDTH / 2) continue;
    marks.push(at);
    free = place + MARK_WIDTH;
  }
  return marks;
}

/** The label of a mark. All labels of a line have one unit, so that no two are equal. */
export function axisText(ms: number, wholeMs: number): string {
  if (wholeMs < 1_000) return `${ms} ms`;
  return wholeMs < 20_000 ? duration(ms) : clock(ms);
}

export function timeScale(fromMs: number, toMs: number, gaps: readonly Fold[]): TimeScale {
  const whole = Math.max(1, toMs - fromMs);
  const folds = gaps
    .map((gap) => ({ fromMs: Math.max(fromMs, gap.fromMs), toMs: Math.min(toMs, gap.toMs) }))
    .filter((gap) => gap.toMs - gap.fromMs >= FOLDED_MS_MIN && (gap.toMs - gap.fromMs) / whole > FOLDED_PART);
  const folded = folds.reduce((sum, fold) => sum + fold.toMs - fold.fromMs, 0);
  const plain = Math.max(1, whole - folded);
  const foldMs = plain * FOLD_WIDTH;
  const width = plain + foldMs * folds.length;

  return { folds, place, moment };

  function place(ms: number): number {
    let passed = Math.min(toMs, Math.max(fromMs, ms)) - fromMs;
    const at = fromMs + passed;
    for (const fold of folds) {
      if (at <= fold.fromMs) break;
      const inside = Math.min(at, fold.toMs) - fold.fromMs;
      passed += (inside / (fold.toMs - fold.fromMs)) * foldMs - inside;
    }
    return passed / width;
  }

  function moment(place: number): number {
    let left = Math.min(1, Math.max(0, place)) * width;
    let at = fromMs;
    for (const fold of folds) {
      if (left <= fold.fromMs - at) return at + left;
      left -= fold.fromMs - at;
      if (left <= foldMs) return fold.fromMs + (left / foldMs) * (fold.toMs - fold.fromMs);
      left -= foldMs;
      at = fold.toMs;
    }
    return Math.min(toMs, at + left);
  }
}
