// script-names: the names that belong to a command's own script, so that `${name}` in it never means a node (spec 8.1).
//   N1. It only reads text. If it misses that the script sets a name, the rewriting of the script rejects the reference
//       (template-assigned), so neither mistake is silent.

import type { Known } from "../shell/template.ts";
import { type FactPlace, isFact } from "./facts.ts";
import { kindOf } from "./kinds/index.ts";
import type { WorkflowNode } from "./model.ts";

/** Names that a shell sets automatically. */
export const SHELL_NAMES =
  /^(?:_|BASH.*|ZSH.*|COLUMNS|LINES|DIRSTACK|EPOCH.*|EUID|FUNCNAME|GROUPS|HOSTNAME|HOSTTYPE|HOME|IFS|LINENO|MACHTYPE|OLDPWD|OPTARG|OPTERR|OPTIND|OSTYPE|PATH|PIPESTATUS|PPID|PWD|RANDOM|REPLY|SECONDS|SHELL|SHELLOPTS|SHLVL|SRANDOM|TMPDIR|UID|USER|LOGNAME|LANG|LC_.*|TERM|TZ|CURLEW.*)$/;

/** Whether the name belongs to the script of this node: the shell, the node's env, or the script itself sets it. */
export function isOfScript(name: string, node: WorkflowNode): boolean {
  const { data } = node;
  if (!("content" in data) || kindOf(node).texts?.content !== "script") return false;
  const shell = "shell" in data ? data.shell : undefined;
  return SHELL_NAMES.test(name) || isGiven(name, node) || setsItself(name, node, data.content ?? "", shell);
}

/** The facts that a command's text may refer to. A script that sets `attempt` means its own. */
export function factsOfCommand(node: WorkflowNode, place: FactPlace): Known {
  const isOwn = isOfScript("attempt", node);
  return (root, members) => !(isOwn && root === "attempt") && isFact(root, members, place);
}

/** Whether the node exports the name to its command: a parent's value or an inherited variable. */
export function isGiven(name: string, { data }: WorkflowNode): boolean {
  const env = "env" in data ? data.env : undefined;
  if (env?.exposeParents === true && (env.names?.includes(name) || /^INPUT_[1-9]\d*$/.test(name))) return true;
  return Array.isArray(env?.inherit) && env.inherit.includes(name);
}

/** Places where a command starts: a line, a sign, a keyword. `&` in a URL has no blank after it. */
const STARTS = [
  /^[^\S\n]*/gm,
  /[;|({][^\S\n]*|&[^\S\n]+|&&/g,
  /\b(?:then|do|else|while|until|if|export|local|declare|typeset|readonly)\s+(?:-\w+\s+)*/g,
];

/** Each may follow a start. Variables that are set for the command alone may come before it. */
const ASSIGNMENT = /(\w+)(?:\[[^\]\n]*\])?\+?=/y;
const BEFORE_COMMAND = /\w+=\S*[^\S\n]+/y;
const LOOP = /(?:for|select)\s+(\w+)/y;
const BUILTIN = /(?:read|mapfile|readarray|getopts|local|declare|typeset|unset|let)\s([^;|&\n]*)/y;
const WORD = /(?<![${\w-])\w+/g;

const ANYWHERE = /\bprintf\s+-v\s+(\w+)|\$\{(\w+):?=|\(\(\s*(\w+)\s*(?:[-+*/%]?=[^=]|\+\+|--)/g;
const POWERSHELL =
  /\$\{?(\w+)\}?\s*(?:[-+*/%?]?\??=(?!=)|,[^;\n=]*=(?!=))|(?:foreach|param)\s*\([^$]*\$(\w+)|-\w*variable\s+["']?(\w+)/gi;

/** The names of each script, found once however many references it has. */
const found = new WeakMap<WorkflowNode, { content: string; names: Set<string> }>();

function setsItself(name: string, node: WorkflowNode, content: string, shell: string | undefined): boolean {
  let known = found.get(node);
  if (known?.content !== content) {
    const text = content.replaceAll(/\\\r?\n\s*/g, " ");
    known = { content, names: shell === "pwsh" ? namesIn(text.toLowerCase(), POWERSHELL) : namesSetIn(text) };
    found.set(node, known);
  }
  return known.names.has(shell === "pwsh" ? name.toLowerCase() : name);
}

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].flatMap(([, ...names]) => names.filter((name) => name !== undefined)));
}

/** Reads each part of the text once, so that a hostile script costs no more than its length. */
function namesSetIn(text: string): Set<string> {
  const names = namesIn(text, ANYWHERE);
  const at = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  const seen = new Set<number>();
  let argumentsRead = 0;
  for (const { index, 0: start } of STARTS.flatMap((pattern) => [...text.matchAll(pattern)])) {
    let from = index + start.length;
    while (!seen.has(from)) {
      seen.add(from);
      const assigned = at(ASSIGNMENT, from);
      if (assigned !== null && !isCopy(assigned[1]!, text, ASSIGNMENT.lastIndex)) names.add(assigned[1]!);
      const loop = at(LOOP, from);
      if (loop !== null) names.add(loop[1]!);
      const builtin = from < argumentsRead ? null : at(BUILTIN, from);
      if (builtin !== null) argumentsRead = BUILTIN.lastIndex;
      for (const [word] of builtin?.[1]?.matchAll(WORD) ?? []) names.add(word);
      if (at(BEFORE_COMMAND, from) !== null) from = BEFORE_COMMAND.lastIndex;
    }
  }
  return names;
}

/** `name=${name}` gives the script's variable the workflow's value, so it does not count. */
function isCopy(name: string, text: string, from: number): boolean {
  const value = text.slice(from, from + name.length + 4).replace(/^["']/, "");
  return value.startsWith(`\${${name}`) && /[.|}[]/.test(value.charAt(name.length + 2));
}
