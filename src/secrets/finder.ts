// finder: where patterns stand in a stream of bytes that comes in pieces. One stream, one finder.
//   S1. `stretches` is the union of all places where a pattern stands; stretches that overlap or touch are one.
//   S2. What is found does not depend on how the stream was cut.
//   S3. Most bytes are never looked at: while no pattern has begun, a window as long as the shortest pattern is read from its end
//       backwards, two bytes at a time, and left behind as soon as no pattern begins like that.
//   S4. With `breaks`, line breaks inside a pattern do not count: base64 and hex are printed in lines. More than two bytes of
//       breaks in a row end a pattern, so what is held back stays bounded.
// Positions count from the first byte still held back; `forget` moves them.

import { type Automaton, createAutomaton } from "./automaton.ts";

const CR = 13;
const LF = 10;
const BREAK_BYTES_MAX = 2;
/** Places in the window are bits of a byte, and one bit says that there is a line break. */
const WINDOW_BYTES_MAX = 8;
const BREAK = 1;

export interface Patterns {
  readonly automaton: Automaton;
  readonly windowBytes: number;
  /** For two bytes (first × 256 + second): bit n when the second is the n-th byte of a pattern, from 0, and the first the one before. */
  readonly places: Uint8Array;
  readonly breaks: boolean;
}

export interface Finder {
  /** Reads `bytes` from `from` on; what comes before has been read already. */
  read(bytes: Uint8Array, from: number): void;
  /** From here on a pattern may have begun whose end has not been read; `end` is how much has been read. */
  openFrom(end: number): number;
  /** Start, end, start, end … in ascending order. */
  readonly stretches: number[];
  /** Everything before `count` is gone. */
  forget(count: number): void;
}

/** All patterns must be at least two bytes long. */
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
    // Locals: this is the one loop that sees every byte near a secret.
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
      if (length !== 0) add(startOf(length, at), at);
    }
    state = now;
  }

  /** The first place from `from` on where a pattern may begin; the last bytes are too few to tell. */
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

  /** The state after a line break at `at`. */
  function lineBreak(before: number, at: number): number {
    const after = ++breaksInRow > BREAK_BYTES_MAX ? 0 : before;
    if (after !== 0) breaksAt.push(at);
    else if (breaksAt.length > 0) breaksAt = [];
    return after;
  }

  /** Where the last `length` bytes before `end` begin that are no breaks. Halving, as there may be a break after every byte. */
  function startOf(length: number, end: number): number {
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

  function add(start: number, end: number): void {
    while (stretches.length > 0 && stretches[stretches.length - 1]! >= start) {
      if (stretches[stretches.length - 2]! <= start) {
        stretches[stretches.length - 1] = end;
        return;
      }
      stretches.length -= 2;
    }
    stretches.push(start, end);
  }

  return {
    read,
    stretches,
    openFrom: (end) => (open[state] === 0 ? end : startOf(open[state]!, end)),
    forget(count) {
      forget(stretches, count);
      breaksAt = breaksAt.map((position) => position - count).filter((position) => position >= 0);
    },
  };
}

/** Keeps in mind what others found, and finds nothing itself. */
export function createRemembered(found: readonly (readonly [start: number, end: number])[]): Finder {
  const stretches = found.flat();
  return { read: () => {}, stretches, openFrom: (end) => end, forget: (count) => forget(stretches, count) };
}

function forget(stretches: number[], count: number): void {
  const left = stretches.map((position) => Math.max(0, position - count));
  stretches.length = 0;
  for (let at = 0; at < left.length; at += 2) if (left[at + 1]! > 0) stretches.push(left[at]!, left[at + 1]!);
}
