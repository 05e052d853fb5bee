// safety/lints/shell: finds script variables that are read as arithmetic or split into several arguments (4.1,
// "Warned").
//   B1. Only variables with the output of a command or a line that was read are reported. For splitting, exported
//       runtime values are too. A literal that the script assigns is the author's choice.
//   B2. Programs that print only a number, and variables that the script compares with a pattern, are not reported.

import type { SyntaxNode } from "unbash";
import type { Given, Script } from "../../../shell/safety/index.ts";
import { parameterOf } from "../../../shell/safety/index.ts";
import * as diagnostics from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";

/** `exported`: names of variables with runtime values (env.static, exposeParents). */
export function shellFindings(
  script: Script,
  dialect: "bash" | "sh" | "zsh",
  exported: ReadonlySet<string>,
): Finding[] {
  const { tree, original } = script.reading;
  const printed = new Set([...script.given].filter(([, given]) => given.some(isPrinted)).map(([name]) => name));
  const checked = checkedNames(script);
  const findings: Finding[] = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const name = parameterOf(node) ?? wordOf(node);
    if (name === undefined) continue;
    const isValue = exported.has(name) && !script.given.has(name);
    if (!printed.has(name) && !isValue) continue;
    const place = { start: original(node.pos), end: original(node.end) };
    // dash accepts only a number there.
    if (dialect !== "sh" && isArithmetic(chain)) {
      if (!isValue && !checked.has(name))
        findings.push(finding(place, (at) => diagnostics.arithmeticOnOutput(at, name)));
    } else if (node.type !== "ArithmeticWord" && dialect !== "zsh" && isSplit(chain) && !(isValue && isEchoed(chain)))
      findings.push(finding(place, (at) => diagnostics.unquotedVariable(at, name)));
  }
  return findings;
}

/** `x`, `$x` and `${x}` in `(( ))`, which the parser keeps as one word. */
function wordOf(node: SyntaxNode): string | undefined {
  if (node.type !== "ArithmeticWord") return undefined;
  const [, bare, braced] = /^(?:\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(node.value) ?? [];
  return bare ?? braced;
}

/** Filled by `$(…)` or `read`, unless the command prints numbers. */
function isPrinted({ output, chain }: Given): boolean {
  if (!output) return false;
  const node = chain.at(-1);
  if (node?.type !== "Assignment" || node.value.type !== "Word") return node?.type === "Command";
  const [part, ...rest] = node.value.parts ?? [];
  const inner = part?.type === "DoubleQuoted" ? part.parts[0] : part;
  if (inner?.type !== "CommandExpansion" || rest.length > 0) return true;
  return !printsNumber(inner.script?.commands.at(-1)?.command);
}

function printsNumber(node: SyntaxNode | undefined): boolean {
  if (node?.type === "Pipeline") return printsNumber(node.commands.at(-1));
  if (node?.type !== "Command") return false;
  const name = node.name?.value.split("/").pop() ?? "";
  const has = (pattern: RegExp) => node.args.some((word) => pattern.test(word.text));
  if (/^(wc|nproc|expr|getconf|stat|mktemp)$/.test(name)) return true;
  if (name === "date") return has(/^\+?["']?\+?%s|\+%(s|Y|m|d|H|M|S|j|u)["']?$/);
  if (name === "grep") return has(/^-[a-zA-Z]*c|^--count/);
  if (name === "id") return has(/^-[a-zA-Z]*[ug]/);
  if (name === "jq") return has(/^["']?(\.\s*\|\s*)?length["']?$/);
  return name === "curl" && has(/^["']?%\{(http_code|response_code)\}/);
}

/** Names that the script compares with a pattern: `case $n in`, `[[ $n =~ … ]]`. */
function checkedNames(script: Script): Set<string> {
  const names = new Set<string>();
  for (const chain of script.reading.tree.nodes) {
    const name = parameterOf(chain.at(-1) as SyntaxNode);
    if (name === undefined) continue;
    const holder = chain.findLast((one, index) => index < chain.length - 1 && !/^(Word|DoubleQuoted)$/.test(one.type));
    if (holder?.type === "Case" || (holder?.type === "TestBinary" && /^(=~|==?|!=)$/.test(holder.operator)))
      names.add(name);
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

/** echo only prints it with other blanks. */
function isEchoed(chain: readonly SyntaxNode[]): boolean {
  const command = chain.at(-3);
  return command?.type === "Command" && command.name?.value === "echo";
}

/** Unquoted in an argument, and not in an assignment, a test of [[ ]], or the list of a loop. */
function isSplit(chain: readonly SyntaxNode[]): boolean {
  const word = chain.at(-2);
  const holder = chain.at(-3);
  if (word?.type !== "Word" || holder?.type !== "Command") return false;
  return (holder.args as readonly SyntaxNode[]).includes(word);
}
