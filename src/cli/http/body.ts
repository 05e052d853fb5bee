// body: the request body: text, a file or standard input (spec 3.6).
//   B1. A file or standard input is sent byte for byte.
//   B2. Standard input is held in memory, so that it can be sent again: at most `limits.httpHeldBytesMax`.
//   B3. At most one option can read standard input.

import { fstatSync, openAsBlob, readFileSync, statSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import type { HttpOptions } from "./options.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface Body {
  content?: Buffer | Blob;
  type?: string;
}

export async function bodyOf({ data, json }: HttpOptions, stdin: Stdin): Promise<Body> {
  if (data !== undefined && json !== undefined)
    throw usage("conflicting-options", "A call has one body: --data or --json.");
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
  if (text === "@-") return stdin.content();
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
    `Curlew can't read ${what}: ${(reason as Error).message}.`,
    "A file name after @ is relative to the command's folder (cwd).",
  );
}

export interface Stdin {
  content(): Promise<Buffer>;
  /** stdin is a pipe or a file, not a terminal. */
  isGiven(): boolean;
}

export function openStdin(): Stdin {
  let taken = false;
  const content = async (): Promise<Buffer> => {
    if (taken)
      throw usage("stdin-twice", "Only one option can read standard input.", "Use a file for the other: @FILE.");
    taken = true;
    const held: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
        held.push(chunk);
        size += chunk.length;
        if (size > limits.httpHeldBytesMax) break;
      }
    } catch (reason) {
      throw unreadable("Standard input", reason);
    }
    if (size <= limits.httpHeldBytesMax) return Buffer.concat(held);
    const message = `Standard input is larger than ${limits.httpHeldBytesMax / 1e6} MB, so it can't be held for a retry.`;
    throw new HttpProblem(HttpExit.REWIND, "body-too-large", message, "Write it to a file first: -d @FILE.");
  };
  const isGiven = (): boolean => {
    try {
      const kind = fstatSync(0);
      return kind.isFIFO() || kind.isFile() || kind.isSocket();
    } catch {
      return false;
    }
  };
  return { content, isGiven };
}
