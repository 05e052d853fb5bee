// safety/lints/shell: finds script variables that are read as arithmetic or split into several arguments (4.1,
// "Warned").
//   B1. Only variables with the output of a command or a line that was read are reported. For splitting, exported
//       runtime values are too. A literal that the script assigns is the author's choice.
//   B2. Programs that print only a number, and variables that the script compares with a pattern, are not reported.

import type { SyntaxNode } from "unbash";
import { parameterOf, type Reading } from "../../../shell/safety/index.ts";
import * as diagnostics from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";

/** `exported`: names of variables with runtime values (env.static, exposeParents). */
export function shellFindings(
  { tree, marked, assigned }: Reading,
  dialect: "bash" | "sh" | "zsh",
  exported: ReadonlySet<string>,
): Finding[] {
  const set = new Set(assigned.map(({ name }) => name));
  const printed = new Set(assigned.filter((one) => isPrinted(one, marked.text)).map(({ name }) => name));
  const checked = checkedNames(tree);
  const findings: Finding[] = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const name = parameterOf(node) ?? wordOf(node);
    if (name === undefined) continue;
    const isValue = exported.has(name) && !set.has(name);
    if (!printed.has(name) && !isValue) continue;
    const place = { start: marked.original(node.pos), end: marked.original(node.end) };
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
function isPrinted({ kind, chain }: Reading["assigned"][number], source: string): boolean {
  const node = chain.at(-1);
  if (node?.type !== "Assignment") return kind === "input";
  const parts = node.value.type === "Word" ? (node.value.parts ?? []) : [];
  const inner = parts.flatMap((part): SyntaxNode[] => (part.type === "DoubleQuoted" ? [...part.parts] : [part]));
  const outputs = inner.filter((part) => part.type === "CommandExpansion");
  const [last] = outputs.length === 1 && inner.length === 1 ? (outputs[0]?.script?.commands.slice(-1) ?? []) : [];
  return outputs.length > 0 && (last === undefined || !PRINTS_NUMBER.test(source.slice(last.pos, last.end)));
}

/** Tried on the last command of a pipe. */
const PRINTS_NUMBER =
  /(?:^|\|\s*)(?:(?:wc|nproc|expr|getconf|stat|mktemp)\b|date\b[^|]*%[sYmdHMSju]["']?|grep\b[^|]*\s(?:-[a-zA-Z]*c|--count)|id\s+-[a-zA-Z]*[ug]|jq\b[^|]*["' ]length["']?|curl\b[^|]*%\{(?:http_code|response_code)\})[^|]*$/;

/** Names that the script compares with a pattern: `case $n in`, `[[ $n =~ … ]]`. */
function checkedNames(tree: Reading["tree"]): Set<string> {
  const checked = tree.parameters.filter(({ chain }) => {
    const holder = chain.findLast((one, index) => index < chain.length - 1 && !/^(Word|DoubleQuoted)$/.test(one.type));
    return holder?.type === "Case" || (holder?.type === "TestBinary" && /^(=~|==?|!=)$/.test(holder.operator));
  });
  return new Set(checked.map(({ name }) => name));
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
