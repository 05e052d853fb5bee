// time-scale: moments of a run to places on a line, where long times without anything running are folded to a small width. Pure.

export interface Fold {
  fromMs: number;
  toMs: number;
}

export interface TimeScale {
  folds: Fold[];
  /** From 0 to 1. */
  place(ms: number): number;
  /** The other way round. */
  moment(place: number): number;
}

/** A gap is folded when it takes more than this part of what is shown, and is long enough for a person to mind. */
const FOLDED_PART = 0.15;
const FOLDED_MS_MIN = 5_000;
/** What a fold takes, as a part of the time that is not folded. */
const FOLD_WIDTH = 0.04;

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
