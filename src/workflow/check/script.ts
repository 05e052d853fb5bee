// check/script: checks the names in a command: references of the workflow (spec 1.3), and variables of the shell (4.1).
//   E1. A variable that is set on this machine, but not passed to a command that reads it, is reported with a way to
//       pass it.
//   E2. The shell parser is loaded only if the text contains a reference or such a name.

import { limits } from "../../base/limits.ts";
import { foreignInterpreter, posixDialect } from "../../shell/dialect.ts";
import type { ShellProblem, ShellProgram } from "../../shell/rewrite/index.ts";
import { type Known, referencesOf } from "../../shell/template.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { parentNumberOutOfRange } from "../diagnostics/node.ts";
import * as found from "../diagnostics/template.ts";
import { programReference, wholeReference } from "../dynamic-command.ts";
import { factRoots, STATE } from "../facts.ts";
import type { CliData } from "../model.ts";
import { factsOfCommand, isGiven, isOfScript, SHELL_NAMES } from "../script-names.ts";
import { NAME } from "./context.ts";
import { type CheckedField, dashedId, definedNames, isKnown, otherMeaning } from "./names.ts";
import { nearMisses } from "./near-misses.ts";

export async function checkScript(field: CheckedField): Promise<void> {
  const { node } = field.node;
  if (node.type !== "cli") return;
  const { data } = node;
  const own = { ...field, scope: [...field.scope, ...Object.keys(data.env?.static ?? {})] };
  if (data.content.includes("${") || data.shell === "cmd" || takesValues(data)) await checkReferences(own, data);
  if (data.env?.inherit !== true && foreignInterpreter(data) === undefined) await checkVariables(field, data);
}

function takesValues({ env }: CliData): boolean {
  return env?.exposeParents === true || Object.values(env?.static ?? {}).some((text) => text.includes("${"));
}

const WHOLE_PROGRAM =
  "Write the command itself. If a person is to see and approve this very program each time, say needsUserApproval: true (with safetyLevel: safe, and not onTimeout: approve).";

/** Languages that read `${name}` themselves. Those of the second list do so between backticks. */
const READS_IT = /^(?:perl|php|make|gmake|groovy|kotlin|kotlinc|scala|tclsh|wish|expect|dart)[0-9.]*$/;
const IN_BACKTICKS = /^(?:node|nodejs|deno|bun|tsx|ts-node|zx|qjs)$/;

async function checkReferences(field: CheckedField, data: CliData): Promise<void> {
  const { node, text, scope, check, names, at } = field;
  const isFactHere = factsOfCommand(node.node, node);
  const isInScope = new Set(scope);
  const known: Known = (root, members) => isKnown(root, node, isInScope, names) || isFactHere(root, members);
  const foreign = foreignInterpreter(data);
  if (foreign !== undefined) {
    const first = referencesOf(text).find(
      ({ root, members }) => NAME.test(root) && (known(root, members) || check.graph.indexOf.has(root)),
    );
    const owned = READS_IT.test(foreign) || (IN_BACKTICKS.test(foreign) && text.includes("`"));
    if (first !== undefined && !owned)
      check.report(found.templateNotReplaced(at(first.start, first.end), first.root, foreign));
    return;
  }
  const misses = nearMisses(text, (root) => known(root) || factRoots(node.stateNames).includes(root));
  for (const miss of misses) check.report(found.templateSyntax(at(miss.start, miss.end), miss.seen, miss.meant));
  checkIds(field);
  checkOperators(field);
  for (const reference of referencesOf(text))
    if (isOfFact(reference.root, reference.start, text) && !known(reference.root, reference.members))
      check.report(found.unknownFact(at(reference.start, reference.end), reference, node));
  const whole = wholeReference(text);
  if (whole !== undefined && known(whole.root, whole.members) && programReference(node.node) !== undefined) return;
  const shell = await import("../../shell/rewrite/index.ts");
  const dialect = posixDialect(data);
  if (dialect === undefined) {
    const other = data.shell === "pwsh" ? shell.rewritePwsh(text, known) : undefined;
    const refused =
      other === undefined ? shell.refuseInCmd(text, known, shell.filledNames(data)) : other.ok ? [] : other.error;
    for (const problem of refused) check.report(refusal(problem, field));
    return;
  }
  const isStatic = (name: string) => Object.hasOwn(data.env?.static ?? {}, name);
  const program = await shell.rewriteShell(text, dialect, known, isStatic, shell.filledNames(data));
  if (program.ok) {
    checkNumbers(field);
    checkShellNames(program.value, field);
    return;
  }
  for (const problem of program.error)
    if (!misses.some(({ start }) => start === problem.start))
      check.report(refusal(whole === undefined ? problem : { ...problem, help: WHOLE_PROGRAM }, field));
}

/** `${run.x}`, `${failure.x}`, `${state.x}`: a fact that has no value here has its own finding. */
function isOfFact(name: string, start: number, text: string): boolean {
  return [...factRoots(), STATE].includes(name) && /^[.[]/.test(text.slice(start + name.length + 2));
}

function refusal({ start, end, code, message, help }: ShellProblem, { text, at }: CheckedField): Diagnostic {
  const filter = code === "unknown-filter" ? referencesOf(text.slice(start, end))[0]?.filter : undefined;
  return filter === undefined
    ? found.foreign(at(start, end), code, message, help)
    : found.unknownFilter(at(start, end), filter);
}

/** Names that the shell expands, and those that it leaves as they are, each once. */
function checkShellNames({ unknown, quoted }: ShellProgram, field: CheckedField): void {
  const { node, text, check, at } = field;
  const reported = new Set<string>();
  const isSet = mayBeSet(text);
  for (const { name, start, end } of unknown) {
    if (reported.has(name) || isOfFact(name, start, text)) continue;
    reported.add(name);
    if (reported.size > limits.shapeFindingsMax) break;
    if (!isSet(name)) checkShellName(name, start, end, field);
  }
  for (const { name, start, end } of quoted) {
    if (reported.has(name) || isOfFact(name, start, text) || isSet(name) || belongsToText(name, text)) continue;
    reported.add(name);
    if (SHELL_NAMES.test(name) || isGiven(name, node.node) || check.options.environment?.has(name)) continue;
    check.report(found.unknownNameInQuotes(at(start, end), name, definedNames(field)));
  }
}

function checkShellName(name: string, start: number, end: number, field: CheckedField): void {
  const { node, check, names, at } = field;
  const isId = check.graph.indexOf.has(name);
  const loop = names.ofLoops.get(name);
  if (SHELL_NAMES.test(name) || isGiven(name, node.node)) return;
  if (loop !== undefined) {
    // A name that is both has its own finding.
    if (!isId) check.report(found.outOfScope(at(start, end), name, loop));
  } else if (isId) check.report(found.nodeIdAsName(at(start, end), name));
  // checkVariables reports variables of the environment.
  else if (!check.options.environment?.has(name))
    check.report(found.unknownNameInShell(at(start, end), name, definedNames(field)));
}

/** Quoted text may be a program that sets the name itself, or one in a language with `${…}`. */
function belongsToText(name: string, text: string): boolean {
  return OTHER_PROGRAM.test(text) || new RegExp(`\\b(?:${name}=|for\\s+${name}\\b|read\\b.*\\b${name}\\b)`).test(text);
}
const OTHER_PROGRAM =
  /\b(?:node(?:js)?|deno|bun|tsx|perl|php|python\d?|ruby|make|groovy|kotlin|scala|tclsh|envsubst|awk|eval|trap|xargs|find|parallel|(?:ba|z|da|k)?sh)\b/;

/** References to nodes by their id. Everything else is checked where the script is rewritten. */
function checkIds({ node, text, check, at }: CheckedField): void {
  for (const { root, start, end } of referencesOf(text)) {
    const other = isOfScript(root, node.node) ? undefined : otherMeaning(root, node, true, check);
    if (other !== undefined) check.report(found.ambiguousName(at(start, end), root, other));
  }
  for (const { index, 0: seen } of text.matchAll(/\$\{[A-Za-z_]\w*-[\w-]*/g)) {
    const id = dashedId(seen, check);
    if (id !== undefined) check.report(found.idWithDash(at(index, index + seen.length), id, true));
  }
}

/** The shell reads `${posts:-x}` and `${posts%/}` itself. */
const OPERATOR = /(?<![$\\])\$\{([A-Za-z_]\w*)[-:+?%#/^,@]/g;

function checkOperators({ node, text, check, at }: CheckedField): void {
  const isSet = mayBeSet(text);
  for (const { index, 0: seen, 1: name = "" } of text.matchAll(OPERATOR)) {
    const isId = check.graph.indexOf.has(name) && name !== node.id && dashedId(text.slice(index), check) === undefined;
    // Where the script names the node as well, the shell's parser has refused it.
    if (!isId || node.refers.get(name)?.byName === true || check.options.environment?.has(name)) continue;
    if (!isSet(name) && !isOfScript(name, node.node) && !belongsToText(name, text))
      check.report(found.operatorOnId(at(index, index + seen.length), name));
  }
}

/** Functions of the script and `set --` have their own positional parameters. */
function checkNumbers({ node, text, check, at }: CheckedField): void {
  if (/\bfunction\s|\(\s*\)|\bset\s+--/.test(text)) return;
  const parents = check.parentsOf(node.id);
  for (const { root, start, end } of referencesOf(text))
    if (/^[0-9]/.test(root) && Number(root) > parents.length)
      check.report(parentNumberOutOfRange(at(start, end), root, parents));
}

const POSIX_NAME = /\$\{?[!#]?([A-Za-z_]\w*)/g;
const PWSH_NAME = /\$\{?env:([A-Za-z_]\w*)\}?/gi;
const CMD_NAME = /%([A-Za-z_]\w*)(?::[^%\n]*)?%/g;

/**
 * Variables that the script reads: those of the environment that it does not get (E1), and `$repo` where the workflow
 * has a value of that name.
 */
async function checkVariables({ node, text, scope, check, names, at }: CheckedField, data: CliData): Promise<void> {
  const { environment, passesEnvironment } = check.options;
  const isPosix = posixDialect(data) !== undefined;
  const isStatic = (name: string) => Object.hasOwn(data.env?.static ?? {}, name);
  const isSet = isPosix ? mayBeSet(text) : () => false;
  const ours = new Set([...scope, ...names.shared]);
  const isMissed = (name: string) =>
    environment?.has(name) === true &&
    passesEnvironment?.(name) === false &&
    !SHELL_NAMES.test(name) &&
    !isGiven(name, node.node) &&
    !isStatic(name);
  const isMeant = (name: string, written: string) =>
    written.startsWith(`$${name}`) &&
    isPosix &&
    name !== node.id &&
    (ours.has(name) || check.graph.indexOf.has(name)) &&
    !isStatic(name) &&
    environment?.has(name) !== true &&
    !isSet(name) &&
    !isOfScript(name, node.node);
  const candidates = [...text.matchAll(isPosix ? POSIX_NAME : data.shell === "pwsh" ? PWSH_NAME : CMD_NAME)];
  if (!candidates.some(([seen, name = ""]) => isMissed(name) || isMeant(name, seen))) return;
  const read = isPosix
    ? await (await import("../../shell/rewrite/index.ts")).parametersOf(text)
    : candidates.map(({ index, 0: seen, 1: name = "" }) => ({ name, start: index, end: index + seen.length }));
  const reported = new Set<string>();
  for (const { name, start, end } of read) {
    const seen = text.slice(start, end);
    const isReference = ours.has(name) && /^\$\{\w+[}|]/.test(seen);
    if (reported.has(name)) continue;
    if (isMissed(name) && !isReference && !names.ofLoops.has(name) && !isSet(name))
      check.report(found.envNotPassed(at(start, end), name, ours.has(name)));
    else if (isMeant(name, seen)) check.report(found.nameWithoutBraces(at(start, end), name));
    else continue;
    reported.add(name);
  }
}

/** Whether a name may be set by an expansion (`${x:=1}`), or by a file that the script reads in. */
function mayBeSet(text: string): (name: string) => boolean {
  if (/(?:^|[;&|(\n])[ \t]*(?:source|\.|eval)[ \t]+\S/.test(text)) return () => true;
  return (name) => text.includes(`\${${name}:=`) || text.includes(`\${${name}=`);
}
