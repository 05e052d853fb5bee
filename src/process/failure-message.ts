// failure-message: explains how a command failed and what helps (spec 3.2; remedies of the mission's section 7).
//   E1. One sentence says what happened, one says what helps. Codes are stable; docs/reference/failures.md lists them.
//   E2. An exit code counts as curl's or wget's only if stderr says so, or if no other program can have returned it.
//   E3. No value is repeated here, except what the command itself printed to stderr.

import { constants } from "node:os";
import type { Failure } from "../base/failure.ts";
import type { Cause } from "./cause.ts";
import { type Reason, reasonOf, type SeenCall } from "./diagnose.ts";
import { type Caller, wordsOf } from "./reason-words.ts";
import { CURL_EXITS, type ExitRow, type ReasonCode, WGET_EXITS } from "./stderr-patterns.ts";

export interface Explanation {
  code: string;
  message: string;
  /** All of `hints` as one text. */
  hint?: string;
  hints?: string[];
  /** The underlying reason, whichever program reported it, if it is certain. */
  reason?: ReasonCode;
  /** The lines of stderr, or the call, that show it. */
  evidence?: string[];
}

export interface EndToExplain {
  cause: Cause;
  /** The program that was started: `bash`, `/usr/bin/python3`. */
  program: string;
  /** The author's text, to see whether it calls curl. */
  content?: string;
  stderrTail: string;
  /** The last line of stdout, if it is available. */
  stdoutLast?: string;
  /** The recorded calls, in order. */
  calls?: readonly SeenCall[];
  /** curl's configuration allowed only https. */
  httpsOnly?: boolean;
}

/** Without advice that the command already follows. */
export function explainEnd(end: EndToExplain): Explanation {
  const explained = explanationOf(end);
  const followed = FOLLOWED.flatMap(({ option, clauses }) => (option.test(end.content ?? "") ? clauses : []));
  const { hints = explained.hint === undefined ? [] : [explained.hint] } = explained;
  const left = hints.map((hint) => followed.reduce((text, clause) => text.replace(clause, ""), hint));
  if (left.every((hint, index) => hint === hints[index])) return explained;
  const { hint: _hint, hints: _hints, ...rest } = explained;
  const given = left.filter((hint) => hint !== "");
  return given.length === 0 ? rest : { ...rest, hint: given.join(" "), hints: given };
}

/** Options of curl, and the advice to use them. */
const FOLLOWED: readonly { option: RegExp; clauses: readonly RegExp[] }[] = [
  {
    option: /(?:^|\s)--fail-with-body\b/,
    clauses: [
      /^--fail-with-body shows [^.]*\.$/,
      /: --fail-with-body shows the server's message(?=\.)/,
      / ?To see the server's message, add --fail-with-body\./,
    ],
  },
  {
    option: /(?:^|\s)(?:--show-error\b|-[A-Za-z]*S)/,
    clauses: [/To see the status, add --show-error\. ?/],
  },
  { option: /(?:^|\s)--retry\b/, clauses: [/, for example with --retry 3/] },
];

function explanationOf(end: EndToExplain): Explanation {
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
            message: `Curlew stopped the command after ${inWords(cause.afterMs)}, its time limit.`,
            hint: "Raise timeout, or limit the call itself (curl --max-time).",
          }
        : {
            ...TOOK_TOO_LONG,
            code: "timed-out-idle",
            message: `Curlew stopped the command, because it printed nothing for ${inWords(cause.afterMs)}, its idle limit.`,
            hint: "Raise idleTimeout, or make the command print its progress.",
          };
    case "cancelled":
      return { code: "cancelled", message: "The command was cancelled." };
    case "not-found":
      return notFound({
        reason: "not-installed",
        ...wordsOf("not-installed", "other", { name: cause.program }),
        evidence: [],
        name: cause.program,
      });
    case "not-started":
      return { code: "not-started", message: `The command could not be started: ${cause.reason}.` };
    case "output-limit":
      return {
        code: "output-limit",
        message: `Curlew stopped the command, because it printed more than ${cause.bytes.toLocaleString("en")} bytes, the limit. The output before that is kept.`,
        hint: "Print less, or raise limits.outputBytes in the workflow.",
      };
    case "output-failed":
      return {
        code: "output-failed",
        message: `Curlew stopped the command, because its output could not be stored: ${cause.reason}.`,
        hint: "Check that the disk of the data directory has space and is writable.",
      };
  }
}

const TOOK_TOO_LONG = { reason: "timeout" } as const;

function explainExit(code: number, end: EndToExplain): Explanation {
  const because = reasonOf({ ...end, exitCode: code });
  const own = explainOwnClient(code, end.stderrTail);
  if (own !== undefined)
    return because === undefined ? own : { ...own, reason: because.reason, evidence: because.evidence };
  const said = curlSaid(end.stderrTail);
  // The shell returns 126 and 127 if the program never started.
  const shells = code === 126 || code === 127;
  if (said === code || (said === undefined && !shells && callsOnly("curl", end)))
    return explainCurl(code, end, because);
  if (shells) {
    const missing = explainNotStarted(code, end.stderrTail, because);
    if (missing !== undefined) return missing;
  }
  if (because !== undefined) {
    const message = `The command exited with code ${code} after ${because.what}.`;
    return { code: "exit-non-zero", message, ...withAdvice(because) };
  }
  const wget = callsOnly("wget", end) ? WGET_EXITS[code] : undefined;
  if (wget !== undefined) return { code: "exit-non-zero", ...told(wget, "other", `wget exit code ${code}`) };
  const signal = code > 128 ? SIGNAL_NAMES.get(code - 128) : undefined;
  if (signal !== undefined) {
    const meaning = MEANINGS[signal];
    return {
      code: "exit-non-zero",
      message: `The command exited with code ${code}: the signal ${signal} ended a program in it${meaning ? ` (${meaning})` : ""}.`,
      ...hintFor(signal),
    };
  }
  // An earlier curl in the script failed without a known reason, which is still worth reporting.
  const inner = said === undefined || CURL_EXITS[said]?.reason ? undefined : explainCurl(said, end, undefined);
  const message = `The command exited with code ${code}.`;
  if (inner === undefined) return { code: "exit-non-zero", message };
  return { ...inner, code: "exit-non-zero", message: `${message} Before that: ${inner.message}` };
}

/** Explains the exit codes 126 and 127 of a shell. */
function explainNotStarted(code: number, stderr: string, because: Reason | undefined): Explanation | undefined {
  const [, program, library] = /(\S+): error while loading shared libraries: ([^\s:]+): cannot open/.exec(stderr) ?? [];
  if (code === 127 && program !== undefined)
    return {
      code: "not-executable",
      message: `The command exited with code 127: ${program} cannot start, because its library ${library} is missing.`,
      hint: `Install ${program} again, or the package that has ${library}.`,
    };
  if (code === 127) return because === undefined || because.reason === "not-installed" ? notFound(because) : undefined;
  if (/Argument list too long/.test(stderr))
    return {
      code: "arguments-too-long",
      message:
        "The command exited with code 126: the arguments or variables of a program in it are too large for the system.",
      hint: "Pass large values on stdin, or as a file: ${1|file}.",
    };
  return {
    code: "not-executable",
    message: "The command exited with code 126: a program was found but may not be executed.",
    hint: "Check its permissions (chmod +x), and that it is a program for this machine.",
  };
}

/** curl's own message is more exact than its exit code. */
function explainCurl(code: number, end: EndToExplain, because: Reason | undefined): Explanation {
  const refused = end.httpsOnly === true && code === 1 ? refusedProtocol(end.stderrTail) : undefined;
  if (refused !== undefined)
    return {
      code: "http-not-allowed",
      message: `The command calls ${refused}://, or was redirected there, but safe nodes may only call https (curl exit code 1).`,
      hint: "Write https://, or allow http with egress: any. URLs of this machine are allowed if they are in the command or in one of its values.",
    };
  const known = CURL_EXITS[code];
  if (known === undefined)
    return {
      code: "curl-failed",
      message: `curl exited with code ${code}.`,
      hint: 'Run it with --verbose, and look the code up under "EXIT CODES" in the manual of curl.',
    };
  if (because !== undefined)
    return { code: known.code, message: `${sentence(because.what)} (curl exit code ${code}).`, ...withAdvice(because) };
  return { code: known.code, ...told(known, "curl", `curl exit code ${code}`) };
}

/** The words for an exit code alone. */
function told({ reason, message, hint }: Omit<ExitRow, "code">, caller: Caller, exit: string) {
  const words = reason && wordsOf(reason, caller, {});
  const hints = hint === undefined ? (words?.hints ?? []) : [hint];
  const advice = reason === undefined ? { hint } : { reason, hint: hints.join(" "), hints };
  return { message: `${message ?? sentence(words?.what ?? "it failed")} (${exit}).`, ...advice };
}

/** The protocol that curl was not allowed to use, in the wording of its versions. */
export function refusedProtocol(stderrTail: string): string | undefined {
  return /^curl: \(1\) Protocol "?([a-z0-9]+)"? (?:not supported or |is )?disabled/m.exec(stderrTail)?.[1];
}

/**
 * Adds the last HTTP error to the failure of a command that exited 0 without the expected output: it may be the cause.
 */
export function withCall(failure: Failure, calls: readonly SeenCall[]): Failure {
  const because = reasonOf({ stderrTail: "", calls });
  if (because === undefined) return failure;
  const hints = [...because.hints, ...(failure.hints ?? (failure.hint === undefined ? [] : [failure.hint]))];
  const message = `${failure.message.replace(/\.$/, "")}, after ${because.what}.`;
  return { ...failure, ...withAdvice({ ...because, hints }), message };
}

function withAdvice({ reason, hints, evidence }: Reason): Omit<Explanation, "code" | "message"> {
  const advice = { reason, hint: hints.join(" "), hints };
  return evidence.length === 0 ? advice : { ...advice, evidence };
}

function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`;
}

/** `curlew http` explains itself on stderr, with curl's numbers where they mean the same. */
function explainOwnClient(code: number, stderrTail: string): Explanation | undefined {
  const last = stderrTail.slice(Math.max(0, stderrTail.lastIndexOf("curlew: error[")));
  const [, number, text = "", hint] =
    /^curlew: error\[[a-z-]+\]: \((\d+)\) (.+)(?:\n {2}help: (.+))?/m.exec(last) ?? [];
  if (number === undefined || Number(number) !== code) return undefined;
  const message = `${text.replace(/\.$/, "")} (curlew http, exit code ${code}).`;
  const explanation: Explanation = { code: "http-failed", message };
  if (CURL_EXITS[code] !== undefined) explanation.code = CURL_EXITS[code].code;
  if (hint) explanation.hint = hint;
  return explanation;
}

/** The number of the last `curl: (N)` on stderr. */
function curlSaid(stderrTail: string): number | undefined {
  const last = [...stderrTail.matchAll(/^curl: \((\d+)\)/gm)].at(-1);
  return last === undefined ? undefined : Number(last[1]);
}

/**
 * Whether the text is one command line that starts this program and no other. curl --silent prints nothing to stderr.
 */
function callsOnly(name: "curl" | "wget", { content, program }: EndToExplain): boolean {
  if (
    program
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.exe$/, "") === name
  )
    return true;
  const text = (content ?? "").trim().replaceAll(/\\\r?\n/g, " ");
  const [first = ""] = text.split(/\s/, 1);
  return first.split("/").at(-1) === name && !/[|;&\n`]|\$\(/.test(text.replaceAll(/'[^']*'|"[^"]*"/g, "''"));
}

/** Without a reason, nothing on stderr names the program. */
function notFound(because: Reason | undefined): Explanation {
  if (because?.name !== undefined) {
    const message = because.name.includes("/")
      ? `There is no program at "${because.name}".`
      : `There is no program "${because.name}" on PATH.`;
    return { code: "command-not-found", message, ...withAdvice(because) };
  }
  const { what, hints } = wordsOf("not-installed", "other", {});
  const message = `The command exited with code 127: ${what}.`;
  return { code: "command-not-found", message, ...withAdvice({ reason: "not-installed", what, hints, evidence: [] }) };
}

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

const MEANINGS: Record<string, string> = {
  SIGILL: "it ran an instruction that this processor does not have",
  SIGABRT: "it aborted",
  SIGBUS: "it crashed",
  SIGFPE: "it divided by zero",
  SIGKILL: "another program killed it, or memory ran out",
  SIGSEGV: "it crashed",
  SIGPIPE: "no program read its output any more",
  SIGTERM: "another program asked it to end",
  SIGXCPU: "it used up its processor time",
  SIGXFSZ: "a file grew beyond its limit",
};

function explainSignal(signal: string): Explanation {
  const meaning = MEANINGS[signal];
  return {
    code: "signalled",
    message: `The signal ${signal} ended the command${meaning ? `: ${meaning}` : ""}.`,
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
