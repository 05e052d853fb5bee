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
  /** Fields of the node's data. `add` appends an item to a list if it is missing. */
  set?: { path: string[]; value?: unknown; add?: string }[];
}

/** `value` is the value of the field that the finding is in. */
export function fixesOf(finding: Finding, value: string): Fix[] {
  const seen = value.slice(finding.start, finding.end);
  if (finding.code === "bad-duration") return withUnit(finding, value);
  if (finding.start === finding.end) return [];
  switch (finding.code) {
    case "curl-no-fail":
      return [insertAfter(finding, " --fail-with-body"), field("Set httpErrors: fail", ["httpErrors"], "fail")];
    case "curl-no-time-limit":
      return [insertAfter(finding, " --max-time 30"), field("Set timeout: 60s on the node", ["timeout"], "60s")];
    case "http-url":
    case "http-not-allowed":
      return overTls(finding, seen);
    case "unquoted-variable":
      return /^\$\{?\w+\}?$/.test(seen) ? [replace(finding, `"${seen}"`, "Put it in double quotes")] : [];
    case "asks-approval":
      return [field("Say that a person approves it", ["needsUserApproval"], true)];
    case "secret-on-command-line":
      return signIn(finding, value);
    case "env-not-passed":
      return inherit(finding);
    case "unknown-name":
    case "unknown-name-in-shell":
    case "unknown-variable":
    case "expression-unknown-name":
      return [...meant(finding, value), ...literal(finding, seen)];
    case "expression-template":
      return named(finding, seen);
    default:
      return [];
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

const SIGN_IN = /write on the node: auth: (\{[\s\S]*\})\s*$/;

/** Replaces the credentials on the command line by `auth:`. */
function signIn(finding: Finding, value: string): Fix[] {
  const written = SIGN_IN.exec(finding.help ?? "")?.[1];
  if (written === undefined) return [];
  const wide = wordAround(value, finding.start, finding.end);
  const option = /(?:[ \t]+\\\r?\n)?[ \t]+(?:-H|--header|-u|--user)[ \t=]*(?:\\\r?\n[ \t]*)?$/.exec(
    value.slice(0, wide.start),
  );
  if (option === null) return [];
  const changes = [{ from: wide.start - option[0].length, to: wide.end, insert: "" }];
  return [{ label: "Sign in by auth: instead", changes, set: [{ path: ["auth"], value: parse(written) as unknown }] }];
}

/** The quoted word around a range. */
function wordAround(value: string, start: number, end: number): { start: number; end: number } {
  for (const match of value.matchAll(/"(?:\\[\s\S]|[^"\\])*"|'[^']*'/g))
    if (match.index <= start && end <= match.index + match[0].length)
      return { start: match.index, end: match.index + match[0].length };
  return { start, end };
}

function inherit(finding: Finding): Fix[] {
  const name = /^([A-Za-z_]\w*) is set/.exec(finding.message)?.[1];
  return name === undefined
    ? []
    : [{ label: `Pass ${name} to the command`, set: [{ path: ["env", "inherit"], add: name }] }];
}

const MEANT = /Did you mean "([^"]+)"\?/;

/** The wrong word is near the finding's range, which can be only the word before it (`vars`). */
function meant({ message, start, end }: Finding, value: string): Fix[] {
  const name = MEANT.exec(message)?.[1];
  const wrong = WRONG.exec(message)?.[1];
  if (name === undefined || wrong === undefined) return [];
  const from = value.indexOf(wrong, start);
  if (from === -1 || from > end + 2) return [];
  return [{ label: `Write ${name}`, changes: [{ from, to: from + wrong.length, insert: name }] }];
}
const WRONG = /(?:^\$\{|^vars\.|^")([A-Za-z_]\w*)/;

/** Keeps as text what only looks like a reference. */
function literal(finding: Finding, seen: string): Fix[] {
  if (finding.code !== "unknown-name" || !seen.startsWith("${")) return [];
  return [{ label: `Keep ${seen} as text`, changes: [{ from: finding.start, to: finding.start, insert: "$" }] }];
}

/** `${1.id}` in an expression is `inputs[0].id`, `${total}` is `vars.total`. */
function named(finding: Finding, seen: string): Fix[] {
  const [, root, members = ""] = /^\$\{([A-Za-z_]\w*|[1-9][0-9]*)([^|}]*)(?:\|[a-z0-9]+)?\}$/.exec(seen) ?? [];
  if (root === undefined) return [];
  const path = /^[0-9]/.test(root) ? `inputs[${Number(root) - 1}]${members}` : `vars.${root}${members}`;
  return [replace(finding, path, `Write ${path}`)];
}

/** A number without a unit is taken as seconds, the most common unit of tools. */
function withUnit({ path }: Finding, value: string): Fix[] {
  const seconds = value.trim();
  if (!/^\d+(?:\.\d+)?$/.test(seconds) || !path.includes("data")) return [];
  return [field(`Write ${seconds}s`, path.slice(path.indexOf("data") + 1).map(String), `${seconds}s`)];
}

/** The text with a fix applied. */
export function applied(value: string, changes: readonly TextChange[]): string {
  return [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), value);
}
