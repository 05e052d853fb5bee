// ids: run ids, and short forms of hashes. Pure: the clock and the random bytes are passed in.
//   I1. A run id has 20 characters of lowercase Crockford base 32: 9 of time (milliseconds), 11 random (55 bits).
//   I2. As plain text, ids sort by creation time. Within one millisecond their order is random.
//   I3. No id contains i, l, o or u, so a word such as `latest` is never a prefix of one.

import { impossible } from "./result.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 9;
const CHANCE_CHARS = 11;

/** Random bytes that `newRunId` needs. */
export const RUN_ID_RANDOM_BYTES = CHANCE_CHARS;

/** Length of a short id: its time and one random character, which is unique to about a millisecond. */
const SHORT_RUN_ID_CHARS = TIME_CHARS + 1;

const RUN_ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

/**
 * A new run id. `nowMs`: milliseconds since the epoch. `random`: at least RUN_ID_RANDOM_BYTES bytes, as from
 * crypto.randomBytes.
 * @example newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES))
 */
export function newRunId(nowMs: number, random: Uint8Array): string {
  if (!Number.isSafeInteger(nowMs) || nowMs < 0 || nowMs >= 32 ** TIME_CHARS) impossible(`a run id at ${nowMs} ms`);
  if (random.length < RUN_ID_RANDOM_BYTES) impossible(`a run id from ${random.length} random bytes`);
  let id = timeChars(nowMs);
  for (let n = 0; n < CHANCE_CHARS; n++) id += ALPHABET[random[n]! % 32];
  return id;
}

/**
 * A lower bound for ids made at this time or later, which sorts after all earlier ids. Times out of range are clamped.
 */
export function firstRunIdAt(timeMs: number): string {
  return timeChars(Math.min(Math.max(0, Math.ceil(timeMs)), 32 ** TIME_CHARS - 1));
}

function timeChars(timeMs: number): string {
  let chars = "";
  for (let rest = timeMs, n = 0; n < TIME_CHARS; n++, rest = Math.floor(rest / 32)) chars = ALPHABET[rest % 32] + chars;
  return chars;
}

export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/** The time of a run id in milliseconds since the epoch; undefined for other text. */
export function runIdTimeMs(id: string): number | undefined {
  if (!isRunId(id)) return undefined;
  let timeMs = 0;
  for (const char of id.slice(0, TIME_CHARS)) timeMs = timeMs * 32 + ALPHABET.indexOf(char);
  return timeMs;
}

/** The short form of a run id, which every command accepts. */
export function shortRunId(id: string): string {
  return id.slice(0, SHORT_RUN_ID_CHARS);
}

const HASH_CHARS_MIN = 8;

/** Whether `name` is the hash or a prefix long enough not to match by chance. */
export function namesHash(name: string, hash: string): boolean {
  return name.length >= HASH_CHARS_MIN && hash.startsWith(name.toLowerCase());
}
