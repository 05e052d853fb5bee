// masker: takes secrets out of texts and output streams before they reach disk, journal, screen or a model (spec 4.2).
//   M1. No byte of any form of a secret (forms.ts) gets through; one mask stands for each stretch, whatever its length.
//   M2. The output is the same however the stream was cut. Only what may be the beginning of a secret is held back.
//   M3. What is not a secret stays as it is, byte by byte; without a secret in it a text is returned as it came.
//   M4. Time grows with the input alone, memory with the secrets alone.
// Deliberately absent: where secrets come from, and which sinks are masked (the engine's business).

import { createFinder, createPatterns, type Finder, type Patterns } from "./finder.ts";
import { formsOf, textsOf } from "./forms.ts";

/** ASCII, so that it is right in every encoding an output may have, and inside JSON strings, URLs and file names. */
export const MASK = "***";

export interface Masker {
  /** There is nothing to mask; callers may leave it out. */
  readonly isEmpty: boolean;
  /** A whole text without its secrets. */
  mask(text: string): string;
  /** For one output stream, from its first byte to its last. */
  stream(): MaskStream;
}

export interface MaskStream {
  /** Takes the next bytes, answers with what is certain by now; it may share its memory with `bytes`. */
  push(bytes: Uint8Array): Uint8Array;
  /** The end of the stream: what was held back. The next push starts a new stream. */
  end(): Uint8Array;
}

/** Names of secrets that cannot be masked without masking ordinary words: fewer than `limits.secretBytesMin` bytes, blanks around not counted. */
export function tooShort(secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([, value]) => textsOf(value).length === 0).map(([name]) => name);
}

/** A masker for these secrets, by name. Those that are `tooShort` are not masked. */
export function createMasker(secrets: ReadonlyMap<string, string>): Masker {
  const forms = [...new Set(secrets.values())].map(formsOf);
  if (forms.every(({ plain }) => plain.length === 0)) return NOTHING;
  const patterns = [
    createPatterns([...new Set(forms.flatMap(({ plain }) => plain))], false),
    createPatterns([...new Set(forms.flatMap(({ wrapped }) => wrapped))], true),
  ];
  return { isEmpty: false, mask: (text) => maskText(patterns, text), stream: () => createStream(patterns) };
}

const NOTHING: Masker = {
  isEmpty: true,
  mask: (text) => text,
  stream: () => ({ push: (bytes) => bytes, end: () => EMPTY }),
};
const EMPTY = new Uint8Array(0);
const MASK_BYTES = Buffer.from(MASK);

function maskText(patterns: readonly Patterns[], text: string): string {
  // Half a surrogate pair has no bytes; it stands between texts that have.
  if (!text.isWellFormed()) return text.replace(/\P{Surrogate}+/gu, (part) => maskText(patterns, part));
  const bytes = Buffer.from(text);
  const stream = createStream(patterns);
  const [most, rest] = [stream.push(bytes), stream.end()];
  if (most.length + rest.length === bytes.length && bytes.equals(Buffer.concat([most, rest]))) return text;
  return Buffer.concat([most, rest]).toString();
}

function createStream(patterns: readonly Patterns[]): MaskStream {
  let finders = patterns.map(createFinder);
  let held: Uint8Array = EMPTY;
  /** The last byte before `held` was masked: a stretch that goes on needs no mask of its own. */
  let masking = false;

  /** Lets go of everything before `safe`. */
  function release(bytes: Uint8Array, safe: number): Uint8Array {
    const stretches = joinedStretches(finders);
    if (stretches.length === 0 && !masking) return bytes.subarray(0, safe);
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const [start, end] of stretches) {
      if (start >= safe) break;
      if (start > at) parts.push(bytes.subarray(at, start));
      if (start > 0 || !masking) parts.push(MASK_BYTES);
      at = Math.min(end, safe);
      masking = at === safe;
    }
    if (at < safe) {
      parts.push(bytes.subarray(at, safe));
      masking = false;
    }
    return Buffer.concat(parts);
  }

  return {
    push(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      for (const finder of finders) finder.read(all, held.length);
      const safe = finders.reduce((least, finder) => Math.min(least, finder.openFrom(all.length)), all.length);
      const certain = release(all, safe);
      for (const finder of finders) finder.forget(safe);
      // A copy: the caller may use its buffer again.
      held = safe === all.length ? EMPTY : Uint8Array.from(all.subarray(safe));
      return certain;
    },
    end() {
      const rest = release(held, held.length);
      finders = patterns.map(createFinder);
      held = EMPTY;
      masking = false;
      return rest;
    },
  };
}

/** What any of the finders found, in order; stretches that overlap or touch are one. */
function joinedStretches(finders: readonly Finder[]): [start: number, end: number][] {
  const all: [number, number][] = [];
  for (const { stretches } of finders)
    for (let at = 0; at < stretches.length; at += 2) all.push([stretches[at]!, stretches[at + 1]!]);
  all.sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [start, end] of all) {
    const last = joined.at(-1);
    if (last !== undefined && last[1] >= start) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
