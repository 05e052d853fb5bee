// sum: a number kept beside each record, by which a record that changed by itself is found: a flipped bit, a row of another run
// (spec 3.4: the store checks itself).
//   S1. Any change of a single character is found, any other but for one in four thousand million.
//   S2. It says what was read, not how it lies on disk: it is taken over the decoded text.
// Deliberately absent: proof. Whoever can write to the database can write sums; what people allowed stands in the audit log.

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a over UTF-16, 0 to 2³²−1; each part ends with a mark, so that no text can move from one part to the next. */
export function sumOf(...parts: readonly string[]): number {
  let sum = OFFSET;
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) sum = Math.imul(sum ^ part.charCodeAt(at), PRIME);
    sum = Math.imul(sum ^ 0x10000, PRIME);
  }
  return sum >>> 0;
}

/** Of an event: of which run it is, its number and its stored form. */
export function eventSum(run: string, seq: number, body: string): number {
  return sumOf(run, String(seq), body);
}
