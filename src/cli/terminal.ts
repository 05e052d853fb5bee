// terminal: what a command sees of the process that it is called in: streams, folder, environment, and signals. Data
// goes to stdout, everything else to stderr (spec 2.2).
//   T1. A closed reader (EPIPE) is not an error: later writes do nothing, and `outGone` returns true.
//   T2. No output is lost at the end: `flushed` waits until both streams have written everything.
//   T3. JSON output escapes control and bidi characters, wherever it goes (spec 4.3 S8).
//   T4. Output that could not be written, such as to a full disk, is reported at the end, so partial output is not
//       mistaken for all.

import type { Readable } from "node:stream";
import { type Problem, renderProblem } from "./problem.ts";
import { type Style, styleFor } from "./style.ts";

type Input = Readable & Pick<NodeJS.ReadStream, "isTTY" | "setRawMode">;

/** Signals that reach the process. */
type Signals = Record<
  "on" | "once" | "off",
  (signal: NodeJS.Signals, call: (signal: NodeJS.Signals) => void) => unknown
>;

/** The process as a call sees it. Tests make their own. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** "" if the folder no longer exists. Then no command starts. */
  cwd: string;
  /** A function, because opening the process's stdin takes time and most commands do not read it. */
  stdin(): Input;
  /** For readers that need all of stdin at once. */
  stdinFd: number;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  signals: Signals;
  exit(code: number): void;
}

export interface Terminal extends Pick<Surroundings, "env" | "cwd" | "stdin" | "stdinFd" | "signals" | "exit"> {
  /** Questions can be asked: stdin and stderr are terminals. */
  isInteractive(): boolean;
  out(text: string): void;
  err(text: string): void;
  /** One JSON value and a newline on stdout. */
  json(value: unknown, pretty?: boolean): void;
  problem(given: Problem, kind?: "error" | "warning"): undefined;
  outStyle: Style;
  errStyle: Style;
  outStream: NodeJS.WriteStream;
  errStream: NodeJS.WriteStream;
  /** stdout takes no more output: its reader has closed it, or writing failed (T4). */
  outGone(): boolean;
  /** T4. Why writing to stdout failed. */
  outLost(): Error | undefined;
  /** Calls back as soon as stdout takes no more output. */
  onOutGone(call: () => void): void;
}

export function processTerminal(): Terminal {
  return terminalOf({
    env: process.env,
    cwd: folderHere(),
    stdin: () => process.stdin,
    stdinFd: 0,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    exit: (code) => process.exit(code),
  });
}

export function terminalOf({ stdout, stderr, ...rest }: Surroundings): Terminal {
  const { env } = rest;
  let gone = false;
  let lost: Error | undefined;
  const callbacks: (() => void)[] = [];
  stdout.on("error", (reason: NodeJS.ErrnoException) => {
    if (reason.code !== "EPIPE" && reason.code !== "EIO") lost ??= reason;
    gone = true;
    for (const call of callbacks) call();
  });
  // There is no other stream to report it on.
  stderr.on("error", () => {});
  const errStyle = styleFor(stderr, env);
  const out = (text: string): void => {
    if (!gone) stdout.write(text);
  };
  return {
    ...rest,
    isInteractive: () => rest.stdin().isTTY === true && stderr.isTTY === true,
    out,
    err: (text) => void stderr.write(text),
    json: (value, pretty = false) => out(`${escapedJson(JSON.stringify(value, null, pretty ? 2 : undefined))}\n`),
    problem: (given, kind) => {
      stderr.write(renderProblem(given, errStyle, kind));
    },
    outStyle: styleFor(stdout, env),
    errStyle,
    outStream: stdout,
    errStream: stderr,
    outGone: () => gone,
    outLost: () => lost,
    onOutGone: (call) => void callbacks.push(call),
  };
}

/** "" if the folder was removed. */
function folderHere(): string {
  try {
    return process.cwd();
  } catch {
    return "";
  }
}

/**
 * The same JSON with C1 controls, bidi marks and zero-width characters escaped, which a terminal or reader could
 * misread.
 */
function escapedJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export async function flushed({ outStream, errStream }: Terminal): Promise<void> {
  // Errors of writing to a file are reported one turn later.
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([outStream, errStream].map(drained));
}

function drained(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0 || stream.destroyed) return undefined;
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
