// output-search: lines of an output that match, looked for on the server (spec 2.3).
//   S1. One look takes limits.searchMs at the most, and lets others in between; then it says where to go on.
//   S2. A pattern cannot take us down: re2 takes a time that grows with the text and with nothing else.
// Plain text without capital letters is found in either case, as in most editors.

import { setImmediate as turn } from "node:timers/promises";
import type { OutputMatches } from "../api/shapes.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Store } from "../store/index.ts";
import { bytesOf, type Piece, sizeOf } from "./output-lines.ts";
import type { AttemptOutput } from "./outputs-of.ts";

export interface Search {
  text: string;
  regex: boolean;
  /** The last line that was looked at before; its place is known when it was the end of a look. */
  after: number;
  limit: number;
}

type Find = (line: string) => [number, number] | undefined;

/** Where a look has ended, by output: the next one begins there. */
const ends = new Map<string, { line: number; at: number }>();
const REMEMBERED = 100;

/** The error says what is wrong with the pattern. */
export async function search(
  output: AttemptOutput,
  pieces: readonly Piece[],
  asked: Search,
  store: Store,
  signal: AbortSignal,
): Promise<Result<OutputMatches, string>> {
  const find = await finder(asked);
  if (!find.ok) return find;
  const key = `${output.run} ${output.files.stdout} ${pieces[0]?.stream} ${asked.after}`;
  const known = ends.get(key);
  let { line, at } = known?.line === asked.after ? known : { line: 0, at: 0 };
  const size = sizeOf(pieces);
  const until = performance.now() + limits.searchMs;
  const items: OutputMatches["items"] = [];
  let rest: Buffer = Buffer.alloc(0);
  // Of a line that is longer than what is searched: what was passed over.
  let dropped = 0;
  let more = false;
  look: for (const { bytes } of bytesOf(output, pieces, at, size, store)) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let from = 0;
    let begun = 0;
    for (
      let end = all.indexOf(10);
      end !== -1 || endOfAll(at + dropped + all.length, size, from, all);
      end = all.indexOf(10, from)
    ) {
      const stop = end === -1 ? all.length : end;
      const text = all.toString("utf8", from, Math.min(stop, from + limits.lineSearchedBytes));
      line += 1;
      from = stop + 1;
      const match = line > asked.after ? find.value(text) : undefined;
      if (match !== undefined)
        items.push({ line, start: match[0], end: match[1], text: text.slice(0, limits.lineShownChars) });
      at += Math.min(from, all.length) - begun + dropped;
      dropped = 0;
      begun = from;
      if (items.length >= asked.limit) {
        more = at < size;
        break look;
      }
    }
    rest = all.subarray(Math.min(begun, all.length));
    if (rest.length > limits.lineSearchedBytes) {
      dropped += rest.length - limits.lineSearchedBytes;
      rest = rest.subarray(0, limits.lineSearchedBytes);
    }
    if (performance.now() > until) {
      more = true;
      break;
    }
    await turn();
    if (signal.aborted) break;
  }
  if (more) remember(`${output.run} ${output.files.stdout} ${pieces[0]?.stream} ${line}`, { line, at });
  return ok({ items, ...(more ? { next: line } : {}) });
}

/** A last line without a line break. */
function endOfAll(reached: number, size: number, from: number, all: Buffer): boolean {
  return reached >= size && from < all.length;
}

function remember(key: string, end: { line: number; at: number }): void {
  ends.delete(key);
  ends.set(key, end);
  if (ends.size > REMEMBERED) ends.delete(ends.keys().next().value!);
}

/** S2. */
async function finder({ text, regex }: Search): Promise<Result<Find, string>> {
  if (!regex) {
    const folds = text === text.toLowerCase();
    return ok((line) => {
      const start = (folds ? line.toLowerCase() : line).indexOf(text);
      return start === -1 ? undefined : [start, start + text.length];
    });
  }
  try {
    const { RE2JS } = await import("re2js");
    const pattern = RE2JS.compile(text);
    return ok((line) => {
      const matcher = pattern.matcher(line);
      return matcher.find() ? [matcher.start(), matcher.end()] : undefined;
    });
  } catch (reason) {
    return err(reason instanceof Error ? reason.message : String(reason));
  }
}
