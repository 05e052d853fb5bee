// ids: names of runs. Pure: the clock and the random bytes are passed in.
//   I1. A run id has 20 characters of lowercase Crockford base 32: 9 of time (milliseconds), 11 of chance (55 bits).
//   I2. Ids sort, as plain text, by the time they were made. Within one millisecond their order is chance.
//   I3. No id contains i, l, o or u, so no word such as `latest` is ever a prefix of one.

import { impossible } from "./result.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 9;
const CHANCE_CHARS = 11;

/** Random bytes that `newRunId` needs. */
export const RUN_ID_RANDOM_BYTES = CHANCE_CHARS;

/** How many characters of an id people are shown: one more than its time, so that it is unique to about a millisecond. */
export const SHORT_RUN_ID_CHARS = TIME_CHARS + 1;

const RUN_ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

/**
 * A new run id. `nowMs`: milliseconds since the epoch. `random`: at least RUN_ID_RANDOM_BYTES bytes, as from crypto.randomBytes.
 * @example newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES))
 */
export function newRunId(nowMs: number, random: Uint8Array): string {
  if (!Number.isSafeInteger(nowMs) || nowMs < 0 || nowMs >= 32 ** TIME_CHARS) impossible(`a run id at ${nowMs} ms`);
  if (random.length < RUN_ID_RANDOM_BYTES) impossible(`a run id from ${random.length} random bytes`);
  let id = timeChars(nowMs);
  for (let n = 0; n < CHANCE_CHARS; n++) id += ALPHABET[random[n]! % 32];
  return id;
}

/** No id made at that time or later sorts before it, and none made earlier behind it. Times out of reach count as the nearest one. */
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

/** The time in a run id, milliseconds since the epoch; of anything else, nothing. */
export function runIdTimeMs(id: string): number | undefined {
  if (!isRunId(id)) return undefined;
  let timeMs = 0;
  for (const char of id.slice(0, TIME_CHARS)) timeMs = timeMs * 32 + ALPHABET.indexOf(char);
  return timeMs;
}

/** What people are shown of a run id; it is accepted wherever a run is named. */
export function shortRunId(id: string): string {
  return id.slice(0, SHORT_RUN_ID_CHARS);
}
