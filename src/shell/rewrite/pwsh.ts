// pwsh: replaces `${name}` in a PowerShell script by `${env:…}` where that is one plain value, and rejects it elsewhere
// (spec 4.1).
//   W1. A scanner reads the script: strings, here-strings, comments, `$(…)`. Anything else unknown is rejected.
//   W2. Values are read from the environment. PowerShell does not scan them again for words, patterns, quotes or
//       variables.
//   W3. A script that evaluates text anywhere (Invoke-Expression, Add-Type, [scriptblock], …) gets no values.
// Not supported: files for values that are too large, and |sh.

import { err, ok, type Result } from "../../base/result.ts";
import { FILTERS, type Reference, referencesOf } from "../template.ts";
import { atReference, refuse } from "./problems.ts";
import type { Guard, ShellProblem, ShellProgram } from "./types.ts";
import { VariableNames } from "./variables.ts";

type Mode = "code" | "double" | "single" | "comment";

interface Spot {
  mode: Mode;
  /** Offsets of the statements around it, innermost last. */
  statements: number[];
  /** It is an argument of a .NET method call. */
  method: boolean;
  /** Offset of the word or string that contains it. */
  wordStart: number;
}

/** Failures: `template-shell-unsupported` with the reason, `unknown-filter`. */
export function rewritePwsh(content: string, known: (root: string) => boolean): Result<ShellProgram, ShellProblem[]> {
  const references = referencesOf(content).filter(({ root }) => known(root));
  if (references.length === 0) return ok({ script: content, variables: [], unknown: [], counted: [] });
  const refused = (reference: Reference, why: string) =>
    refuse("template-shell-unsupported/pwsh", atReference(content, reference), why);
  const whole = wrongForAll(content);
  if (whole !== undefined) return err(references.map((reference) => refused(reference, whole)));
  const scanned = scan(content, new Set(references.map(({ start }) => start)));
  if (typeof scanned === "string") return err(references.map((reference) => refused(reference, scanned)));

  const names = new VariableNames();
  const found: ShellProblem[] = [];
  let script = "";
  let from = 0;
  for (const reference of references) {
    const spot = scanned.spots.get(reference.start);
    // Escaped by a backtick or in a comment: stays as written.
    if (spot === undefined || spot.mode === "comment") continue;
    const { filter } = reference;
    if (filter !== undefined && !(FILTERS as readonly string[]).includes(filter)) {
      found.push(refuse("unknown-filter", atReference(content, reference), filter));
      continue;
    }
    const why = wrongHere(content, reference, spot, scanned.ends);
    if (why !== undefined) {
      found.push(refused(reference, why));
      continue;
    }
    script += `${content.slice(from, reference.start)}\${env:${names.of(reference).variable}}`;
    from = reference.end;
    names.use(reference, { guards: guardsOf(content, reference, spot), leavesShell: true });
  }
  script += content.slice(from);
  return found.length > 0 ? err(found) : ok({ script, variables: names.all(), unknown: [], counted: [] });
}

/** W3. Searches the whole text, including strings and comments. */
function wrongForAll(content: string): string | undefined {
  if (content.includes("\0")) return "the script holds a NUL character";
  // PowerShell treats these as quotes and dashes.
  if (/[\u2018-\u201f\u2013-\u2015]/.test(content))
    return "typographic quotes or dashes stand in the script, which PowerShell reads as plain ones";
  if (CALLED.test(content)) return "the script calls something that a variable, a text or a block names (&, .)";
  const evaluates = EVALUATES.exec(content)?.[0];
  return evaluates === undefined
    ? undefined
    : `"${evaluates.trim()}" stands in the script, which runs or compiles text`;
}
const CALLED = /(?:^|[;|({}\n=&])[ \t]*[&.][ \t]*[$({"']/;
const EVALUATES =
  /(?<![\w-])(?:iex|invoke-expression|icm|invoke-command|invoke-item|ii|add-type|start-process|saps|start|start-job|sajb|start-threadjob|invoke-wmimethod|invoke-cimmethod|new-alias|nal|set-alias|sal|set-item|si|new-item|ni|set-variable|sv|new-variable|nv|import-module|ipmo|using|register-\w+|set-psbreakpoint|pwsh|powershell|cmd|wsl|bash|sh|zsh|ssh|node|python3?|perl|ruby|php|awk|sed|jq|psql|mysql|sqlite3|find|xargs)(?:\.exe)?(?![\w-])|\[(?:system\.management\.automation\.)?(?:scriptblock|powershell)\]|ExpandString|InvokeScript|NewScriptBlock|\$ExecutionContext|--%/i;

/** Why a value is not allowed at this position. */
function wrongHere(
  content: string,
  { start, end, filter }: Reference,
  spot: Spot,
  ends: ReadonlyMap<number, number>,
): string | undefined {
  if (spot.mode === "single") return "single quotes take everything as it is; write double quotes";
  if (filter === "sh") return "|sh makes a word for a POSIX shell";
  if (spot.method) return "a method of .NET is called with it, which may do anything";
  for (const statement of spot.statements) {
    const text = content.slice(statement, ends.get(statement) ?? content.length).trimStart();
    if (/^(?:[^|;]*=\s*)?[&.](?![\w.])/.test(text)) return "& and . run what stands behind them";
    if (OPERATORS.test(text))
      return "an operator of the statement (-f, -replace, -match, -split, …) reads it as a format or pattern";
    if (/\[[\w.]+\]::|\.\w+\(/.test(text))
      return "a method of .NET is called in this statement, which may do anything with it";
    // If a variable is assigned, another statement may use it in a call.
    if (CALLS.test(/^\$[\w:]+\s*[-+]?=/.test(text) ? content : text) && !["uri", "int", "b64"].includes(filter ?? ""))
      return "in a call its value could name a file or another address; write |uri in addresses, and hand bodies over by stdin";
  }
  if (spot.mode === "double") return undefined;
  const word = /[^\s(,;|{]*$/.exec(content.slice(0, start))?.[0] ?? "";
  if (!/^(?:\$[\w:]+=)?$/.test(word) || !/[\s),;|}]/.test(content[end] ?? " "))
    return "it stands inside a bare word; put the whole word into double quotes";
  return /^\s*[-+*/%?]?\??=(?!=)/.test(content.slice(end)) ? "it would be assigned to" : undefined;
}
const CALLS = /(?:^|[\s=(])(?:curl(?:\.exe)?|wget(?:\.exe)?|iwr|irm|invoke-webrequest|invoke-restmethod)\s/i;
const OPERATORS = /(?<![\w-])-(?:f|[ci]?(?:replace|match|notmatch|split|like|notlike)|join|as|is)(?![\w-])/i;

/** Cmdlets (Verb-Noun) never read a value as an option; programs do. */
function guardsOf(content: string, { start }: Reference, spot: Spot): Guard[] {
  const begins = spot.mode === "code" || start === spot.wordStart + 1;
  const command = /^[\w./\\:-]*/.exec(content.slice(spot.statements.at(-1) ?? 0).trimStart())?.[0] ?? "";
  const plain =
    command === "" ||
    /^[A-Za-z]+-[A-Za-z]+$/.test(command) ||
    /^(?:echo|write|if|while|foreach|return|throw)$/i.test(command);
  return begins && !plain ? [{ kind: "leading-dash", after: [] }] : [];
}

interface Frame {
  /** Determines its end: a string's quote, a here-string's end, or the closing bracket of `$(`. */
  kind: "code" | "double" | "here";
  statement: number;
  wordStart: number;
  depth: number;
  method: boolean;
}

/** W1. The positions of the references and the end of each statement, or why the script cannot be read. */
function scan(
  content: string,
  starts: ReadonlySet<number>,
): { spots: Map<number, Spot>; ends: Map<number, number> } | string {
  const spots = new Map<number, Spot>();
  const ends = new Map<number, number>();
  const frames: Frame[] = [{ kind: "code", statement: 0, wordStart: 0, depth: 0, method: false }];
  let at = 0;
  const place = (mode: Mode, { wordStart }: Frame): Spot => ({
    mode,
    wordStart,
    statements: frames.filter(({ kind }) => kind === "code").map(({ statement }) => statement),
    method: frames.some(({ method }) => method),
  });
  const note = (from: number, to: number, mode: Mode, frame: Frame) => {
    for (let index = from; index < to; index++) if (starts.has(index)) spots.set(index, place(mode, frame));
  };
  while (at < content.length) {
    const frame = frames.at(-1) as Frame;
    const rest = (text: string) => content.startsWith(text, at);
    const char = content[at] as string;
    if (char === "`") {
      at += 2;
      continue;
    }
    if (frame.kind !== "code") {
      if (rest("$(")) {
        frames.push({ kind: "code", statement: at + 2, wordStart: at + 2, depth: 0, method: false });
        at += 2;
      } else if (char === "$") {
        if (starts.has(at)) spots.set(at, place("double", frame));
        at = content[at + 1] === "{" ? after(content, "}", at) : at + 1;
      } else if (frame.kind === "double" && rest('""')) at += 2;
      else if (frame.kind === "double" && char === '"') {
        frames.pop();
        at++;
      } else if (frame.kind === "here" && /^\r?\n"@/.test(content.slice(at, at + 4))) {
        frames.pop();
        at = content.indexOf('"@', at) + 2;
      } else at++;
      continue;
    }
    const fresh = at === 0 || /[\s;|&(){},=]/.test(content[at - 1] as string);
    if (fresh) frame.wordStart = at;
    if (rest("<#")) {
      const end = content.indexOf("#>", at);
      if (end < 0) return "a comment <# is not closed";
      note(at, end, "comment", frame);
      at = end + 2;
    } else if (char === "#" && fresh) {
      const end = content.indexOf("\n", at);
      note(at, end < 0 ? content.length : end, "comment", frame);
      at = end < 0 ? content.length : end;
    } else if (/^@["'][ \t]*\r?\n/.test(content.slice(at, at + 200))) {
      const line = content.indexOf("\n", at);
      if (content[at + 1] === '"') {
        frames.push({ ...frame, kind: "here", wordStart: at + 1 });
        at = line - (content[line - 1] === "\r" ? 1 : 0);
      } else {
        const end = content.indexOf("\n'@", line - 1);
        if (end < 0) return "a here-string is not closed";
        note(at, end, "single", frame);
        at = end + 3;
      }
    } else if (char === "'") {
      let end = content.indexOf("'", at + 1);
      while (end >= 0 && content[end + 1] === "'") end = content.indexOf("'", end + 2);
      if (end < 0) return "a string is not closed";
      note(at, end, "single", frame);
      at = end + 1;
    } else if (char === '"') {
      frames.push({ ...frame, kind: "double", wordStart: at });
      at++;
    } else if (char === "$" && content[at + 1] === "{") {
      if (starts.has(at)) spots.set(at, place("code", frame));
      at = after(content, "}", at);
    } else if (char === "(" || char === "{") {
      const method = char === "(" && /[\w\])}"']/.test(content[at - 1] ?? " ");
      frames.push({ kind: "code", statement: at + 1, wordStart: at + 1, depth: char === "{" ? 1 : 0, method });
      at++;
    } else if (char === ")" || char === "}") {
      ends.set(frame.statement, at);
      if (frames.length === 1 || (char === "}") !== (frame.depth === 1)) return "brackets do not match";
      frames.pop();
      at++;
    } else if (/[;|\n]/.test(char) || (char === "&" && content[at + 1] === "&")) {
      ends.set(frame.statement, at);
      at += char === "&" ? 2 : 1;
      frame.statement = at;
    } else at++;
  }
  if (frames.length > 1) return "a string or bracket is not closed";
  return { spots, ends };
}

function after(content: string, closing: string, from: number): number {
  const end = content.indexOf(closing, from);
  return end < 0 ? content.length : end + 1;
}
