// body: the request body: text, a file, standard input or a form (spec 3.6).
//   B1. A file or standard input is sent byte for byte.
//   B2. Standard input of up to `limits.httpHeldBytesMax` is held in memory, so that it can be sent again. More is
//       streamed once.
//   B3. At most one option can read standard input.

import { fstatSync, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { FormData } from "undici";
import { limits } from "../../base/limits.ts";
import type { HttpOptions } from "./options.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface Body {
  content?: Buffer | Blob | FormData | Readable;
  type?: string;
}

export async function bodyOf({ data, json, form }: HttpOptions, stdin: Stdin): Promise<Body> {
  if ([data, json, form].filter((one) => one !== undefined).length > 1)
    throw usage("conflicting-options", "A call has one body: --data, --json or --form.");
  if (form !== undefined) return { content: await formOf(form, stdin) };
  if (json !== undefined) return { content: await contentOf(json, stdin), type: "application/json" };
  if (data === undefined) return {};
  const type = "application/x-www-form-urlencoded";
  if (data.length === 1) return { content: await contentOf(data[0]!, stdin), type };
  const parts = await Promise.all(data.map((one) => bytesOf(one, stdin)));
  const joined = parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from("&"), part]));
  return { content: Buffer.concat(joined), type };
}

/** The bytes of a word, a file after @, or standard input. A file is read while it is sent. */
async function contentOf(text: string, stdin: Stdin): Promise<Body["content"]> {
  if (text === "@-") return stdin.content();
  return text.startsWith("@") ? blobOf(text.slice(1)) : Buffer.from(text);
}

export async function bytesOf(text: string, stdin: Stdin): Promise<Buffer> {
  if (!text.startsWith("@")) return Buffer.from(text);
  if (text === "@-") return Buffer.from(await stdin.text());
  const file = text.slice(1);
  try {
    return readFileSync(file);
  } catch (reason) {
    throw unreadable(file, reason);
  }
}

async function blobOf(file: string): Promise<Blob> {
  try {
    // A pipe, such as <(command), has no size.
    if (!statSync(file).isFile()) return new Blob([readFileSync(file)]);
    return await openAsBlob(file);
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

async function formOf(fields: readonly string[], stdin: Stdin): Promise<FormData> {
  const { FormData } = await import("undici");
  const form = new FormData();
  for (const field of fields) {
    const at = field.indexOf("=");
    if (at < 1) throw usage("bad-form", `"--form ${field}" has no name.`, "--form name=value, or --form name=@FILE");
    const [name, value] = [field.slice(0, at), field.slice(at + 1)];
    if (value === "@-") form.append(name, new Blob([await stdin.text()]), "-");
    else if (value.startsWith("@")) form.append(name, await blobOf(value.slice(1)), basename(value.slice(1)));
    else form.append(name, value);
  }
  return form;
}

export interface Stdin {
  content(): Promise<Buffer | Readable>;
  text(): Promise<string>;
  /** stdin is a pipe or a file, not a terminal. */
  isGiven(): boolean;
}

export function openStdin(): Stdin {
  let taken = false;
  const content = async (): Promise<Buffer | Readable> => {
    if (taken)
      throw usage("stdin-twice", "Only one option can read standard input.", "Use a file for the other: @FILE.");
    taken = true;
    const held: Buffer[] = [];
    const chunks = process.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (let size = 0; size <= limits.httpHeldBytesMax; size += held.at(-1)!.length) {
        const next = await chunks.next();
        if (next.done === true) return Buffer.concat(held);
        held.push(next.value);
      }
    } catch (reason) {
      throw unreadable("Standard input", reason);
    }
    return Readable.from(after(held, chunks), { objectMode: false });
  };
  const text = async (): Promise<string> => {
    const read = await content();
    if (Buffer.isBuffer(read)) return read.toString("utf8");
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
  return { content, text, isGiven };
}

async function* after(held: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* held.splice(0);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

export function cannotSendAgain(): HttpProblem {
  return new HttpProblem(
    HttpExit.REWIND,
    "cannot-send-again",
    "The body had to be sent again, and standard input cannot be read twice.",
    "Write it to a file first: -d @FILE.",
  );
}
