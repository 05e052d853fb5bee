// reason: what lies behind a failure, read from the end of stderr and from the calls that were seen; sure, or nothing (spec 3.2, 3.6).
//   W1. The last sure line counts. A line of another known kind of error after it (a KeyError, a syntax error) takes it back.
//   W2. What is often the consequence of an earlier failure (text that was to be JSON) gives way to it: on stderr, or in a call that was seen.
//   W3. A retry wrapper that gave up is one reason, what it gave up about the other; both are told.
//   W4. Nothing is said that is not on stderr or in a call; how it is said leaves open what the script made of it ("after …").
// Pure: no clock, no disk.

import { limits } from "../base/limits.ts";
import { type Detail, type ReasonCode, type Speaker, statusReason, wordsOf } from "./reasons.ts";
import { saidBy } from "./said.ts";

export interface Reason {
  reason: ReasonCode;
  /** A clause without a capital and without a full stop. */
  what: string;
  hints: string[];
  /** The lines or the call that say so, cut. */
  evidence: string[];
  /** The host, program or module that it is about. */
  name?: string;
}

/** A call that was seen; of curl's, what it exited with. */
export interface SeenCall {
  method: string;
  url: string;
  /** 0: no answer came. */
  status: number;
  /** Of the answer, names in lower case. */
  headers?: Readonly<Record<string, string>>;
  exitCode?: number;
  /** What curl said of it. */
  error?: string;
}

export interface Traces {
  stderrTail: string;
  /** The last line of stdout: where some wrappers say that they gave up. */
  stdoutLast?: string;
  exitCode?: number;
  calls?: readonly SeenCall[];
}

export function reasonOf(traces: Traces): Reason | undefined {
  const read = readLines(traces);
  const call = read.stop === "other" ? undefined : failedCall(traces.calls);
  const inner = read.sure ?? call ?? read.weak;
  const gaveUp = read.gaveUp ?? wrapperSays(traces.stdoutLast ?? "");
  return gaveUp === undefined ? inner : exhausted(gaveUp, inner);
}

/** The first program that a shell did not find, though what it ran went on. */
export function programMissed(stderrTail: string): Reason | undefined {
  for (const line of stderrTail.split(/\r?\n|\r/)) {
    const name = missingProgram(line, 0);
    if (name !== undefined) return reasonFor("not-installed", "other", { name }, line);
  }
  return undefined;
}

interface Read {
  sure?: Reason;
  weak?: Reason;
  gaveUp?: GaveUp;
  /** What takes back all before it: about everything, or about stderr alone. */
  stop?: "other" | "parsing";
}

/** W1, W2: from the end. */
function readLines({ stderrTail, exitCode, calls = [] }: Traces): Read {
  const lines = stderrTail.split(/\r?\n|\r/);
  const read: Read = {};
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    const gaveUp = read.gaveUp ?? wrapperSays(line);
    if (gaveUp !== undefined) read.gaveUp = gaveUp;
    const missing = missingProgram(line, exitCode) ?? missingInPython(lines, at);
    if (missing !== undefined) return { ...read, sure: reasonFor("not-installed", "other", { name: missing }, line) };
    const told = saidBy(line);
    if (told !== undefined) {
      const { said, groups } = told;
      const status = groups.status === undefined ? undefined : Number(groups.status);
      const headers = calls.findLast((call) => call.status === status)?.headers;
      const code = said.reason === "status" ? statusReason(status ?? 0, headers) : said.reason;
      const found = reasonFor(code, said.by, { name: groups.name, status }, line);
      if (said.weak !== true) return { ...read, sure: found };
      read.weak ??= found;
    } else if (PARSING.test(line)) return { ...read, stop: "parsing" };
    else if (OTHER.test(line) && !PASSED_ON.test(line)) return { ...read, stop: "other" };
  }
  return read;
}

const PARSING = /^jq: error/;
/** An uncaught error of Python or Node.js, a shell's complaint about the script itself. */
const OTHER =
  /^(?:[\w.]*\.)?(?:[A-Z]\w*)?(?:Error|Exception|KeyboardInterrupt)(?: \[\w+\])?(?::|$)|: line \d+: |^\S+: \d+: /;
/** A script that tells which program failed; that program has told why. */
const PASSED_ON = /^(?:subprocess\.)?CalledProcessError: |^Error: Command failed: /;

function reasonFor(reason: ReasonCode, by: Speaker, detail: Detail, line: string): Reason {
  const name = detail.name === undefined ? undefined : cut(detail.name, limits.evidenceNameCharsMax);
  return {
    reason,
    ...wordsOf(reason, by, { ...detail, name }),
    evidence: [cut(line)],
    ...(name === undefined ? {} : { name }),
  };
}

function cut(line: string, most: number = limits.evidenceCharsMax): string {
  const text = line.trim();
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The program of "command not found", as shells and starters of programs say it. A file that is not there is one only with 126 and 127. */
function missingProgram(line: string, exitCode: number | undefined): string | undefined {
  const sure =
    /(?:^|: )line \d+: (?:exec: )?(.+): (?:command )?not found$/.exec(line) ??
    /(?:^|: )\d+: (?:exec: )?([^\s:]+): not found$/.exec(line) ??
    /(?:^|:)\d+: command not found: (.+)$/.exec(line) ??
    /^(?:sudo|bash|sh|ash): (?:exec: )?([^\s:]+): (?:command )?not found$/.exec(line) ??
    /^(?:\S*\/)?(?:env|nice|ionice|setsid|stdbuf|xargs|exec|nohup|timeout): (?:failed to (?:run|execute) (?:command )?|cannot run )?[‘'"]([^’'"]+)[’'"]: No such file or directory$/.exec(
      line,
    ) ??
    /^The term '([^']+)' is not recognized as (?:a|the) name of a cmdlet/.exec(line) ??
    /^[\w.-]+: The term '([^']+)' is not recognized as (?:a|the) name of a cmdlet/.exec(line) ??
    /^'([^']+)' is not recognized as an internal or external command/.exec(line);
  if (sure !== null) return sure[1]!.trim();
  if (exitCode !== 126 && exitCode !== 127) return undefined;
  const likely =
    /(?:^|: )line \d+: (.+): No such file or directory$/.exec(line) ??
    /(?:^|:)\d+: no such file or directory: (.+)$/.exec(line) ??
    /^xargs: (.+): No such file or directory$/.exec(line);
  return likely?.[1]?.trim();
}

/** Python says the same of a file that is not there; only a program is started by `_execute_child`. */
function missingInPython(lines: readonly string[], at: number): string | undefined {
  const name = /^FileNotFoundError: \[Errno 2\] No such file or directory: '([^']+)'$/.exec(lines[at]!)?.[1];
  const above = lines.slice(Math.max(0, at - 6), at);
  return above.some((line) => /, in _execute_child$/.test(line)) ? name : undefined;
}

/** The last call, where it failed; a silent curl's own words are known by it. */
function failedCall(calls: readonly SeenCall[] | undefined): Reason | undefined {
  const last = calls?.at(-1);
  if (last === undefined) return undefined;
  const { method, url, status, headers, exitCode, error } = last;
  if (status >= 400)
    return reasonFor(statusReason(status, headers), "other", { status }, `${method} ${url} → ${status}`);
  const told = exitCode === undefined || exitCode === 0 ? undefined : saidBy(`curl: (${exitCode}) ${error ?? ""}`);
  if (told === undefined || told.said.reason === "status") return undefined;
  const evidence = `${method} ${url} → ${error ?? `exit code ${exitCode}`}`;
  return reasonFor(told.said.reason, told.said.by, { name: told.groups.name }, evidence);
}

interface GaveUp {
  attempts?: number;
  line: string;
}

const TRIES = "(?:attempts?|tries|retries)";
const GAVE_UP = [
  new RegExp(
    String.raw`\b(?:giv(?:ing|en|e)s? up|gave up|fail(?:ed|ure|ing)|abort(?:ed|ing)|unsuccessful|no success)\b.{0,80}?\bafter (?:all )?(\d+) (?:\w+ )?${TRIES}\b`,
    "i",
  ),
  new RegExp(
    String.raw`\bafter (?:all )?(\d+) (?:\w+ )?${TRIES}\b.{0,40}\b(?:giv(?:ing|en) up|gave up|fail(?:ed|ing)|abort(?:ed|ing))\b`,
    "i",
  ),
  new RegExp(
    String.raw`\ball (?:of )?(?:the )?(\d+)? ?(?:\w+ )?${TRIES} (?:have |were |are )?(?:failed|exhausted|used up|unsuccessful)\b`,
    "i",
  ),
  new RegExp(String.raw`\b(\d+) (?:\w+ )?${TRIES} (?:have |were )?(?:failed|exhausted)\b`, "i"),
  new RegExp(
    String.raw`\bmax(?:imum)?(?: number of)? ${TRIES} (?:\(?(\d+)\)? )?(?:were |was |has been |have been )?(?:reached|exceeded|exhausted)\b(?! with url)`,
    "i",
  ),
  new RegExp(String.raw`\b${TRIES} (?:were |are |have been )?exhausted\b`, "i"),
];

function wrapperSays(line: string): GaveUp | undefined {
  for (const pattern of GAVE_UP) {
    const match = pattern.exec(line);
    if (match !== null) return { line, ...(match[1] === undefined ? {} : { attempts: Number(match[1]) }) };
  }
  return undefined;
}

/** W3. */
function exhausted({ attempts, line }: GaveUp, inner: Reason | undefined): Reason {
  const { what, hints } = wordsOf("retries-exhausted", "other", { attempts });
  return {
    reason: "retries-exhausted",
    what: inner === undefined ? what : `${what}; the last time ${inner.what}`,
    hints: [...(inner?.hints ?? []), ...hints],
    evidence: [...(inner?.evidence ?? []).filter((one) => one !== cut(line)), cut(line)],
  };
}
