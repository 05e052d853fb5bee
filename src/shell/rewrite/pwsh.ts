// pwsh: replaces `${name}` in a PowerShell script by `${env:…}` where that is one plain value, and rejects it elsewhere
// (spec 4.1).
//   W1. A scanner reads the script: strings, here-strings, comments, `$(…)`. Anything else unknown is rejected.
//   W2. Values are read from the environment. PowerShell does not scan them again for words, patterns, quotes or
//       variables.
//   W3. A script that evaluates text anywhere (Invoke-Expression, Add-Type, [scriptblock], …) gets no values.
// Not supported: files for values that are too large, and |sh.

import { err, ok, type Result } from "../../base/result.ts";
import { FILTERS, type Known, type Reference, referencesOf } from "../template.ts";
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
export function rewritePwsh(content: string, known: Known): Result<ShellProgram, ShellProblem[]> {
  const references = referencesOf(content).filter(({ root, members }) => known(root, members));
  if (references.length === 0) return ok({ script: content, variables: [], unknown: [], quoted: [], counted: [] });
  const refused = (reference: Reference, why: string) =>
    refuse("template-shell-unsupported/pwsh", atReference(content, reference), why);
  const scanned = new Scanner(content, new Set(references.map(({ start }) => start)));
  const unread = wrongForAll(content) ?? scanned.problem;
  if (unread !== undefined) return err(references.map((reference) => refused(reference, unread)));

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
  return found.length > 0 ? err(found) : ok({ script, variables: names.all(), unknown: [], quoted: [], counted: [] });
}

/** W3. Searches the whole text, including strings and comments. */
function wrongForAll(content: string): string | undefined {
  if (content.includes("\0")) return "the script contains a NUL character";
  // PowerShell treats these as quotes and dashes.
  if (/[\u2018-\u201f\u2013-\u2015]/.test(content))
    return "the script contains typographic quotes or dashes, which PowerShell reads as plain ones";
  if (CALLED.test(content)) return "the script calls something that a variable, a text or a block names (&, .)";
  const evaluates = EVALUATES.exec(content)?.[0];
  return evaluates === undefined ? undefined : `"${evaluates.trim()}" is in the script, which runs or compiles text`;
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
    if (/^(?:[^|;]*=\s*)?[&.](?![\w.])/.test(text)) return "& and . run the text after them";
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
  kind: "code" | "double" | "here";
  statement: number;
  wordStart: number;
  /** The bracket that ends it. Absent for the script itself and for strings. */
  closing?: ")" | "}";
  method: boolean;
}

/** Comments and strings in which nothing is replaced. */
const FLAT: readonly [mode: Mode, pattern: RegExp][] = [
  ["comment", /<#[\s\S]*?#>/y],
  ["comment", /(?<=^|[\s;|&(){},=])#[^\n]*/y],
  ["single", /@'[ \t]*(?=\r?\n)[\s\S]*?\n'@/y],
  ["single", /'(?:[^']|'')*'/y],
];

/** W1. The positions of the references and the end of each statement. */
class Scanner {
  readonly spots = new Map<number, Spot>();
  readonly ends = new Map<number, number>();
  /** Why the script cannot be read. */
  readonly problem: string | undefined;
  #frames: Frame[] = [{ kind: "code", statement: 0, wordStart: 0, method: false }];
  #content: string;
  #starts: ReadonlySet<number>;

  constructor(content: string, starts: ReadonlySet<number>) {
    this.#content = content;
    this.#starts = starts;
    for (let at = 0; at < content.length; ) {
      const frame = this.#frames.at(-1) as Frame;
      const next =
        content[at] === "`" ? at + 2 : frame.kind === "code" ? this.#code(at, frame) : this.#string(at, frame);
      if (next === undefined) {
        this.problem = "a string, comment or bracket is not closed, or brackets do not match";
        return;
      }
      at = next;
    }
    if (this.#frames.length > 1) this.problem = "a string or bracket is not closed";
  }

  /** In double quotes and here-strings. Returns where to continue. */
  #string(at: number, frame: Frame): number {
    const content = this.#content;
    if (content.startsWith("$(", at)) return this.#open(at + 2, ")", false);
    if (content[at] === "$") {
      this.#note(at, at + 1, "double", frame);
      return content[at + 1] === "{" ? this.#afterBrace(at) : at + 1;
    }
    if (frame.kind === "double" && content.startsWith('""', at)) return at + 2;
    const end = frame.kind === "double" ? /"/y : /\r?\n"@/y;
    end.lastIndex = at;
    if (!end.test(content)) return at + 1;
    this.#frames.pop();
    return end.lastIndex;
  }

  /** Undefined: the brackets do not match, or a string is not closed. */
  #code(at: number, frame: Frame): number | undefined {
    const content = this.#content;
    const char = content[at] as string;
    if (at === 0 || /[\s;|&(){},=]/.test(content[at - 1] as string)) frame.wordStart = at;
    for (const [mode, pattern] of FLAT) {
      pattern.lastIndex = at;
      if (!pattern.test(content)) continue;
      this.#note(at, pattern.lastIndex, mode, frame);
      return pattern.lastIndex;
    }
    if (/^(?:'|<#|@'[ \t]*\r?\n)/.test(content.slice(at, at + 200))) return undefined;
    const [here] = /^@"[ \t]*(?=\r?\n)/.exec(content.slice(at, at + 200)) ?? [];
    if (here !== undefined || char === '"') {
      this.#frames.push({
        ...frame,
        kind: here === undefined ? "double" : "here",
        wordStart: at + (here === undefined ? 0 : 1),
      });
      return at + (here ?? char).length;
    }
    if (content.startsWith("${", at)) {
      this.#note(at, at + 1, "code", frame);
      return this.#afterBrace(at);
    }
    if (char === "(") return this.#open(at + 1, ")", /[\w\])}"']/.test(content[at - 1] ?? " "));
    if (char === "{") return this.#open(at + 1, "}", false);
    if (char === ")" || char === "}") {
      this.ends.set(frame.statement, at);
      if (frame.closing !== char) return undefined;
      this.#frames.pop();
      return at + 1;
    }
    const [separator] = /^(?:[;|\n]|&&)/.exec(content.slice(at, at + 2)) ?? [];
    if (separator === undefined) return at + 1;
    this.ends.set(frame.statement, at);
    frame.statement = at + separator.length;
    return frame.statement;
  }

  #open(at: number, closing: ")" | "}", method: boolean): number {
    this.#frames.push({ kind: "code", statement: at, wordStart: at, closing, method });
    return at;
  }

  #afterBrace(from: number): number {
    const end = this.#content.indexOf("}", from);
    return end < 0 ? this.#content.length : end + 1;
  }

  /** Records the references in a range. */
  #note(from: number, to: number, mode: Mode, { wordStart }: Frame): void {
    const statements = this.#frames.filter(({ kind }) => kind === "code").map(({ statement }) => statement);
    const method = this.#frames.some((frame) => frame.method);
    for (let at = from; at < to; at++)
      if (this.#starts.has(at)) this.spots.set(at, { mode, wordStart, statements, method });
  }
}
