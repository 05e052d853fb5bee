// Finds many byte patterns at once, with one step per byte (Aho-Corasick).
// A state is the longest suffix of the input that is a prefix of a pattern.
//   A1. States are numbered by length, starting with 0 for the empty one. The children
//       of a state have consecutive numbers.
//   A2. The first states have a full row of transitions. The others, which are rarely entered, have only their children
//       and a fallback, so memory stays at a few numbers per pattern byte.
//   A3. A step takes amortised constant time for any input: each fallback is paid for by an earlier step forward.

import { limits } from "../base/limits.ts";

export interface Automaton {
  /** The length of a state. */
  readonly length: Int32Array;
  /** The length of the longest pattern that ends in a state, or 0. */
  readonly found: Int32Array;
  /** How many of the last bytes may still become part of an incomplete pattern. */
  readonly open: Int32Array;
  /** How many states have a row. The transition of such a state is `rows[(state << 8) | byte]`. */
  readonly rowStates: number;
  readonly rows: Int32Array;
  step(state: number, byte: number): number;
}

interface Tree {
  readonly byte: Uint8Array;
  /** The first child of a state. One more entry than states, so that each list of children has an end. */
  readonly firstChild: Int32Array;
  readonly parent: Int32Array;
  readonly ends: Uint8Array;
}

/** Patterns are latin1 strings and must not be empty. */
export function createAutomaton(patterns: readonly string[]): Automaton {
  const tree = createTree([...new Set(patterns)].sort());
  const { byte, firstChild, parent, ends } = tree;
  const states = parent.length;
  const rowStates = Math.min(states, limits.maskerRowStates);
  const rows = new Int32Array(rowStates * 256);
  const fallback = new Int32Array(states);
  const [length, found, open] = [new Int32Array(states), new Int32Array(states), new Int32Array(states)];

  function step(state: number, next: number): number {
    let from = state;
    while (from >= rowStates) {
      for (let child = firstChild[from]!; child < firstChild[from + 1]!; child++)
        if (byte[child] === next) return child;
      from = fallback[from]!;
    }
    return rows[(from << 8) | next]!;
  }

  for (let state = 0; state < states; state++) {
    const from = parent[state]!;
    if (state > 0) {
      length[state] = length[from]! + 1;
      fallback[state] = from === 0 ? 0 : step(fallback[from]!, byte[state]!);
      const shorter = fallback[state]!;
      found[state] = ends[state] === 1 ? length[state]! : found[shorter]!;
      open[state] = firstChild[state] === firstChild[state + 1] ? open[shorter]! : length[state]!;
    }
    if (state < rowStates) {
      if (state > 0) rows.copyWithin(state << 8, fallback[state]! << 8, (fallback[state]! + 1) << 8);
      for (let child = firstChild[state]!; child < firstChild[state + 1]!; child++)
        rows[(state << 8) | byte[child]!] = child;
    }
  }
  return { length, found, open, rowStates, rows, step };
}

/**
 * Sorted patterns with the same prefix are adjacent: a state is a range of the list, and
 * its children are parts of that range.
 */
function createTree(sorted: readonly string[]): Tree {
  const most = sorted.reduce((sum, pattern) => sum + pattern.length, 1);
  const byte = new Uint8Array(most);
  const parent = new Int32Array(most);
  const ends = new Uint8Array(most);
  const firstChild = new Int32Array(most + 1);
  const [from, to] = [new Int32Array(most), new Int32Array(most)];
  to[0] = sorted.length;
  let states = 1;
  for (let state = 0, depth = 0, nextDepth = 1; state < states; state++) {
    if (state === nextDepth) {
      depth++;
      nextDepth = states;
    }
    firstChild[state] = states;
    let at = from[state]!;
    while (at < to[state]! && sorted[at]!.length === depth) {
      ends[state] = 1;
      at++;
    }
    while (at < to[state]!) {
      const next = sorted[at]!.charCodeAt(depth);
      const child = states++;
      byte[child] = next;
      parent[child] = state;
      from[child] = at;
      while (at < to[state]! && sorted[at]!.charCodeAt(depth) === next) at++;
      to[child] = at;
    }
  }
  firstChild[states] = states;
  return {
    byte: byte.slice(0, states),
    firstChild: firstChild.slice(0, states + 1),
    parent: parent.slice(0, states),
    ends,
  };
}
