// terminal: the two streams a command writes to, and what is known of them. Data goes to stdout, everything else to stderr (spec 2.2).
//   T1. A reader that has gone away (EPIPE) is no error: writing to it does nothing any more, and `outGone` says so.
//   T4. Output that could not be written, to a full disk, is told at the end: nobody takes half of it for all.
//   T3. JSON holds no control or bidi character as it is, wherever it goes (spec 4.3 S8).
//   T2. Nothing is lost at the end: `flushed` waits until both streams have taken everything.

import { type Problem, renderProblem } from "./problem.ts";
import { type Style, styleFor } from "./style.ts";

export interface Stream {
  write(text: string | Uint8Array): boolean;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
}

export interface Terminal {
  env: NodeJS.ProcessEnv;
  /** "" when it is not there any more; then nothing is begun. */
  cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** One JSON value and a line break on stdout. */
  json(value: unknown, pretty?: boolean): void;
  problem(given: Problem, kind?: "error" | "warning"): void;
  outStyle: Style;
  errStyle: Style;
  outStream: NodeJS.WriteStream;
  errStream: NodeJS.WriteStream;
  /** Nothing can be written to stdout any more: its reader has gone away, or T4. */
  outGone(): boolean;
  /** T4. Why stdout took no more. */
  outLost(): Error | undefined;
  /** Calls back at once when the reader of stdout has gone away. */
  onOutGone(call: () => void): void;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  let gone = false;
  let lost: Error | undefined;
  const callbacks: (() => void)[] = [];
  stdout.on("error", (reason: NodeJS.ErrnoException) => {
    if (reason.code !== "EPIPE" && reason.code !== "EIO") lost ??= reason;
    gone = true;
    for (const call of callbacks) call();
  });
  // Nobody left to tell.
  stderr.on("error", () => {});
  const errStyle = styleFor(stderr, env);
  const out = (text: string): void => {
    if (!gone) stdout.write(text);
  };
  return {
    env,
    cwd: folderHere(),
    out,
    err: (text) => void stderr.write(text),
    json: (value, pretty = false) => out(`${escapedJson(JSON.stringify(value, null, pretty ? 2 : undefined))}\n`),
    problem: (given, kind) => void stderr.write(renderProblem(given, errStyle, kind)),
    outStyle: styleFor(stdout, env),
    errStyle,
    outStream: stdout,
    errStream: stderr,
    outGone: () => gone,
    outLost: () => lost,
    onOutGone: (call) => void callbacks.push(call),
  };
}

/** "" when it was removed. */
function folderHere(): string {
  try {
    return process.cwd();
  } catch {
    return "";
  }
}

/** The same JSON without what a terminal or a reader of the text could take for something else: C1, bidi, no width. */
function escapedJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export async function flushed(): Promise<void> {
  // What a file refuses is told one turn later.
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([process.stdout, process.stderr].map(drained));
}

function drained(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0 || stream.destroyed) return undefined;
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
