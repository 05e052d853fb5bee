// Searches the lines of an output on the server (spec 2.3).
//   S1. A search takes at most limits.searchMs, yields to other work, and then says where to continue. It can also
//       continue within a very long line, for the same text: the part before is known not to match.
//   S2. A pattern cannot block the server: re2 takes time linear in the length of the text.
//   S3. If a chunk does not contain the text, its lines are only counted. That is the case for most of a large output.
//   S4. Only the first limits.lineSearchedBytes of a line are searched. `cut` says that a
//       longer line did not match in that part.
// Plain text without uppercase letters ignores case, as in most editors.

import { setImmediate as turn } from "node:timers/promises";
import type { OutputMatches } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { Recent } from "../../base/recent.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Store } from "../../store/index.ts";
import type { AttemptOutput } from "./attempt-output.ts";
import { lineBreaks } from "./line-index.ts";
import { bytesOf, type Piece, sizeOf } from "./lines.ts";

export interface Search {
  text: string;
  regex: boolean;
  /** The last line that was searched before. Its position is known if a search ended there. */
  after: number;
  limit: number;
}

interface Find {
  line(line: string): [number, number] | undefined;
  /** S3. False: none of these lines match. */
  any(lines: string): boolean;
}

/**
 * Where a search ended. `at`: the position after `line`.
 * `head`, `dropped`: the known start of the line after it, and the number of bytes skipped.
 */
interface End {
  line: number;
  at: number;
  head?: Buffer;
  dropped?: number;
}

/** Ends of earlier searches, by output and line. The next search starts there. */
const ends = new Recent<End>(100);

/** The error says what is invalid in the pattern. */
export async function search(
  output: AttemptOutput,
  pieces: readonly Piece[],
  asked: Search,
  store: Store,
  signal: AbortSignal,
): Promise<Result<OutputMatches, string>> {
  const find = await finder(asked);
  if (!find.ok) return find;
  const keyOf = (line: number) => `${output.run} ${output.files.stdout} ${pieces[0]?.stream} ${line}`;
  const within = `${keyOf(asked.after)} ${asked.regex} ${asked.text}`;
  const earlier = ends.get(within) ?? ends.get(keyOf(asked.after));
  const begin: End = earlier?.line === asked.after ? earlier : { line: 0, at: 0 };
  let { line, at } = begin;
  const size = sizeOf(pieces);
  const until = performance.now() + limits.searchMs;
  const items: OutputMatches["items"] = [];
  let rest: Buffer = begin.head ?? Buffer.alloc(0);
  // Bytes skipped in a line that is longer than the searched part.
  let dropped = begin.dropped ?? 0;
  let more = false;
  let cut = false;
  look: for (const { bytes } of bytesOf(output, pieces, at + rest.length + dropped, size, store)) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    // The last line need not end in a newline.
    const isLast = at + dropped + all.length >= size;
    // S3.
    const whole = all.lastIndexOf(10) + 1;
    const skipped = whole > 0 && !find.value.any(all.toString("utf8", 0, whole)) ? whole : 0;
    if (skipped > 0) {
      cut ||= dropped > 0 && line >= asked.after;
      line += lineBreaks(all.subarray(0, skipped));
      at += skipped + dropped;
      dropped = 0;
    }
    let from = skipped;
    let begun = skipped;
    for (let end = all.indexOf(10, from); end !== -1 || (isLast && from < all.length); end = all.indexOf(10, from)) {
      const stop = end === -1 ? all.length : end;
      const text = all.toString("utf8", from, Math.min(stop, from + limits.lineSearchedBytes));
      line += 1;
      from = stop + 1;
      const match = line > asked.after ? find.value.line(text) : undefined;
      // S4.
      if (match === undefined && line > asked.after && stop - begun + dropped > limits.lineSearchedBytes) cut = true;
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
  if (more && line > asked.after) ends.set(keyOf(line), { line, at });
  else if (more) ends.set(within, { line, at, head: Buffer.from(rest), dropped });
  return ok({ items, next: more ? line : undefined, cut: cut || undefined });
}

/** S2. */
async function finder({ text, regex }: Search): Promise<Result<Find, string>> {
  if (!regex) {
    const folds = text === text.toLowerCase();
    const folded = (line: string): string => (folds ? line.toLowerCase() : line);
    return ok({
      line: (line) => {
        const start = folded(line).indexOf(text);
        return start === -1 ? undefined : [start, start + text.length];
      },
      any: (lines) => folded(lines).includes(text),
    });
  }
  try {
    const { RE2JS } = await import("re2js");
    const pattern = RE2JS.compile(text);
    return ok({
      line: (line) => {
        const matcher = pattern.matcher(line);
        return matcher.find() ? [matcher.start(), matcher.end()] : undefined;
      },
      any: () => true,
    });
  } catch (reason) {
    return err(reason instanceof Error ? reason.message : String(reason));
  }
}
