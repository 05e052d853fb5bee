// body: the request body: text, a file, standard input or a form (spec 3.6).
//   B1. A file or standard input is sent byte for byte.
//   B2. A body of up to `limits.httpHeldBytesMax` is held in memory, so that it can be sent again. A longer stdin is
//       streamed once.
//   B3. At most one option can read standard input.

import { createReadStream, fstatSync, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { limits } from "../../base/limits.ts";
import type { HttpOptions } from "./options.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface Body {
  /** In bytes, if known. */
  length?: number;
  type?: string;
  /** Throws `HttpProblem` (65) if it cannot be sent again. */
  open(): Buffer | Readable | undefined;
}

export function bytesBody(bytes: Buffer, type?: string): Body {
  return { length: bytes.length, type, open: () => bytes };
}

export async function bodyOf({ data, json, form }: HttpOptions, stdin: Stdin): Promise<Body> {
  if ([data, json, form].filter((one) => one !== undefined).length > 1)
    throw usage("conflicting-options", "A call has one body: --data, --json or --form.");
  if (form !== undefined) return formBody(form, stdin);
  if (json !== undefined) return oneBody(json, "application/json", stdin);
  if (data === undefined) return { length: 0, open: () => undefined };
  const type = "application/x-www-form-urlencoded";
  if (data.length === 1) return oneBody(data[0]!, type, stdin);
  const parts = await Promise.all(data.map((one) => bytesOf(one, stdin)));
  return bytesBody(Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from("&"), part]))), type);
}

async function oneBody(text: string, type: string, stdin: Stdin): Promise<Body> {
  if (text === "@-") return stdin.body(type);
  if (!text.startsWith("@")) return bytesBody(Buffer.from(text), type);
  const file = text.slice(1);
  const size = sizeOfFile(file);
  if (size <= limits.httpHeldBytesMax) return bytesBody(readWhole(file), type);
  return { length: size, type, open: () => createReadStream(file) };
}

/** The bytes of a word, or of the file named after @. */
async function bytesOf(text: string, stdin: Stdin): Promise<Buffer> {
  if (!text.startsWith("@")) return Buffer.from(text);
  return text === "@-" ? Buffer.from(await stdin.text()) : readWhole(text.slice(1));
}

function sizeOfFile(file: string): number {
  try {
    return statSync(file).size;
  } catch (reason) {
    throw unreadable(file, reason);
  }
}

export function readWhole(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (reason) {
    throw unreadable(file, reason);
  }
}

function unreadable(what: string, reason: unknown): HttpProblem {
  return new HttpProblem(
    HttpExit.READ,
    "cannot-read",
    `${what} cannot be read: ${(reason as Error).message}.`,
    "A file name after @ starts at the folder of the command (cwd).",
  );
}

async function formBody(fields: readonly string[], stdin: Stdin): Promise<Body> {
  const form = new FormData();
  for (const field of fields) {
    const at = field.indexOf("=");
    if (at < 1) throw usage("bad-form", `"--form ${field}" has no name.`, "--form name=value, or --form name=@FILE");
    const [name, value] = [field.slice(0, at), field.slice(at + 1)];
    const [, file = "", type = "application/octet-stream", as] =
      /^[@<](.*?)(?:;type=([\w.+/-]+))?(?:;filename=([^;]+))?$/s.exec(value) ?? [];
    if (value.startsWith("@")) form.append(name, await blobOf(file, type, stdin), as ?? basename(file));
    else form.append(name, value.startsWith("<") ? (await bytesOf(`@${file}`, stdin)).toString("utf8") : value);
  }
  const { body, headers } = new Response(form);
  return heldOrStreamed(Readable.fromWeb(body as ReadableStream), headers.get("content-type") ?? "");
}

/** A file is read while it is sent. */
async function blobOf(file: string, type: string, stdin: Stdin): Promise<Blob> {
  if (file === "-") return new Blob([await stdin.text()], { type });
  sizeOfFile(file);
  return openAsBlob(file, { type });
}

export interface Stdin {
  body(type: string): Promise<Body>;
  text(): Promise<string>;
  /** stdin is a pipe or a file, not a terminal. */
  isGiven(): boolean;
}

export function openStdin(): Stdin {
  let taken = false;
  const body = (type: string): Promise<Body> => {
    if (taken)
      throw usage("stdin-twice", "Only one option can read standard input.", "Use a file for the other: @FILE.");
    taken = true;
    return heldOrStreamed(process.stdin, type);
  };
  const text = async (): Promise<string> => {
    const read = await body("");
    if (read.length !== undefined) return String(read.open());
    throw new HttpProblem(
      HttpExit.REWIND,
      "body-too-large",
      `Standard input is larger than ${limits.httpHeldBytesMax / 1e6} MB, too large for this option.`,
      "-d @- sends any size.",
    );
  };
  const isGiven = (): boolean => {
    try {
      const kind = fstatSync(0);
      return kind.isFIFO() || kind.isFile() || kind.isSocket();
    } catch {
      return false;
    }
  };
  return { body, text, isGiven };
}

async function heldOrStreamed(stream: Readable, type: string): Promise<Body> {
  const held: Buffer[] = [];
  let size = 0;
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    while (size <= limits.httpHeldBytesMax) {
      const next = await chunks.next();
      if (next.done === true) return bytesBody(Buffer.concat(held), type);
      held.push(next.value);
      size += next.value.length;
    }
  } catch (reason) {
    throw unreadable("Standard input", reason);
  }
  let sent = false;
  const open = (): Readable => {
    if (sent) throw cannotSendAgain();
    sent = true;
    return Readable.from(after(held, chunks), { objectMode: false });
  };
  return { type, open };
}

export function cannotSendAgain(): HttpProblem {
  return new HttpProblem(
    HttpExit.REWIND,
    "cannot-send-again",
    "The body had to be sent again, and standard input cannot be read twice.",
    "Write it to a file first: -d @FILE.",
  );
}

async function* after(held: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* held.splice(0);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
