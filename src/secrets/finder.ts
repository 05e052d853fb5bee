// Finds patterns in a byte stream that arrives in pieces. Use one finder per stream.
//   S1. `stretches` is the union of all matches. Overlapping and adjacent matches are merged.
//   S2. The result does not depend on how the stream was cut.
//   S3. Most bytes are never examined. Outside a match, a window as long as the shortest pattern is read backwards, two
//       bytes at a time. The window is skipped as soon as no pattern can start in it.
//   S4. With `breaks`, newlines inside a pattern are ignored, because base64 and hex are printed in lines. More than
//       two newline bytes in a row end a pattern, so the number of bytes held back is bounded.
// Positions are relative to the first byte still held back. `forget` shifts them.

import { type Automaton, createAutomaton } from "./automaton.ts";

const CR = 13;
const LF = 10;
const BREAK_BYTES_MAX = 2;
/** Each position in the window is a bit of a byte. One bit is reserved for newlines. */
const WINDOW_BYTES_MAX = 8;
const BREAK = 1;

export interface Patterns {
  readonly automaton: Automaton;
  readonly windowBytes: number;
  /** For two bytes (first × 256 + second): bit n is set if they are bytes n - 1 and n of a pattern, counted from 0. */
  readonly places: Uint8Array;
  readonly breaks: boolean;
}

export interface Finder {
  /** Reads `bytes` starting at `from`. Earlier bytes have been read already. */
  read(bytes: Uint8Array, from: number): void;
  /** The earliest position of a pattern that may still be incomplete. `end`: how much has been read. */
  openFrom(end: number): number;
  /** Start, end, start, end, … in ascending order. */
  readonly stretches: number[];
  /** Drops the first `count` bytes. */
  forget(count: number): void;
}

/** All patterns must have at least two bytes. */
export function createPatterns(patterns: readonly string[], breaks: boolean): Patterns {
  const windowBytes = patterns.reduce((least, pattern) => Math.min(least, pattern.length), WINDOW_BYTES_MAX);
  const places = new Uint8Array(65_536);
  for (const pattern of patterns)
    for (let at = 1; at < windowBytes; at++)
      places[(pattern.charCodeAt(at - 1) << 8) | pattern.charCodeAt(at)]! |= 1 << at;
  if (breaks)
    for (let other = 0; other < 256; other++)
      for (const end of [CR, LF]) places[(end << 8) | other] = places[(other << 8) | end] = BREAK;
  return { automaton: createAutomaton(patterns), windowBytes, places, breaks };
}

export function createFinder(patterns: Patterns): Finder {
  const { automaton, windowBytes, places, breaks } = patterns;
  const { found, open, rows, rowStates, step } = automaton;
  const stretches: number[] = [];
  let breaksAt: number[] = [];
  let breaksInRow = 0;
  let state = 0;

  function read(bytes: Uint8Array, from: number): void {
    // Local variables for speed: this loop handles every byte near a secret.
    const [row, rowEnd, complete, end] = [rows, rowStates, found, bytes.length];
    let [at, now] = [from, state];
    while (at < end) {
      if (now === 0) at = begin(bytes, at);
      const byte = bytes[at++]!;
      if (breaks) {
        if (byte === LF || byte === CR) {
          now = lineBreak(now, at - 1);
          continue;
        }
        breaksInRow = 0;
      }
      now = now < rowEnd ? row[(now << 8) | byte]! : step(now, byte);
      const length = complete[now]!;
      if (length !== 0) add(stretches, startOf(breaksAt, length, at), at);
    }
    state = now;
  }

  /** The first position from `from` at which a pattern may start. The last bytes are too few to decide. */
  function begin(bytes: Uint8Array, from: number): number {
    const lastWindow = bytes.length - windowBytes;
    const jump = windowBytes - 1;
    let at = from;
    while (at <= lastWindow) {
      let right = at + jump;
      let here = places[(bytes[right - 1]! << 8) | bytes[right]!]!;
      if (here === 0) {
        at = right;
        continue;
      }
      let fitting = here;
      while (--right > at && fitting !== 0 && here !== BREAK) {
        here = places[(bytes[right - 1]! << 8) | bytes[right]!]!;
        fitting = (fitting >> 1) & here;
      }
      if (here === BREAK || fitting !== 0) return at;
      at = right + 1;
    }
    return at;
  }

  /** The state after a newline at `at`. */
  function lineBreak(before: number, at: number): number {
    const after = ++breaksInRow > BREAK_BYTES_MAX ? 0 : before;
    if (after !== 0) breaksAt.push(at);
    else if (breaksAt.length > 0) breaksAt = [];
    return after;
  }

  return {
    read,
    stretches,
    openFrom: (end) => (open[state] === 0 ? end : startOf(breaksAt, open[state]!, end)),
    forget(count) {
      forget(stretches, count);
      breaksAt = breaksAt.map((position) => position - count).filter((position) => position >= 0);
    },
  };
}

/**
 * The start of the last `length` bytes before `end`, not counting newlines. Binary search,
 * as each byte may be followed by one.
 */
function startOf(breaksAt: readonly number[], length: number, end: number): number {
  const start = end - length;
  const count = breaksAt.length;
  if (count === 0 || breaksAt[count - 1]! < start) return start;
  let [inside, outside] = [1, count + 1];
  while (outside - inside > 1) {
    const middle = (inside + outside) >> 1;
    if (breaksAt[count - middle]! > start - middle) inside = middle;
    else outside = middle;
  }
  return start - inside;
}

/** Adds a match, merged with those that it touches (S1). */
function add(stretches: number[], start: number, end: number): void {
  while (stretches.length > 0 && stretches[stretches.length - 1]! >= start) {
    if (stretches[stretches.length - 2]! <= start) {
      stretches[stretches.length - 1] = end;
      return;
    }
    stretches.length -= 2;
  }
  stretches.push(start, end);
}

/** Holds matches that other finders found, and finds none itself. */
export function createRemembered(found: readonly (readonly [start: number, end: number])[]): Finder {
  const stretches = found.flat();
  return { read: () => {}, stretches, openFrom: (end) => end, forget: (count) => forget(stretches, count) };
}

function forget(stretches: number[], count: number): void {
  const left = stretches.map((position) => Math.max(0, position - count));
  stretches.length = 0;
  for (let at = 0; at < left.length; at += 2) if (left[at + 1]! > 0) stretches.push(left[at]!, left[at + 1]!);
}
