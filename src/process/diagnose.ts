// diagnose: finds the reason for a failure in the end of stderr and in the recorded HTTP calls (spec 3.2, 3.6). Pure.
//   D1. A reason is certain, or there is none. The last certain line counts, unless a different error follows it.
//   D2. A retry wrapper that gave up is one reason, the failure behind it another. Both are reported.
//   D3. A caller words it as "after …", because only the script knows what it did about the failure.

import { limits } from "../base/limits.ts";
import { type Caller, type Detail, statusReason, wordsOf } from "./reason-words.ts";
import { CURL_EXITS, FILE_NOT_FOUND, GAVE_UP, NOT_FOUND, OTHER_ERROR, type ReasonCode } from "./stderr-patterns.ts";

export interface Reason {
  reason: ReasonCode;
  /** A clause without a capital letter and a full stop. */
  what: string;
  hints: string[];
  /** The lines or the call that show it, shortened. */
  evidence: string[];
  /** The host, program, or file that it is about. */
  name?: string;
}

/** A recorded HTTP call. `exitCode` and `error` are curl's. */
export interface SeenCall {
  method: string;
  url: string;
  /** 0: no response. */
  status: number;
  /** Response headers, with lowercase names. */
  headers?: Readonly<Record<string, string>>;
  exitCode?: number;
  error?: string;
}

export interface Traces {
  stderrTail: string;
  /** The last line of stdout: some wrappers report there that they gave up. */
  stdoutLast?: string;
  exitCode?: number;
  calls?: readonly SeenCall[];
}

interface GaveUp {
  attempts?: number;
  line: string;
}

export function reasonOf(traces: Traces): Reason | undefined {
  const read = readLines(traces);
  const inner = read.reason ?? failedCall(traces.calls);
  const gaveUp = read.gaveUp ?? wrapperSays(traces.stdoutLast ?? "");
  return gaveUp === undefined ? inner : exhausted(gaveUp, inner);
}

/** The first program that a shell did not find, although the script continued. */
export function missingProgramIn(stderrTail: string): Reason | undefined {
  for (const line of linesOf(stderrTail)) {
    const name = missingProgram(line, 0);
    if (name !== undefined) return reasonFor("not-installed", "other", { name }, line);
  }
  return undefined;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n|\r/).filter((line) => line.trim() !== "");
}

/** Reads the lines from the end. */
function readLines({ stderrTail, exitCode, calls = [] }: Traces): { reason?: Reason; gaveUp?: GaveUp } {
  let gaveUp: GaveUp | undefined;
  for (const line of linesOf(stderrTail).reverse()) {
    gaveUp ??= wrapperSays(line);
    const name = missingProgram(line, exitCode);
    if (name !== undefined) return { reason: reasonFor("not-installed", "other", { name }, line), gaveUp };
    const reason = reportedBy(line, calls);
    if (reason !== undefined) return { reason, gaveUp };
    if (OTHER_ERROR.test(line)) break;
  }
  return { gaveUp };
}

const REPORT = /^(?<client>curl|curlew): (?:error\[[a-z0-9-]+\]: )?\((?<code>\d+)\) ?(?<text>.*)$/;
const CA_FILE = /^curl: The (?:file|directory) '([^']+)' provided to --(?:proxy-)?ca(?:cert|path) does not exist/;

/** Parses `curl: (7) Failed to connect to …`, and the same of `curlew http`. */
function reportedBy(line: string, calls: readonly SeenCall[]): Reason | undefined {
  const file = CA_FILE.exec(line)?.[1];
  if (file !== undefined) return reasonFor("ca-bundle-missing", "curl", { name: file }, line);
  const { client, code = "", text = "" } = REPORT.exec(line)?.groups ?? {};
  const row = CURL_EXITS[Number(code)];
  if (client === undefined || row === undefined) return undefined;
  const status = Number(code) === 22 ? Number(/\b[1-5]\d\d\b/.exec(text)?.[0] ?? 0) || undefined : undefined;
  const headers = calls.findLast((call) => call.status === status)?.headers;
  const reason =
    status === undefined
      ? (row.exact?.find(([words]) => words.test(text))?.[1] ?? row.reason)
      : statusReason(status, headers);
  if (reason === undefined) return undefined;
  const name = row.name
    ?.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  return reasonFor(reason, client === "curl" ? "curl" : "curlew http", { name, status }, line);
}

function reasonFor(reason: ReasonCode, caller: Caller, detail: Detail, line: string): Reason {
  const name = detail.name === undefined ? undefined : cut(detail.name, limits.evidenceNameCharsMax);
  const found: Reason = { reason, ...wordsOf(reason, caller, { ...detail, name }), evidence: [cut(line)] };
  if (name !== undefined) found.name = name;
  return found;
}

function cut(line: string, most: number = limits.evidenceCharsMax): string {
  const text = line.trim();
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function missingProgram(line: string, exitCode: number | undefined): string | undefined {
  const patterns = exitCode === 126 || exitCode === 127 ? [...NOT_FOUND, ...FILE_NOT_FOUND] : NOT_FOUND;
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1]?.trim();
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The last call, if it failed. It covers curl calls that print nothing. */
function failedCall(calls: readonly SeenCall[] | undefined): Reason | undefined {
  const last = calls?.at(-1);
  if (last === undefined) return undefined;
  const { method, url, status, headers, exitCode, error } = last;
  if (status >= 400)
    return reasonFor(statusReason(status, headers), "other", { status }, `${method} ${url} → ${status}`);
  if (exitCode === undefined || exitCode === 0 || exitCode === 22) return undefined;
  const found = reportedBy(`curl: (${exitCode}) ${error ?? ""}`, []);
  return found && { ...found, evidence: [cut(`${method} ${url} → ${error ?? `exit code ${exitCode}`}`)] };
}

function wrapperSays(line: string): GaveUp | undefined {
  for (const pattern of GAVE_UP) {
    const match = pattern.exec(line);
    if (match !== null) return { line, attempts: match[1] === undefined ? undefined : Number(match[1]) };
  }
  return undefined;
}

function exhausted({ attempts, line }: GaveUp, inner: Reason | undefined): Reason {
  const { what, hints } = wordsOf("retries-exhausted", "other", { attempts });
  return {
    reason: "retries-exhausted",
    what: inner === undefined ? what : `${what}; the last time ${inner.what}`,
    hints: [...(inner?.hints ?? []), ...hints],
    evidence: [...(inner?.evidence ?? []).filter((one) => one !== cut(line)), cut(line)],
  };
}
