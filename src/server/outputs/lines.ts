// Joins both output streams of an attempt in order of arrival, addressed by position (spec 2.3, 3.2).
//   N1. A position is a byte offset from the start of the joined streams, or of the stream if only one is read.
//   N2. A part starts and ends at line boundaries where possible, without reading more than was requested.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OutputLines } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { readOrder } from "../../process/interleaving.ts";
import type { Store } from "../../store/index.ts";
import type { AttemptOutput } from "./attempt-output.ts";

export type Which = "stdout" | "stderr" | "both";

export interface Piece {
  stream: "stdout" | "stderr";
  /** Byte offset in the stream's file. */
  offset: number;
  bytes: number;
  /** N1. */
  at: number;
  atMs?: number;
}

/** The pieces whose position is final, in order. For a single stream, that is all of them. */
export function piecesOf(output: AttemptOutput, which: Which, store: Store): Piece[] {
  const folder = store.outputs.folder(output.run);
  if (!folder.ok || output.secret) return [];
  const { stdout, stderr, order } = output.files;
  const [out, error, ord] = [stdout, stderr, order].map((name) => join(folder.value, name));
  let at = 0;
  return readOrder(out!, error!, ord!, which === "both" && !output.complete).flatMap((piece) => {
    if (which !== "both" && piece.stream !== which) return [];
    const placed: Piece = { ...piece, at };
    at += piece.bytes;
    return [placed];
  });
}

/** False on a cluster if the archive does not have it. */
export function isHere({ run, files, secret, printed }: AttemptOutput, store: Store): boolean {
  const folder = store.outputs.folder(run);
  return (
    !folder.ok ||
    secret ||
    !printed ||
    [files.stdout, files.stderr].some((name) => existsSync(join(folder.value, name)))
  );
}

export function sizeOf(pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  return last === undefined ? 0 : last.at + last.bytes;
}

/** The bytes from `from` to `to`, piece by piece. */
export function* bytesOf(
  output: AttemptOutput,
  pieces: readonly Piece[],
  from: number,
  to: number,
  store: Store,
): Generator<{ piece: Piece; at: number; bytes: Buffer }> {
  for (const piece of pieces.slice(firstAt(pieces, from))) {
    if (piece.at >= to) return;
    const end = Math.min(piece.bytes, to - piece.at);
    for (let skip = Math.max(0, from - piece.at); skip < end; ) {
      const wanted = Math.min(limits.outputChunkBytes * 16, end - skip);
      const chunk = store.outputs.range(output.run, output.files[piece.stream], piece.offset + skip, wanted);
      if (!chunk.ok || chunk.value.bytes.length === 0) return;
      yield { piece, at: piece.at + skip, bytes: Buffer.from(chunk.value.bytes) };
      skip += chunk.value.bytes.length;
    }
  }
}

/** Index of the piece that contains the position. */
function firstAt(pieces: readonly Piece[], at: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.at + pieces[middle]!.bytes <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface ByteRange {
  from: number;
  to: number;
  /** The start was counted back from the end and may be inside a line, which is then left out. */
  within?: boolean;
  /** At most this many lines. */
  lines?: number;
}

/** N2. The lines of a part. */
export function linesOf(
  output: AttemptOutput,
  pieces: readonly Piece[],
  part: ByteRange,
  store: Store,
): Pick<OutputLines, "items"> & ByteRange {
  const size = sizeOf(pieces);
  const items: OutputLines["items"] = [];
  const rest = { stdout: "", stderr: "" };
  let whenRest: Record<"stdout" | "stderr", { at?: string }> = { stdout: {}, stderr: {} };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let { from } = part;
  let to = from;
  let begun = from === 0 || part.within !== true;
  for (const { piece, at, bytes } of bytesOf(output, pieces, from, Math.min(part.to, size), store)) {
    let body = bytes;
    let skipped = 0;
    if (!begun) {
      const first = bytes.indexOf(10);
      if (first === -1 && at + bytes.length < size) continue;
      body = bytes.subarray(first + 1);
      skipped = first + 1;
      from = at + skipped;
      begun = true;
    }
    to = at + bytes.length;
    // Leave the text after the last newline for the next part, unless there is nothing else.
    if (to >= Math.min(part.to, size) && to < size) {
      const whole = body.lastIndexOf(10) + 1;
      if (whole > 0 || (at > from && rest[piece.stream] === "")) {
        to -= body.length - whole;
        body = body.subarray(0, whole);
      }
    }
    const lines = `${rest[piece.stream]}${decoders[piece.stream].decode(body, { stream: true })}`.split("\n");
    rest[piece.stream] = lines.pop()!;
    const when = piece.atMs === undefined ? {} : { at: new Date(output.startedMs + piece.atMs).toISOString() };
    if (rest[piece.stream] !== "") whenRest = { ...whenRest, [piece.stream]: when };
    let taken = 0;
    for (const text of lines) {
      items.push({ stream: piece.stream, text: shown(text), ...when });
      taken += 1;
      if (items.length === part.lines) return { items, from, to: at + skipped + endOf(body, taken) };
    }
  }
  for (const stream of ["stdout", "stderr"] as const)
    if (rest[stream] !== "") items.push({ stream, text: shown(rest[stream]), ...whenRest[stream] });
  return { items, from, to: Math.max(from, to) };
}

/** The position after this many newlines. */
function endOf(bytes: Buffer, breaks: number): number {
  let at = 0;
  for (let left = breaks; left > 0; left--) at = bytes.indexOf(10, at) + 1;
  return at;
}

function shown(text: string): string {
  return text.length <= limits.lineShownChars ? text : `${text.slice(0, limits.lineShownChars)}…`;
}
