// fixes: the one-click fixes of a finding (ui 6.3). Each label says what the fix does, and nothing is fixed
// automatically.
//   F1. A fix changes only the characters that the finding is about, or sets fields of its node.
//   F2. A fix is offered only if its result certainly has the intended meaning. Otherwise the user has the finding's
//       help.

import { parse } from "yaml";
import type { Finding } from "./places.ts";

export interface TextChange {
  /** In the field's value. `to` is exclusive. */
  from: number;
  to: number;
  insert: string;
}

export interface Fix {
  /** `Add --fail-with-body`. */
  label: string;
  changes?: TextChange[];
  /** Fields of the node's data. `add` appends an item to a list if it is missing. `isNew`: the fix is refused if the field has a value. */
  set?: { path: string[]; value?: unknown; add?: string; isNew?: true }[];
  /** Saves these characters as a secret, and writes its name there (editor/move-to-secret.ts). Nothing else is set. */
  secret?: { from: number; to: number };
}

/** `value` is the value of the field that the finding is in. */
export function fixesOf(finding: Finding, value: string): Fix[] {
  const seen = value.slice(finding.start, finding.end);
  if (finding.start === finding.end) return fieldFixes(finding, value);
  switch (finding.code) {
    case "curl-no-fail":
      return [insertAfter(finding, " --fail-with-body"), field("Set httpErrors: fail", ["httpErrors"], "fail")];
    case "curl-no-time-limit":
      return [insertAfter(finding, " --max-time 30"), field("Set timeout: 60s on the node", ["timeout"], "60s")];
    case "failure-ignored":
      return [field("Stop at the first error", ["flags", "exitOnError"], true)];
    case "http-url":
    case "http-not-allowed":
      return overTls(finding, seen);
    case "unquoted-variable":
      return /^\$\{?\w+\}?$/.test(seen) ? [replace(finding, `"${seen}"`, "Put it in double quotes")] : [];
    case "curl-insecure":
      return /^(?:-k|--insecure)$/.test(seen) ? [removeWord(finding, value, `Remove ${seen}`)] : [];
    case "asks-approval":
      return [field("Say that a person approves it", ["needsUserApproval"], true)];
    case "secret-on-command-line":
      return signIn(finding, value);
    case "credential-in-document":
    case "credential-likely":
      return secret(finding, value);
    case "env-not-passed":
      return inherit(finding);
    case "unknown-name":
    case "unknown-name-in-shell":
    case "unknown-variable":
    case "expression-unknown-name":
      return [...meant(finding, value), ...literal(finding, seen)];
    case "unknown-filter":
      return filter(finding, value);
    case "template-syntax":
    case "foreign-syntax":
    case "condition-member":
    case "name-in-filter":
    case "json-in-quotes":
      return whole(finding);
    case "stdin-missing":
      return feed(finding);
    case "expression-operator":
      return operator(finding, seen);
    case "expression-template":
      return named(finding);
    default:
      return fieldFixes(finding, value);
  }
}

function replace({ start, end }: Finding, insert: string, label: string): Fix {
  return { label, changes: [{ from: start, to: end, insert }] };
}

/** Inserts after the word, because a program's options follow its name. */
function insertAfter({ end }: Finding, insert: string): Fix {
  return { label: `Add${insert}`, changes: [{ from: end, to: end, insert }] };
}

function field(label: string, path: string[], value: unknown): Fix {
  return { label, set: [{ path, value }] };
}

function overTls(finding: Finding, seen: string): Fix[] {
  const scheme = /^(["']?)(http:\/\/)?/i.exec(seen);
  const from = finding.start + (scheme?.[1]?.length ?? 0);
  const to = from + (scheme?.[2]?.length ?? 0);
  if (scheme?.[2] === undefined && /^["']?[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(seen)) return [];
  return [{ label: "Write https://", changes: [{ from, to, insert: "https://" }] }];
}

/** Removes the word, the blanks before it, and an escaped newline before those. */
function removeWord({ start, end }: Finding, value: string, label: string): Fix {
  const blanks = /(?:[ \t]+\\\r?\n)?[ \t]+$/.exec(value.slice(0, start))?.[0].length ?? 0;
  return { label, changes: [{ from: start - blanks, to: end, insert: "" }] };
}

const SIGN_IN = /write on the node: auth: (\{[\s\S]*\})\s*$/;

/** Replaces the credentials on the command line by `auth:`. */
function signIn(finding: Finding, value: string): Fix[] {
  const written = SIGN_IN.exec(finding.help ?? "")?.[1];
  if (written === undefined) return formField(finding, value);
  const wide = wordAround(value, finding.start, finding.end);
  const option = /(?:[ \t]+\\\r?\n)?[ \t]+(?:-H|--header|-u|--user)[ \t=]*(?:\\\r?\n[ \t]*)?$/.exec(
    value.slice(0, wide.start),
  );
  if (option === null) return [];
  const changes = [{ from: wide.start - option[0].length, to: wide.end, insert: "" }];
  return [{ label: "Sign in by auth: instead", changes, set: [{ path: ["auth"], value: parse(written) as unknown }] }];
}

/** `-d "name=${X}"` becomes `--data-urlencode name@-`, which reads the value from standard input. */
function formField({ start, end }: Finding, value: string): Fix[] {
  const wide = wordAround(value, start, end);
  const before = value.slice(0, wide.start);
  const option = /\s(?:-d|--data|--data-raw|--data-urlencode)[ \t=]*(?:\\\r?\n[ \t]*)?(?:[\w.-]+=)?$/.exec(before);
  const whole = `${option?.[0] ?? ""}${value.slice(wide.start, wide.end)}`;
  const [, name, secret] = /[\s=]["']?([\w.-]+)=["']?(\$\{\w+)(?:\|uri)?\}["']?$/.exec(whole) ?? [];
  const isAlone = value.match(/\bcurl\b/g)?.length === 1 && !/@-|<|(?<!\$\{\w+)\|/.test(value);
  const isWhole = /^(?:\s|$)/.test(value.slice(wide.end));
  if (option === null || name === undefined || !isAlone || !isWhole) return [];
  const from = wide.start - option[0].length + 1;
  return [
    {
      label: "Pass it on standard input",
      changes: [{ from, to: wide.end, insert: `--data-urlencode ${name}@-` }],
      set: [{ path: ["stdin"], value: { text: `${secret}}` }, isNew: true }],
    },
  ];
}

/** The quoted word around a range. */
function wordAround(value: string, start: number, end: number): { start: number; end: number } {
  for (const match of value.matchAll(/"(?:\\[\s\S]|[^"\\])*"|'[^']*'/g))
    if (match.index <= start && end <= match.index + match[0].length)
      return { start: match.index, end: match.index + match[0].length };
  return { start, end };
}

/** A private key of several lines belongs into a file. */
function secret({ start, end }: Finding, value: string): Fix[] {
  const isKey = value.slice(0, start).endsWith("-----");
  return isKey ? [] : [{ label: "Move to a secret", secret: { from: start, to: end } }];
}

function inherit(finding: Finding): Fix[] {
  const name = /^([A-Za-z_]\w*) is set/.exec(finding.message)?.[1];
  return name === undefined
    ? []
    : [{ label: `Pass ${name} to the command`, set: [{ path: ["env", "inherit"], add: name }] }];
}

const MEANT = /Did you mean "(.+?)"\?/;

/** The wrong word is near the finding's range, which can be only the word before it (`vars`). */
function meant({ message, start, end }: Finding, value: string): Fix[] {
  const name = MEANT.exec(message)?.[1];
  const wrong = WRONG.exec(message)?.[1];
  if (name === undefined || wrong === undefined) return [];
  const from = value.indexOf(wrong, start);
  if (from === -1 || from > end + 2) return [];
  return [{ label: `Write ${name}`, changes: [{ from, to: from + wrong.length, insert: name }] }];
}
const WRONG = /(?:^\$\{|filter "|^vars\.|^")([A-Za-z_]\w*)/;

function filter(finding: Finding, value: string): Fix[] {
  const wrong = WRONG.exec(finding.message)?.[1] ?? "";
  const near = MEANT.exec(finding.message)?.[1];
  const from = value.indexOf(`|${wrong}`, finding.start) + 1;
  return near === undefined || from === 0
    ? []
    : [
        {
          label: `Write |${near}`,
          changes: [{ from, to: from + wrong.length, insert: near === "default" ? `default("")` : near }],
        },
      ];
}

/** Keeps as text what only looks like a reference. */
function literal(finding: Finding, seen: string): Fix[] {
  if (finding.code !== "unknown-name" || !seen.startsWith("${")) return [];
  return [{ label: `Keep ${seen} as text`, changes: [{ from: finding.start, to: finding.start, insert: "$" }] }];
}

function whole(finding: Finding): Fix[] {
  const name = MEANT.exec(finding.message)?.[1];
  return name === undefined ? [] : [replace(finding, name, `Write ${name}`)];
}

function feed({ edge }: Finding): Fix[] {
  return edge === undefined ? [] : [field(`Feed it ${edge.source}`, ["stdin"], edge.source)];
}

const OPERATORS: Record<string, string> = { "&&": "and", "||": "or", "===": "==", "!==": "!=" };

function operator(finding: Finding, seen: string): Fix[] {
  const right = OPERATORS[seen];
  return right === undefined ? [] : [replace(finding, right, `Write ${right}`)];
}

/** `${1.id}` in an expression is `inputs[0].id`, `${total}` is `vars.total`. */
function named(finding: Finding): Fix[] {
  const path = /^Write (\S+), or /.exec(finding.help ?? "")?.[1];
  return path === undefined ? [] : [replace(finding, path, `Write ${path}`)];
}

/** A number without a unit is taken as seconds, the most common unit of tools. */
function fieldFixes(finding: Finding, value: string): Fix[] {
  if (finding.code !== "bad-duration" || !/^\d+(?:\.\d+)?$/.test(value.trim())) return [];
  const path = finding.path.slice(finding.path.indexOf("data") + 1).map(String);
  return finding.path.includes("data") ? [field(`Write ${value.trim()}s`, path, `${value.trim()}s`)] : [];
}

/** The text with a fix applied. */
export function applied(value: string, changes: readonly TextChange[]): string {
  // Of two insertions at the same place, the first comes first.
  return changes
    .toReversed()
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), value);
}
