// masker: takes secrets out of texts and output streams before they reach disk, journal, screen or a model (spec 4.2).
//   M1. No byte of any form of a secret (encodings.ts) gets through; one mask stands for each stretch, whatever its length.
//   M2. The output is the same however the stream was cut. Only what may be the beginning of a secret is held back.
//   M3. What is not a secret stays as it is, byte by byte; without a secret in it a text is returned as it came.
//   M4. Time grows with the input alone, memory with the secrets alone.
//   M5. What is learned is masked from then on, also in streams that are open: nothing that has not been let go of yet gets through.
//       Learning one after another costs as little as learning all at once, but for a logarithm.
// Deliberately absent: where secrets come from, and which sinks are masked (the engine's business); forgetting.

import { limits } from "../base/limits.ts";
import { type Encodings, encodingsOf, textsOf } from "./encodings.ts";
import { createFinder, createPatterns, createRemembered, type Finder, type Patterns } from "./finder.ts";

/** ASCII, so that it is right in every encoding an output may have, and inside JSON strings, URLs and file names. */
export const MASK = "***";

export interface Masker {
  /** There is nothing to mask yet. */
  readonly isEmpty: boolean;
  /** A whole text without its secrets. */
  mask(text: string): string;
  /** For one output stream, from its first byte to its last. */
  stream(): MaskStream;
  /** From now on these are masked too. Known ones cost nothing; those that are `tooShort` are left out. */
  learn(secrets: Iterable<string>): void;
  /** All that it was ever told, in that order: for a masker in another process. */
  readonly known: readonly string[];
  /** Called after something new was learned. */
  onLearn(listener: () => void): void;
}

export interface MaskStream {
  /** Takes the next bytes, answers with what is certain by now; it may share its memory with `bytes`. */
  push(bytes: Uint8Array): Uint8Array;
  /**
   * The end of the stream: what was held back. The next push starts a new stream. `cut`: it was ended by somebody else, and what begins
   * like a secret and is as long as one must be may be the first part of it: it is masked.
   */
  end(cut?: boolean): Uint8Array;
}

/** Names of secrets that cannot be masked without masking ordinary words: fewer than `limits.secretBytesMin` bytes, blanks around not counted. */
export function tooShort(secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([, value]) => textsOf(value).length === 0).map(([name]) => name);
}

/** A masker for these secrets, by name. Those that are `tooShort` are not masked. */
export function createMasker(secrets: ReadonlyMap<string, string> = new Map()): Masker {
  const known = new Set<string>();
  const inOrder: string[] = [];
  const listeners: (() => void)[] = [];
  let groups: readonly Group[] = [];
  let patterns: readonly Patterns[] = [];

  function learn(given: Iterable<string>): void {
    const fresh = [...new Set(given)].filter((secret) => !known.has(secret));
    for (const secret of fresh) known.add(secret);
    for (const secret of fresh) inOrder.push(secret);
    const forms = fresh.map(encodingsOf).filter(({ plain }) => plain.length > 0);
    if (forms.length === 0) return;
    groups = grown(groups, forms);
    patterns = groups.flatMap((group) => group.patterns);
    for (const listener of listeners) listener();
  }

  learn(secrets.values());
  return {
    get isEmpty() {
      return patterns.length === 0;
    },
    mask: (text) => (patterns.length === 0 ? text : maskText(patterns, text)),
    stream: () => createStream(() => patterns),
    learn,
    known: inOrder,
    onLearn: (listener) => void listeners.push(listener),
  };
}

/** Secrets that are looked for together. */
interface Group {
  readonly forms: readonly Encodings[];
  /** Letters of all forms. */
  readonly size: number;
  readonly patterns: readonly Patterns[];
}

/** A group up to this size is made anew for each secret that comes to it: so few secrets are always one group, and as fast. */
const SMALL_GROUP = 100_000;

/** M5: a new group takes in those before it that are no larger, so each secret is built into few groups, and there are few groups. */
function grown(groups: readonly Group[], fresh: readonly Encodings[]): readonly Group[] {
  let [forms, size, kept] = [[...fresh], sizeOf(fresh), groups.length];
  for (; kept > 0 && groups[kept - 1]!.size <= Math.max(size, SMALL_GROUP); kept--) {
    forms = [...groups[kept - 1]!.forms, ...forms];
    size += groups[kept - 1]!.size;
  }
  const patterns = [
    createPatterns([...new Set(forms.flatMap(({ plain }) => plain))], false),
    createPatterns([...new Set(forms.flatMap(({ wrapped }) => wrapped))], true),
  ];
  return [...groups.slice(0, kept), { forms, size, patterns }];
}

function sizeOf(forms: readonly Encodings[]): number {
  let size = 0;
  for (const { plain, wrapped } of forms) for (const form of [...plain, ...wrapped]) size += form.length;
  return size;
}

const EMPTY = new Uint8Array(0);
const MASK_BYTES = Buffer.from(MASK);

function maskText(patterns: readonly Patterns[], text: string): string {
  // Half a surrogate pair has no bytes; it stands between texts that have.
  if (!text.isWellFormed()) return text.replace(/\P{Surrogate}+/gu, (part) => maskText(patterns, part));
  const bytes = Buffer.from(text);
  const stream = createStream(() => patterns);
  const [most, rest] = [stream.push(bytes), stream.end()];
  if (most.length + rest.length === bytes.length && bytes.equals(Buffer.concat([most, rest]))) return text;
  return Buffer.concat([most, rest]).toString();
}

function createStream(current: () => readonly Patterns[]): MaskStream {
  let patterns = current();
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

  /** M5. What is held back is all that the finders know of; it is read again by those that know more. */
  function catchUp(): void {
    if (patterns === current()) return;
    const before = joinedStretches(finders);
    patterns = current();
    finders = [createRemembered(before), ...patterns.map(createFinder)];
    for (const finder of finders) finder.read(held, 0);
  }

  return {
    push(bytes) {
      catchUp();
      if (finders.length === 0) return bytes;
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      for (const finder of finders) finder.read(all, held.length);
      const safe = finders.reduce((least, finder) => Math.min(least, finder.openFrom(all.length)), all.length);
      const certain = release(all, safe);
      for (const finder of finders) finder.forget(safe);
      // A copy: the caller may use its buffer again.
      held = safe === all.length ? EMPTY : Uint8Array.from(all.subarray(safe));
      return certain;
    },
    end(cut = false) {
      catchUp();
      const open = finders.reduce((least, finder) => Math.min(least, finder.openFrom(held.length)), held.length);
      const whole = cut && held.length - open >= limits.secretBytesMin ? open : held.length;
      const before = release(held, whole);
      const rest = whole === held.length || masking ? before : Buffer.concat([before, MASK_BYTES]);
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
