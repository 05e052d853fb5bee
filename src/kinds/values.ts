// values: reads values, and builds joined ones, without holding more in memory than the caller allows (spec 1.2, 3.2).
//   V1. A value has the same bytes however it is read: as text, as a file, as standard input.
//   V2. A file is read only up to the value's `bytes`: the trailing newline that is not part of it is not read.
//   V3. Values are read and stored without a promise, so that ten thousand small nodes cost no ticks.
//   V4. A value that contains a secret is read from its sealed form while the run lasts. Later only its masked form is
//       left.

import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { once } from "node:events";
import { closeSync, createReadStream, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import { trailingBreak, type Value } from "../base/value.ts";
import type { Piece } from "../process/stdin.ts";
import type { SealedKind } from "../secrets/sealed.ts";

/** Access to a run's files. No other code opens them. */
export interface RunFiles {
  /** Absolute path of a file of the run. `name` was assigned by the run, never by a user. */
  path(name: string): string;
  /** A name for a new file that no other node or iteration uses. */
  fresh(suffix: string): string;
  /** Whether a file of that name has been written. */
  has(name: string): boolean;
  /** The text with the run's secrets masked, as it may be stored (4.2). */
  mask(text: string): string;
  /** Adds secrets to mask. */
  learn(secrets: readonly string[]): void;
  /** Encrypts bytes into a file of the run and returns its name. */
  seal(bytes: Uint8Array, kind: SealedKind): string;
  /** The sealed bytes. Undefined if the run has ended and only the masked form is left. */
  unseal(name: string): Buffer | undefined;
}

/** The value as text. Invalid UTF-8 becomes U+FFFD. Failure: `value-too-large` above `bytesMax`. */
export function valueText(value: Value, files: RunFiles, bytesMax: number): Result<string, Failure> {
  const exact = unsealed(value, files);
  if (exact !== undefined)
    return exact.length > bytesMax ? err(tooLarge(exact.length, bytesMax)) : ok(exact.toString("utf8"));
  if ("text" in value) return ok(value.text);
  if ("file" in value) {
    if (value.bytes > bytesMax) return err(tooLarge(value.bytes, bytesMax));
    return ok(readStart(files.path(value.file), value.bytes).toString("utf8"));
  }
  return joinedText(value, files, bytesMax);
}

/** The value as JSON if it parses as JSON, otherwise as a string (1.4). */
export function jsonOf(value: Value, files: RunFiles, bytesMax: number): Result<unknown, Failure> {
  const text = valueText(value, files, bytesMax);
  return text.ok ? ok(parseJsonOrText(text.value)) : text;
}

/** The value's bytes as pieces in order, for streaming. Joined JSON is written to a file of the run first. */
export function piecesOf(value: Value, files: RunFiles): Result<Piece[], Failure> {
  const exact = unsealed(value, files);
  if (exact !== undefined) return ok([{ text: exact }]);
  if ("text" in value) return ok([{ text: value.text }]);
  if ("file" in value) return ok([{ file: files.path(value.file), bytes: value.bytes }]);
  if (value.joined === "lines") return joinPieces(value.parts.slice(0, value.count), files);
  const text = joinedText(value, files, limits.expressionInputBytesMax);
  return text.ok ? ok([{ text: text.value }]) : text;
}

/** The values' pieces joined by newlines: `stdin.source: parents-all`, and `lines` accumulators. */
export function joinPieces(values: readonly Value[], files: RunFiles): Result<Piece[], Failure> {
  const all: Piece[] = [];
  for (const [index, value] of values.entries()) {
    const pieces = piecesOf(value, files);
    if (!pieces.ok) return pieces;
    if (index > 0) all.push({ text: "\n" });
    for (const piece of pieces.value) all.push(piece);
  }
  return ok(all);
}

/** Writes the value's exact bytes, waiting for a slow reader. */
export async function writeValue(
  value: Value,
  files: RunFiles,
  sink: NodeJS.WritableStream,
): Promise<Result<void, Failure>> {
  const pieces = piecesOf(value, files);
  if (!pieces.ok) return pieces;
  for (const piece of pieces.value) {
    for await (const chunk of chunksOf(piece)) if (!sink.write(chunk)) await once(sink, "drain");
  }
  return ok(undefined);
}

/** The same value in a form for the journal: text up to the limit, otherwise a file of the run. */
export function joinParts(value: Value, files: RunFiles): Result<Value, Failure> {
  if (!("joined" in value)) return ok(value);
  const text = valueText(value, files, limits.expressionInputBytesMax);
  return text.ok ? ok(store(text.value, files)) : text;
}

/**
 * A text as a value: inline up to the limit, otherwise in a new file of the run. If it contains a secret, it is also
 * sealed (V4).
 */
export function store(given: string, files: RunFiles): Value {
  const text = files.mask(given);
  const sealed = text === given ? undefined : files.seal(Buffer.from(given), "text");
  const isInline = text.length <= limits.inlineValueBytesMax && Buffer.byteLength(text) <= limits.inlineValueBytesMax;
  const stored = isInline ? { text } : writeFresh(text, files);
  return sealed === undefined ? stored : { ...stored, sealed };
}

/** The exact bytes of a value that contains a secret. */
export function unsealed(value: Value, files: RunFiles): Buffer | undefined {
  return "sealed" in value && value.sealed !== undefined ? files.unseal(value.sealed) : undefined;
}

/** A command's output file as a value: without one trailing newline (1.2), inline if it is small and valid UTF-8. */
export function outputValue(name: string, bytes: number, files: RunFiles): Value {
  if (bytes === 0) return { text: "" };
  if (bytes > limits.inlineValueBytesMax + 2)
    return { file: name, bytes: bytes - trailingBreak(readEnd(files.path(name), bytes)) };
  const all = readStart(files.path(name), bytes);
  const value = all.subarray(0, all.length - trailingBreak(all));
  if (value.length <= limits.inlineValueBytesMax && isUtf8(value)) return { text: value.toString("utf8") };
  return { file: name, bytes: value.length };
}

/** Applies `next` at once if the result is available, otherwise when it arrives. */
// Not called `then`: import() treats a module that exports `then` as a promise that never settles.
export function andThen<A, B>(
  result: Now<Result<A, Failure>>,
  next: (value: A) => Now<Result<B, Failure>>,
): Now<Result<B, Failure>> {
  if (result instanceof Promise) return result.then((settled) => (settled.ok ? next(settled.value) : settled));
  return result.ok ? next(result.value) : result;
}

export function parseJsonOrText(text: string): unknown {
  // Only text that can start a JSON document.
  if (!/^\s*[{["\-0-9tfn]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function joinedText(
  value: Extract<Value, { joined: string }>,
  files: RunFiles,
  bytesMax: number,
): Result<string, Failure> {
  const texts: string[] = [];
  let total = 0;
  for (const part of value.parts.slice(0, value.count)) {
    const text = valueText(part, files, bytesMax - total);
    if (!text.ok) return text;
    total += text.value.length + 1;
    if (total > bytesMax) return err(tooLarge(total, bytesMax));
    texts.push(text.value);
  }
  return ok(joinTexts(value, texts));
}

function joinTexts(value: Extract<Value, { joined: string }>, texts: string[]): string {
  if (value.joined === "lines") return texts.join("\n");
  const elements: string[] = [];
  for (const text of texts) {
    const json = parseJsonOrText(text);
    if (value.flatten === true && Array.isArray(json))
      for (const element of json) elements.push(JSON.stringify(element));
    // JSON keeps its original text, so that 1.0 and large numbers stay as they were written.
    else elements.push(json === text ? JSON.stringify(text) : text.trim());
  }
  return `[${elements.join(",")}]`;
}

function writeFresh(text: string, files: RunFiles): { file: string; bytes: number; sha256?: string } {
  const name = files.fresh("val");
  const bytes = Buffer.from(text);
  writeFileSync(files.path(name), bytes, { mode: 0o600 });
  return { file: name, bytes: bytes.length, ...hashed(bytes) };
}

/** Adds the hash of a file that Curlew has just written. */
export function withHash<V extends Value>(value: V, files: RunFiles): V {
  if (!("file" in value) || value.bytes > limits.hashedBytesMax) return value;
  return { ...value, ...hashed(readStart(files.path(value.file), value.bytes)) };
}

function hashed(bytes: Uint8Array): { sha256?: string } {
  return bytes.length > limits.hashedBytesMax ? {} : { sha256: hash("sha256", bytes) };
}

export function asUtf8(text: string | Uint8Array): string {
  return typeof text === "string" ? text : Buffer.from(text).toString("utf8");
}

export async function* chunksOf(piece: Piece): AsyncGenerator<Uint8Array | string> {
  if ("text" in piece) {
    if (piece.text.length > 0) yield piece.text;
    return;
  }
  if (piece.bytes > 0) yield* createReadStream(piece.file, { end: piece.bytes - 1, highWaterMark: 1 << 18 });
}

function readStart(path: string, bytes: number): Buffer {
  const all = readFileSync(path);
  return all.length > bytes ? all.subarray(0, bytes) : all;
}

/** The first bytes of the value in its masked form, without half a character at the end. */
export function startOf(value: Value, files: RunFiles, bytesMax: number): string {
  if ("joined" in value) return "";
  const all =
    "text" in value ? Buffer.from(value.text) : readPart(files.path(value.file), 0, Math.min(value.bytes, bytesMax));
  return new StringDecoder("utf8").write(all.subarray(0, bytesMax));
}

export function readPart(path: string, from: number, length: number): Buffer {
  const part = Buffer.alloc(length);
  const fd = openSync(path, "r");
  try {
    return part.subarray(0, readSync(fd, part, 0, length, from));
  } finally {
    closeSync(fd);
  }
}

function readEnd(path: string, bytes: number): Buffer {
  return readPart(path, Math.max(0, bytes - 2), 2);
}

const tooLarge = failureOf("value-too-large", (bytes: number, bytesMax: number) => [
  `A value of ${bytes} bytes is too large here. The limit is ${bytesMax} bytes.`,
  "Pass it to a command on stdin, which has no limit, and reduce it there (jq, head).",
]);
