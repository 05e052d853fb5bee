// explain: an end that is no success, in words for a person, with what helps (spec 3.2; remedies of mission section 7).
//   E1. One sentence says what happened, one says what helps. Codes are stable and listed in docs/processes.md.
//   E2. A code of curl's is explained as curl's only when stderr says so, or when curl is the only program that can have given it.
//   E3. Nothing of a value is repeated here except what the command itself printed to stderr.

import type { Cause } from "./cause.ts";
import { CURL_EXITS, explainHttpStatus, notHttps, refusedProtocol } from "./explain-curl.ts";

export interface Explanation {
  code: string;
  message: string;
  hint?: string;
}

export interface EndToExplain {
  cause: Cause;
  /** What was started: `bash`, `/usr/bin/python3`. */
  program: string;
  /** The author's text, to see whether it calls curl. */
  content?: string;
  stderrTail: string;
  /** curl was told to call https only (curl-config.ts). */
  httpsOnly?: boolean;
}

export function explainEnd(end: EndToExplain): Explanation {
  const { cause } = end;
  switch (cause.type) {
    case "exited":
      return explainExit(cause.code, end);
    case "signalled":
      return explainSignal(cause.signal);
    case "timed-out":
      return cause.limit === "total"
        ? {
            code: "timed-out",
            message: `The command was stopped after ${inWords(cause.afterMs)}, its time limit.`,
            hint: "Raise timeout, or give the call a limit of its own (curl --max-time).",
          }
        : {
            code: "timed-out-idle",
            message: `The command was stopped because it printed nothing for ${inWords(cause.afterMs)}, its idle limit.`,
            hint: "Raise idleTimeout, or let the command print its progress.",
          };
    case "cancelled":
      return { code: "cancelled", message: "The command was cancelled." };
    case "not-found":
      return notFound(cause.program);
    case "not-started":
      return { code: "not-started", message: `The command could not be started: ${cause.reason}.` };
    case "output-limit":
      return {
        code: "output-limit",
        message: `The command was stopped because it printed more than ${cause.bytes.toLocaleString("en")} bytes, the limit; what came before is kept.`,
        hint: "Print less, or raise limits.outputBytes in the document.",
      };
    case "output-failed":
      return {
        code: "output-failed",
        message: `The command was stopped because its output could not be stored: ${cause.reason}.`,
        hint: "Check that the disk of the home folder has room and is writable.",
      };
  }
}

function explainExit(code: number, end: EndToExplain): Explanation {
  const said = curlSaid(end.stderrTail);
  const curl = said ?? (callsCurlOnly(end) ? code : undefined);
  if (curl !== undefined && curl === code) return explainCurl(code, end);
  const missing = missingProgram(end.stderrTail);
  if (code === 127) return missing === undefined ? notFound(undefined) : notFound(missing);
  if (code === 126 && /Argument list too long/.test(end.stderrTail)) {
    return {
      code: "arguments-too-long",
      message:
        "The command exited with code 126: the arguments or variables of a program in it are too large for the system.",
      hint: "Hand large values over by stdin, or as a file: ${1|file}.",
    };
  }
  if (code === 126) {
    return {
      code: "not-executable",
      message: "The command exited with code 126: a program was found but may not be executed.",
      hint: "Check its permissions (chmod +x), and that it is a program for this machine.",
    };
  }
  if (code > 128 && SIGNALS[code - 128] !== undefined) {
    const signal = SIGNALS[code - 128]!;
    return {
      code: "exit-non-zero",
      message: `The command exited with code ${code}: a program in it was ended by ${signal}${MEANINGS[signal] ? ` (${MEANINGS[signal]})` : ""}.`,
      ...hintFor(signal),
    };
  }
  // A curl earlier in the script failed and something after it gave the exit code: the reason is still worth telling.
  const inner = said === undefined ? undefined : explainCurl(said, end);
  return {
    code: "exit-non-zero",
    message: `The command exited with code ${code}.${inner ? ` Before that: ${inner.message}` : ""}`,
    ...(inner?.hint ? { hint: inner.hint } : missing ? { hint: notFound(missing).hint! } : {}),
  };
}

function explainCurl(code: number, { stderrTail, httpsOnly }: EndToExplain): Explanation {
  if (code === 22) return explainHttpStatus(stderrTail);
  const refused = httpsOnly === true && code === 1 ? refusedProtocol(stderrTail) : undefined;
  if (refused !== undefined) return notHttps(refused);
  const known = CURL_EXITS[code];
  if (known === undefined) {
    return {
      code: "curl-failed",
      message: `curl exited with code ${code}.`,
      hint: 'Run it with --verbose, and look the code up under "EXIT CODES" in the manual of curl.',
    };
  }
  return { code: known.code, message: `${known.message} (curl exit code ${code}).`, hint: known.hint };
}

/** The last `curl: (N)` on stderr. */
function curlSaid(stderrTail: string): number | undefined {
  const last = [...stderrTail.matchAll(/^curl: \((\d+)\)/gm)].at(-1);
  return last === undefined ? undefined : Number(last[1]);
}

/** One command line that begins with curl and calls nothing else; curl --silent says nothing on stderr. */
function callsCurlOnly({ content, program }: EndToExplain): boolean {
  if (/(^|[\\/])curl(\.exe)?$/.test(program)) return true;
  const text = (content ?? "").trim().replaceAll(/\\\r?\n/g, " ");
  return /^(\S*\/)?curl\s/.test(text) && !/[|;&\n`]|\$\(/.test(text.replaceAll(/'[^']*'|"[^"]*"/g, "''"));
}

/** The program of a shell's "command not found", as bash, dash, zsh and env say it. */
function missingProgram(stderrTail: string): string | undefined {
  for (const line of stderrTail.split("\n").reverse()) {
    const said =
      /(?:^|: )line \d+: (.+): command not found$/.exec(line) ??
      /(?:^|: )\d+: (?:exec: )?(.+): not found$/.exec(line) ??
      /(?:^|:)\d+: command not found: (.+)$/.exec(line) ??
      /(?:^|: )line \d+: (.+): No such file or directory$/.exec(line) ??
      /(?:^|:)\d+: no such file or directory: (.+)$/.exec(line) ??
      /^(?:\S*\/)?env: [‘'"](.+)[’'"]: No such file or directory$/.exec(line);
    if (said) return said[1]!.trim();
  }
  return undefined;
}

function notFound(program: string | undefined): Explanation {
  if (program === undefined) {
    return {
      code: "command-not-found",
      message: "The command exited with code 127: a program in it was not found.",
      hint: "Install the program, or give its full path.",
    };
  }
  const isPath = program.includes("/");
  return {
    code: "command-not-found",
    message: isPath ? `There is no program at "${program}".` : `No program called "${program}" is on PATH.`,
    hint: isPath ? "Check the path; relative paths start at cwd." : `Install ${program}, or give its full path.`,
  };
}

const SIGNALS: Record<number, string> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
};

const MEANINGS: Record<string, string> = {
  SIGILL: "it ran an instruction that this processor does not have",
  SIGABRT: "it gave up by itself",
  SIGBUS: "it crashed",
  SIGFPE: "it divided by zero",
  SIGKILL: "killed from outside, often because memory ran out",
  SIGSEGV: "it crashed",
  SIGPIPE: "nobody read its output any more",
  SIGTERM: "asked to end from outside",
  SIGXCPU: "it used up its processor time",
  SIGXFSZ: "a file grew beyond its limit",
};

function explainSignal(signal: string): Explanation {
  const meaning = MEANINGS[signal];
  return {
    code: "signalled",
    message: `The command was ended by the signal ${signal}${meaning ? `: ${meaning}` : ""}.`,
    ...hintFor(signal),
  };
}

function hintFor(signal: string): { hint?: string } {
  if (signal === "SIGKILL") return { hint: "Check the memory of the machine (dmesg shows what the kernel killed)." };
  if (signal === "SIGPIPE")
    return { hint: "A program later in the pipe ended early; flags.pipefail: false ignores that." };
  return {};
}

function inWords(ms: number): string {
  for (const [unit, size] of [
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const) {
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}
