// nearest: finds the known word closest to a misspelt one, for "Did you mean …?".
//   N1. It suggests only close words: a wrong suggestion is worse than none.

/**
 * The closest of `known`, or undefined. Case is ignored in the comparison. Only the first CANDIDATES_MAX words of
 * similar length are compared.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > CHARS_MAX) return undefined;
  let best: string | undefined;
  let bestDistance = allowance(word) + 1;
  let looked = 0;
  for (const candidate of known) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= bestDistance) continue;
    if (++looked > CANDIDATES_MAX) break;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean "x"?` or an empty string, to append to a sentence. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** Whether a filter's name stands for `default`, as other tools write it or with a slip. */
export function isDefault(filter: string): boolean {
  return /^(?:or|else|fallback|ifempty|d)$/i.test(filter) || nearest(filter, ["default"]) !== undefined;
}

/** `a, b and c`, cut after `max`. */
export function listed(words: readonly string[], max = 8): string {
  const shown = words.length > max ? [...words.slice(0, max), `${words.length - max} more`] : [...words];
  const last = shown.pop();
  return shown.length === 0 ? (last ?? "") : `${shown.join(", ")} and ${last}`;
}

const CHARS_MAX = 64;
const CANDIDATES_MAX = 5_000;

function allowance(word: string): number {
  return word.length <= 1 ? 0 : word.length <= 4 ? 1 : word.length <= 7 ? 2 : 3;
}

/** Number of edits (insert, delete, replace, swap of neighbours) between two words, at most `bound`. */
function editDistance(a: string, b: string, bound: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least >= bound) return bound;
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}
