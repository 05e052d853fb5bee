// body: what a call sends: text, a file, standard input, a form (spec 3.6).
//   B1. A file or standard input is sent byte for byte.
//   B2. What is small enough is held, so that it can be sent again (a retry, a redirect); of standard input, the beginning is read first.
//   B3. Standard input is read once, by one option.

import { randomBytes } from "node:crypto";
import { createReadStream, fstatSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { limits } from "../../base/limits.ts";
import type { HttpOptions } from "./options.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface Body {
  /** Bytes, when they are known. */
  length: number | undefined;
  type: string | undefined;
  /** Nothing is sent when it answers undefined. Throws `HttpProblem` (65) when asked a second time for what is gone. */
  open(): Buffer | Readable | undefined;
  /** What is signed. Throws `HttpProblem` when it is too large to be held. */
  bytes(): Buffer;
}

export function bytesBody(bytes: Buffer | undefined, type: string | undefined): Body {
  return { length: bytes?.length ?? 0, type, open: () => bytes, bytes: () => bytes ?? Buffer.alloc(0) };
}

/** The body that the options name; `stdin` answers with standard input once. */
export async function bodyOf(options: HttpOptions, stdin: Stdin): Promise<Body> {
  const { data, json, form } = options;
  if ([data, json, form].filter((one) => one !== undefined).length > 1)
    throw usage("conflicting-options", "A call has one body: --data, --json or --form.");
  if (form !== undefined) return formBody(form, stdin);
  if (json !== undefined) return oneBody(json, "application/json", stdin);
  if (data === undefined) return bytesBody(undefined, undefined);
  const type = "application/x-www-form-urlencoded";
  if (data.length === 1) return oneBody(data[0]!, type, stdin);
  const parts = await Promise.all(data.map(async (one) => (await oneBody(one, type, stdin)).bytes()));
  return bytesBody(Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from("&"), part]))), type);
}

async function oneBody(text: string, type: string, stdin: Stdin): Promise<Body> {
  if (!text.startsWith("@")) return bytesBody(Buffer.from(text), type);
  return text === "@-" ? stdin.body(type) : fileBody(text.slice(1), type);
}

function fileBody(file: string, type: string): Body {
  const size = sizeOf(file);
  if (size !== undefined && size <= limits.httpHeldBytesMax) return bytesBody(readWhole(file), type);
  const bytes = (): Buffer => {
    throw tooLarge(`The file ${file}`);
  };
  return { length: size, type, open: () => createReadStream(file), bytes };
}

function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error("it is a folder");
    return found.isFile() ? found.size : undefined;
  } catch (reason) {
    throw unreadable(file, reason);
  }
}

/** The whole text or bytes of a file that is named by an option. */
export function readWhole(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (reason) {
    throw unreadable(file, reason);
  }
}

function unreadable(file: string, reason: unknown): HttpProblem {
  return new HttpProblem(
    HttpExit.READ,
    "cannot-read",
    `${file} cannot be read: ${(reason as Error).message}.`,
    "A file name after @ starts at the folder of the command (cwd).",
  );
}

function tooLarge(what: string): HttpProblem {
  return new HttpProblem(
    HttpExit.REWIND,
    "body-too-large",
    `${what} is larger than ${limits.httpHeldBytesMax / 1e6} MB, and cannot be held.`,
    "It can be sent as it is, but not signed or joined.",
  );
}

export interface Stdin {
  body(type: string): Promise<Body>;
  text(what: string): Promise<string>;
  /** Something can be read there without a person typing it. */
  isGiven(): boolean;
}

export function openStdin(): Stdin {
  let taken = false;
  const take = () => {
    if (taken)
      throw usage("stdin-twice", "Standard input can be read by one option only.", "Give the other by a file: @FILE.");
    taken = true;
    return process.stdin;
  };
  return {
    body: (type) => heldOrStreamed(take(), type),
    text: async (what) => {
      const body = await heldOrStreamed(take(), "");
      if (body.length === undefined) throw tooLarge(what);
      return body.bytes().toString("utf8");
    },
    isGiven: () => {
      try {
        const kind = fstatSync(0);
        return kind.isFIFO() || kind.isFile() || kind.isSocket();
      } catch {
        return false;
      }
    },
  };
}

/** B2. */
async function heldOrStreamed(stream: Readable, type: string): Promise<Body> {
  const held: Buffer[] = [];
  let size = 0;
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) return bytesBody(Buffer.concat(held), type);
      held.push(next.value);
      size += next.value.length;
      if (size > limits.httpHeldBytesMax) break;
    }
  } catch (reason) {
    throw new HttpProblem(HttpExit.READ, "cannot-read", `Standard input cannot be read: ${(reason as Error).message}.`);
  }
  let sent = false;
  return {
    length: undefined,
    type,
    bytes: () => {
      throw tooLarge("Standard input");
    },
    open: () => {
      if (sent)
        throw new HttpProblem(
          HttpExit.REWIND,
          "cannot-send-again",
          "The body had to be sent again, and standard input cannot be read twice.",
          "Write it to a file first: -d @FILE.",
        );
      sent = true;
      return Readable.from(after(held, chunks), { objectMode: false });
    },
  };
}

async function* after(held: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* held.splice(0);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Text to stand in the body, or a file to be read while it is sent. */
type Part = Buffer | { file: string; size: number };

async function formBody(fields: readonly string[], stdin: Stdin): Promise<Body> {
  const boundary = `----curlew${randomBytes(16).toString("hex")}`;
  const parts: Part[] = [];
  for (const field of fields) {
    const [head, content] = await fieldOf(field, stdin);
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from("\r\n"));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const type = `multipart/form-data; boundary=${boundary}`;
  const length = parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.size), 0);
  if (length <= limits.httpHeldBytesMax)
    return bytesBody(Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : readWhole(part.file)))), type);
  const bytes = (): Buffer => {
    throw tooLarge("The form");
  };
  return { length, type, bytes, open: () => Readable.from(streamed(parts), { objectMode: false }) };
}

async function* streamed(parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part;
    else yield* createReadStream(part.file) as AsyncIterable<Buffer>;
  }
}

/** `name=text`, `name=@FILE`, `name=<FILE`; after a file also `;type=…` and `;filename=…`. */
async function fieldOf(field: string, stdin: Stdin): Promise<[string, Part]> {
  const at = field.indexOf("=");
  if (at < 1) throw usage("bad-form", `"--form ${field}" has no name.`, "--form name=value, or --form name=@FILE");
  const name = quoted(field.slice(0, at));
  const value = field.slice(at + 1);
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  if (!/^[@<]/.test(value)) return [disposition, Buffer.from(value)];
  const [, file = "", type, as] = /^[@<](.*?)(?:;type=([\w.+/-]+))?(?:;filename=([^;]+))?$/s.exec(value) ?? [];
  const content = await contentOf(file, stdin);
  const kind = type === undefined ? "" : `\r\nContent-Type: ${type}`;
  if (value.startsWith("<")) return [`${disposition}${kind}`, content];
  const shown = quoted(as ?? (file === "-" ? "-" : basename(file)));
  return [`${disposition}; filename="${shown}"${kind || "\r\nContent-Type: application/octet-stream"}`, content];
}

async function contentOf(file: string, stdin: Stdin): Promise<Part> {
  if (file === "-") return (await stdin.body("")).bytes();
  const size = sizeOf(file);
  return size === undefined ? readWhole(file) : { file, size };
}

/** As browsers write it. */
function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
