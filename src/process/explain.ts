// explain: an end that is no success, in words for a person, with what helps (spec 3.2; remedies of mission section 7).
//   E1. One sentence says what happened, one says what helps. Codes are stable and listed in docs/processes.md.
//   E2. A code of curl's is explained as curl's only when stderr says so, or when curl is the only program that can have given it.
//   E3. Nothing of a value is repeated here except what the command itself printed to stderr.

import type { Failure } from "../base/failure.ts";
import type { Cause } from "./cause.ts";
import { CURL_EXITS, notHttps, refusedProtocol } from "./explain-curl.ts";
import { type Reason, reasonOf, type SeenCall } from "./reason.ts";
import { type ReasonCode, wordsOf } from "./reasons.ts";

export interface Explanation {
  code: string;
  message: string;
  /** All of `hints` as one text. */
  hint?: string;
  hints?: string[];
  /** What lies behind it, whichever program it was, where that is sure. */
  reason?: ReasonCode;
  /** The lines of stderr, or the call, that say so. */
  evidence?: string[];
}

export interface EndToExplain {
  cause: Cause;
  /** What was started: `bash`, `/usr/bin/python3`. */
  program: string;
  /** The author's text, to see whether it calls curl. */
  content?: string;
  stderrTail: string;
  /** The last line of stdout, where it is at hand. */
  stdoutLast?: string;
  /** The calls that were seen, in order. */
  calls?: readonly SeenCall[];
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
            ...TOOK_TOO_LONG,
            code: "timed-out",
            message: `The command was stopped after ${inWords(cause.afterMs)}, its time limit.`,
            hint: "Raise timeout, or give the call a limit of its own (curl --max-time).",
          }
        : {
            ...TOOK_TOO_LONG,
            code: "timed-out-idle",
            message: `The command was stopped because it printed nothing for ${inWords(cause.afterMs)}, its idle limit.`,
            hint: "Raise idleTimeout, or let the command print its progress.",
          };
    case "cancelled":
      return { code: "cancelled", message: "The command was cancelled." };
    case "not-found":
      return notFound({
        reason: "not-installed",
        ...wordsOf("not-installed", "other", { name: cause.program }),
        ...{ evidence: [], name: cause.program },
      });
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

const TOOK_TOO_LONG = { reason: "timeout" } as const;

/** In the words of glibc's loader and of musl's. */
function lackingLibrary(stderr: string): Explanation | undefined {
  const [, program = "", library = ""] =
    /(\S+): error while loading shared libraries: ([^\s:]+): cannot open/.exec(stderr) ?? [];
  const [, other = "", needing = ""] =
    /Error loading shared library ([^\s:]+): .*\(needed by (\S+)\)/.exec(stderr) ?? [];
  const [who, what] = [program || needing, library || other];
  if (what === "") return undefined;
  return {
    code: "not-executable",
    message: `The command exited with code 127: ${who} is there and cannot start, because its library ${what} is missing.`,
    hint: `Install ${who} anew, or what brings ${what}.`,
  };
}

function explainExit(code: number, end: EndToExplain): Explanation {
  const because = reasonOf({ ...end, exitCode: code });
  const own = explainOwnClient(code, end.stderrTail);
  if (own !== undefined)
    return because === undefined ? own : { ...own, reason: because.reason, evidence: because.evidence };
  const said = curlSaid(end.stderrTail);
  // 126 and 127 are the shell's: curl never began.
  const began = code !== 126 && code !== 127;
  const curl = said ?? (began && callsCurlOnly(end) ? code : undefined);
  if (curl === code) return explainCurl(code, end, because);
  const lacking = code === 127 ? lackingLibrary(end.stderrTail) : undefined;
  if (lacking !== undefined) return lacking;
  if (code === 127 && (because === undefined || because.reason === "not-installed")) return notFound(because);
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
  if (because !== undefined) {
    const message = `The command exited with code ${code} after ${because.what}.`;
    return { code: "exit-non-zero", message, ...told(because) };
  }
  if (code > 128 && SIGNALS[code - 128] !== undefined) {
    const signal = SIGNALS[code - 128]!;
    return {
      code: "exit-non-zero",
      message: `The command exited with code ${code}: a program in it was ended by ${signal}${MEANINGS[signal] ? ` (${MEANINGS[signal]})` : ""}.`,
      ...hintFor(signal),
    };
  }
  // A curl earlier in the script failed in a way that is no reason of its own: still worth telling.
  const inner = said === undefined || CURL_EXITS[said]?.reason ? undefined : explainCurl(said, end, undefined);
  return inner === undefined
    ? { code: "exit-non-zero", message: `The command exited with code ${code}.` }
    : {
        ...inner,
        code: "exit-non-zero",
        message: `The command exited with code ${code}. Before that: ${inner.message}`,
      };
}

/** What curl itself says is more exact than its code, where it says it. */
function explainCurl(code: number, end: EndToExplain, because: Reason | undefined): Explanation {
  const refused = end.httpsOnly === true && code === 1 ? refusedProtocol(end.stderrTail) : undefined;
  if (refused !== undefined) return notHttps(refused);
  const known = CURL_EXITS[code];
  if (known === undefined) {
    return {
      code: "curl-failed",
      message: `curl exited with code ${code}.`,
      hint: 'Run it with --verbose, and look the code up under "EXIT CODES" in the manual of curl.',
    };
  }
  if (because !== undefined)
    return { code: known.code, message: `${sentence(because.what)} (curl exit code ${code}).`, ...told(because) };
  const { reason } = known;
  return {
    ...{ code: known.code, message: `${known.message} (curl exit code ${code}).`, hint: known.hint },
    ...(reason === undefined ? {} : { reason, hints: [known.hint] }),
  };
}

/** A command that exited well, and whose output is not what was to come: the call before it may have been answered with an error. */
export function withCall(failure: Failure, calls: readonly SeenCall[]): Failure {
  const because = reasonOf({ stderrTail: "", calls });
  if (because === undefined) return failure;
  const hints = [...because.hints, ...(failure.hints ?? (failure.hint === undefined ? [] : [failure.hint]))];
  const message = `${failure.message.replace(/\.$/, "")}, after ${because.what}.`;
  return { ...failure, ...told({ ...because, hints }), message };
}

function told({ reason, hints, evidence }: Reason): Omit<Explanation, "code" | "message"> {
  return { reason, hint: hints.join(" "), hints, ...(evidence.length === 0 ? {} : { evidence }) };
}

function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`;
}

/** `curlew http` says the same on stderr, with curl's numbers where they mean the same, and explains it itself. */
function explainOwnClient(code: number, stderrTail: string): Explanation | undefined {
  const said = /^curlew: error\[[a-z-]+\]: \((\d+)\) (.+)(?:\n {2}help: (.+))?/m.exec(
    lastOf(stderrTail, "curlew: error["),
  );
  if (said === null || Number(said[1]) !== code) return undefined;
  const [, , message = "", hint] = said;
  const known = code === 22 ? "http-error" : CURL_EXITS[code]?.code;
  const told = {
    message: `${message.replace(/\.$/, "")} (curlew http, exit code ${code}).`,
    ...(hint ? { hint } : {}),
  };
  return known === undefined ? { code: "http-failed", ...told } : { code: known, ...told };
}

function lastOf(text: string, start: string): string {
  return text.slice(Math.max(0, text.lastIndexOf(start)));
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

/** Without a reason: something was not found, and nothing says what. */
function notFound(because: Reason | undefined): Explanation {
  if (because?.name !== undefined) {
    const isPath = because.name.includes("/");
    const message = isPath
      ? `There is no program at "${because.name}".`
      : `No program called "${because.name}" is on PATH.`;
    return { code: "command-not-found", message, ...told(because) };
  }
  const { what, hints } = wordsOf("not-installed", "other", {});
  const message = `The command exited with code 127: ${what}.`;
  return { code: "command-not-found", message, ...told({ reason: "not-installed", what, hints, evidence: [] }) };
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
