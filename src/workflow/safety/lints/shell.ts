// safety/lints/shell: the script's own variables where their text becomes something else: arithmetic, several arguments (4.1, "Warned").
//   B1. Told only of variables that hold what a command printed, a line that was read, or a value of the run (env.static); what the
//       script itself wrote into a variable is its author's. Of arithmetic only of what a command printed: values of the run are
//       looked at before the command starts (shell/counted.ts).
//   B2. Programs that print a number and nothing else, and variables that the script looks at first, are left alone.
//   B3. Severity rises with provenance: what is told of a value that the document exports becomes an error when a command, a model or
//       a delivery chose it (docs/reference/templates.md). What the script itself fetched stays a warning: only its author knows.

import type { SyntaxNode } from "unbash";
import * as told from "../../diagnostics/safety.ts";
import type { Given, Script } from "../script.ts";
import { parameterOf } from "../terms.ts";
import { type Finding, finding } from "./finding.ts";

/** Variables that hold values of the run (env.static, exposeParents), with where the value comes from when nobody vouches for it. */
export type Exported = ReadonlyMap<string, string | undefined>;

export function shellFindings(script: Script, dialect: "bash" | "sh" | "zsh", exported: Exported): Finding[] {
  const printed = new Set([...script.given].filter(([, given]) => given.some(isPrinted)).map(([name]) => name));
  const outside = new Set([...exported.keys()].filter((name) => !script.given.has(name)));
  const { tree } = script.reading;
  const checked = checkedNames(script);
  const findings: Finding[] = [];
  const report = (node: { pos: number; end: number }, tell: Finding["tell"]) => {
    const place = { start: script.reading.original(node.pos), end: script.reading.original(node.end) };
    findings.push(finding(place, tell));
  };
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const name = parameterOf(node) ?? wordOf(node);
    if (name === undefined || (!printed.has(name) && !outside.has(name))) continue;
    // dash reads a number there and nothing else; what is told of a number stands where it was set.
    if (dialect !== "sh" && isArithmetic(chain)) {
      if (printed.has(name) && !checked.has(name)) report(node, (at) => told.arithmeticOnOutput(at, name));
    } else if (
      node.type !== "ArithmeticWord" &&
      dialect !== "zsh" &&
      isSplit(chain) &&
      (printed.has(name) || !isEchoed(chain))
    )
      report(node, (at) => told.unquotedVariable(at, name, outside.has(name) ? exported.get(name) : undefined));
  }
  return findings;
}

/** `x`, `$x` and `${x}` in `(( ))`, which the parser keeps as one word. */
function wordOf(node: SyntaxNode): string | undefined {
  if (node.type !== "ArithmeticWord") return undefined;
  const [, bare, braced] = /^(?:\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(node.value) ?? [];
  return bare ?? braced;
}

/** Given by a command's output, or by `read`, unless the command prints numbers. */
function isPrinted(given: Given): boolean {
  if (!given.output) return false;
  const node = given.chain.at(-1);
  if (node?.type !== "Assignment" || node.value.type !== "Word") return node?.type === "Command";
  const [part, ...rest] = node.value.parts ?? [];
  const inner = part?.type === "DoubleQuoted" ? part.parts[0] : part;
  if (inner?.type !== "CommandExpansion" || rest.length > 0) return true;
  return !printsNumber(inner.script?.commands.at(-1)?.command);
}

/** Names that the script compares with a pattern: `case $n in`, `[[ $n =~ … ]]`. */
function checkedNames(script: Script): Set<string> {
  const names = new Set<string>();
  for (const chain of script.reading.tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const name = parameterOf(node);
    if (name === undefined) continue;
    const holder = chain.findLast((one, index) => index < chain.length - 1 && !/^(Word|DoubleQuoted)$/.test(one.type));
    if (holder?.type === "Case") names.add(name);
    if (holder?.type === "TestBinary" && /^(=~|==?|!=)$/.test(holder.operator)) names.add(name);
  }
  return names;
}

function isArithmetic(chain: readonly SyntaxNode[]): boolean {
  for (let level = chain.length - 2; level >= 0; level--) {
    const node = chain[level] as SyntaxNode;
    if (/^Arithmetic(Expansion|Command|Binary|Unary|Group|Ternary|Word)$/.test(node.type)) return true;
    if (node.type === "TestBinary") return /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator);
    if (node.type === "Script" || node.type === "Command" || node.type === "CommandExpansion") return false;
  }
  return false;
}

/** echo only prints it, with other blanks; of a value that the document itself exports that is no risk. */
function isEchoed(chain: readonly SyntaxNode[]): boolean {
  const command = chain.at(-3);
  return command?.type === "Command" && command.name?.value === "echo";
}

/** Bare in an argument: no quotes, no assignment, no test of [[ ]], no list of a loop. */
function isSplit(chain: readonly SyntaxNode[]): boolean {
  const word = chain.at(-2);
  const holder = chain.at(-3);
  if (word?.type !== "Word" || holder?.type !== "Command") return false;
  return (holder.args as readonly SyntaxNode[]).includes(word);
}

/** The command prints a number and nothing else. */
function printsNumber(node: SyntaxNode | undefined): boolean {
  if (node?.type === "Pipeline") return printsNumber(node.commands.at(-1));
  if (node?.type !== "Command") return false;
  const name = node.name?.value.split("/").pop() ?? "";
  const words = node.args.map((word) => word.text);
  if (/^(wc|nproc|expr|getconf|stat|mktemp)$/.test(name)) return true;
  if (name === "date")
    return words.some((word) => /^\+?["']?\+?%s/.test(word) || /\+%(s|Y|m|d|H|M|S|j|u)["']?$/.test(word));
  if (name === "grep") return words.some((word) => /^-[a-zA-Z]*c|^--count/.test(word));
  if (name === "id") return words.some((word) => /^-[a-zA-Z]*[ug]/.test(word));
  if (name === "jq") return words.some((word) => /^["']?(\.\s*\|\s*)?length["']?$/.test(word));
  return name === "curl" && words.some((word) => /^["']?%\{(http_code|response_code)\}/.test(word));
}
