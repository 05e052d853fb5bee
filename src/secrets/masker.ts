// Removes secrets from texts and output streams before they reach disk, the journal, the screen, or a model (spec 4.2).
//   M1. No byte of any form of a secret (encodings.ts) gets through. Each match is
//       replaced by one mask, whatever its length.
//   M2. The output does not depend on how the stream was cut. Only bytes that may be
//       the start of a secret are held back.
//   M3. Everything else is unchanged, byte by byte. A text without secrets is returned as it is.
//   M4. Time depends only on the input, memory only on the secrets.
//   M5. A new secret is masked from then on, even in open streams: bytes still held back are checked for it. Adding
//       secrets one by one costs only a logarithmic factor more than adding them all at once.
// Secrets are added, never removed.

import { limits } from "../base/limits.ts";
import { type Encodings, encodingsOf, textsOf } from "./encodings.ts";
import { createFinder, createPatterns, createRemembered, type Finder, type Patterns } from "./finder.ts";

/** ASCII, so that it is valid in every encoding and inside JSON strings, URLs, and file names. */
export const MASK = "***";

export interface Masker {
  /** True while there is nothing to mask. */
  readonly isEmpty: boolean;
  /** The text with its secrets masked. */
  mask(text: string): string;
  /** A masker for one output stream. */
  stream(): MaskStream;
  /** Adds secrets. Known ones cost nothing, and those that are `tooShort` are ignored. */
  learn(secrets: Iterable<string>): void;
  /** All secrets passed so far, in order, for a masker in another process. */
  readonly known: readonly string[];
  /** Called after a new secret was added. */
  onLearn(listener: () => void): void;
}

interface MaskStream {
  /** Takes the next bytes and returns those that are final. The result may share memory with `bytes`. */
  push(bytes: Uint8Array): Uint8Array;
  /**
   * Ends the stream and returns the bytes held back. The next push starts a new stream. `cut`: the stream was cut off,
   * so bytes that look like the start of a secret, and are long enough for one, are masked too.
   */
  end(cut?: boolean): Uint8Array;
}

/**
 * Names of secrets with fewer than `limits.secretBytesMin` bytes when trimmed. Masking
 * them would also mask ordinary words.
 */
export function tooShort(secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([, value]) => textsOf(value).length === 0).map(([name]) => name);
}

/** Takes secrets by name. Those that are `tooShort` are not masked. */
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

/** Secrets that are searched for together. */
interface Group {
  readonly forms: readonly Encodings[];
  /** Total length of all forms. */
  readonly size: number;
  readonly patterns: readonly Patterns[];
}

/** Up to this size, a group is rebuilt for each new secret, so that a few secrets always form a single, fast group. */
const SMALL_GROUP = 100_000;

/**
 * M5: a new group absorbs earlier ones that are not larger. The number of groups, and
 * of rebuilds per secret, stays small.
 */
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
  // A lone surrogate has no bytes. It separates texts that have.
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
  /** Whether the byte before `held` was masked. A match that continues needs no second mask. */
  let masking = false;

  /** Returns everything before `safe`. */
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

  /** M5. The finders have seen only the bytes held back. Those bytes are read again with the new secrets. */
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
      // Copy, because the caller may reuse its buffer.
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

/** The matches of all finders, in order. Overlapping and adjacent ones are merged. */
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
