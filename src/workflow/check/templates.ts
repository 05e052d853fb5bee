// check/templates: checks that every reference in a template has a meaning (spec 1.3), and that every expression is
// valid (1.4).
//   T1. An unknown name is an error in a field that no shell reads. In a shell script it may be the shell's own.
//   T2. The parsers of expressions and shell scripts are loaded only if needed.

import { limits } from "../../base/limits.ts";
import type { ShellProblem, ShellProgram } from "../../shell/rewrite/index.ts";
import { FILTERS, type Known, type Reference, referencesOf } from "../../shell/template.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { At } from "../diagnostics/base.ts";
import { inputOutOfRange, parentNumberOutOfRange, unknownNode } from "../diagnostics/node.ts";
import * as found from "../diagnostics/template.ts";
import { programReference, wholeReference } from "../dynamic-command.ts";
import { textComparison, variablesOf } from "../expression.ts";
import { factNames, factRoots, factsAt, isFact, STATE } from "../facts.ts";
import type { GraphNode } from "../graph.ts";
import { kindOf } from "../kinds/index.ts";
import { type TextField, textsOf } from "../kinds/kind.ts";
import { isSelect } from "../names-used.ts";
import { staticsOf } from "../node-fields.ts";
import { factsOfCommand, isGiven, isOfScript, SHELL_NAMES } from "../script-names.ts";
import type { Path } from "../source-map.ts";
import { type Check, NAME } from "./context.ts";
import { checkEnvironmentNames, checkUnbraced, interpreterOf, mayBeSet, SHELLS } from "./environment.ts";
import { isKnown, loopScope, type Names, otherMeaning } from "./names.ts";
import { nearMisses } from "./near-misses.ts";

export async function checkTemplates(check: Check, names: Names): Promise<void> {
  for (const node of check.graph.nodes) {
    const base: Path = [...check.nodePath(node.index), "data"];
    for (const { path, text, reading } of textsOf(kindOf(node.node), node.node.data)) {
      const field = { path: [...base, ...path], text, reading };
      if (reading === "template" || reading === "own") checkTemplate(node, field, check, names);
      else if (reading === "script") {
        await checkShellContent(node, check, names);
        await checkEnvironmentNames(node, check, names);
        await checkUnbraced(node, check, names);
      } else if (text.trim() !== "") await checkExpressionField(node, field, check, names);
    }
  }
  for (const [entry, fields] of Object.entries(check.workflow.auth ?? {}))
    for (const [key, text] of Object.entries(fields)) checkAuthTemplate(["auth", entry, key], text, check, names);
}

function checkTemplate(node: GraphNode, field: TextField, check: Check, names: Names): void {
  const { text, path } = field;
  if (!text.includes("$")) return;
  for (const miss of nearMisses(text)) {
    const at = check.inside(path, text, miss.start, miss.end);
    const id = dashedId(miss.seen, check);
    check.report(id === undefined ? found.templateSyntax(at, miss.seen, miss.meant) : found.idWithDash(at, id, false));
  }
  for (const reference of referencesOf(text)) checkReference(node, reference, field, check, names);
}

function checkReference(
  node: GraphNode,
  reference: Reference,
  { path, text, reading }: TextField,
  check: Check,
  names: Names,
): void {
  const at = () => check.inside(path, text, reference.start, reference.end);
  const { root, filter } = reference;
  checkFilter(filter, at, check);
  if (/^[0-9]/.test(root)) {
    const parents = check.parentsOf(node.id);
    if (Number(root) > parents.length) check.report(parentNumberOutOfRange(at(), root, parents));
    return;
  }
  const other = otherMeaning(root, node, reading === "own", check);
  if (other !== undefined) check.report(found.ambiguousName(at(), root, other));
  if (other !== undefined || node.refers.get(root)?.byName === true) return;
  if (reading === "own" && Object.hasOwn(staticsOf(node.node), root)) return;
  const scope = loopScope(node, check, reading === "inside");
  if (scope.includes(root) || names.shared.has(root) || check.options.environment?.has(root)) return;
  if (isFact(root, reference.members, node)) return;
  const loop = names.ofLoops.get(root);
  if (loop !== undefined) check.report(found.outOfScope(at(), root, loop));
  else if (check.graph.indexOf.has(root)) check.report(found.nodeIdAsName(at(), root));
  else if (reference.members.length > 0 && [...factRoots(), STATE].includes(root))
    check.report(found.unknownFact(at(), reference, node));
  else
    check.report(
      found.unknownName(at(), root, [...scope, ...names.shared, ...factNames(node), ...check.graph.indexOf.keys()]),
    );
}

/** The id with a dash that a text such as `${fetch-page.items}` was meant to name. */
function dashedId(seen: string, check: Check): string | undefined {
  const id = /^\$\{\s*([A-Za-z_]\w*-[\w-]*)/.exec(seen)?.[1];
  return id !== undefined && check.graph.indexOf.has(id) ? id : undefined;
}

function checkFilter(
  filter: string | undefined,
  at: () => Parameters<typeof found.unknownFilter>[0],
  check: Check,
): void {
  if (filter !== undefined && !(FILTERS as readonly string[]).includes(filter))
    check.report(found.unknownFilter(at(), filter));
}

async function checkExpressionField(node: GraphNode, field: TextField, check: Check, names: Names): Promise<void> {
  const { path, text, reading } = field;
  if (textComparison(text) !== undefined) {
    checkTemplate(node, field, check, names);
    return;
  }
  const { checkExpression } = await import("../expression.ts");
  const problems = await checkExpression(text);
  const scope = loopScope(node, check, reading === "inside");
  for (const { code, message, help, start, end } of problems) {
    const better =
      code === "expression-template"
        ? templateHelp(text.slice(start, end), scope, check, names)
        : path.at(-1) === "items" && code === "expression-syntax"
          ? listHelp(text)
          : undefined;
    const at = check.inside(path, text, start, Math.max(end, start + 1));
    check.report(found.foreign(at, code, message, better ?? help));
  }
  if (problems.length > 0) return;
  const used = variablesOf(text, isSelect(path));
  const at = (map: string, name: string) => {
    const start = Math.max(0, text.search(new RegExp(`\\b${map}\\b[^A-Za-z0-9]*${name.replaceAll(/\W/g, "\\$&")}`)));
    return check.inside(path, text, start, start + map.length);
  };
  for (const name of used.vars)
    if (!names.shared.has(name) && !scope.includes(name))
      check.report(found.unknownVariable(at("vars", name), name, [...names.shared]));
  for (const name of scope.includes("nodes") ? [] : used.nodes)
    if (!check.graph.indexOf.has(name) && !check.draft.broken.has(name))
      check.report(unknownNode(at("nodes", name), name, check.graph.indexOf.keys()));
  for (const name of scope.includes(STATE) || isSelect(path) ? [] : used.state)
    if (node.stateNames.length > 0 && !node.stateNames.includes(name))
      check.report(found.undeclaredState(at(STATE, name), `${STATE}.${name}`, name, node.stateNames));
  if (path.at(-1) !== "select" && path.at(-1) !== "on") await checkRootNames(node, field, scope, check, names);
  await checkNamesInItems(node, field, check, names);
}

/** For JSONata, `run.inputs` in a predicate is a member of the item, and the comparison with "nothing" is false. */
async function checkNamesInItems(node: GraphNode, { path, text }: TextField, check: Check, names: Names) {
  const { namesInItems } = await import("../expression-names.ts");
  const isOurs: Record<string, (name: string) => boolean> = {
    vars: (name) => names.shared.has(name),
    nodes: (name) => check.graph.indexOf.has(name),
    [STATE]: (name) => node.stateNames.includes(name),
  };
  for (const { names: both, start } of await namesInItems(text)) {
    const [root, member] = both;
    if (!(isOurs[root]?.(member) ?? (isFact(root, [member]) || both.join(".") === "run.inputs"))) continue;
    const seen = both.join(".");
    check.report(found.nameInFilter(check.inside(path, text, start, start + seen.length), seen));
  }
}

/** How an expression names the value of `${…}`, if the name has one meaning. */
function templateHelp(seen: string, scope: readonly string[], check: Check, names: Names): string | undefined {
  const [{ root, members } = { root: "", members: [] }] = referencesOf(seen);
  const path = members.map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`)).join("");
  const written = (name: string) => `Write ${name}${path}, or compare texts only: ${seen} == done.`;
  if (/^[0-9]/.test(root)) return written(`inputs[${Number(root) - 1}]`);
  if (scope.includes(root) || isFact(root, members)) return written(root);
  if (names.shared.has(root)) return written(`vars.${root}`);
  return check.graph.indexOf.has(root) ? written(`nodes.${root}`) : undefined;
}

/** For `items: "a, b"` and for lines: suggests a list of the values. */
function listHelp(text: string): string | undefined {
  const values = text.split(text.trim().includes("\n") ? "\n" : ",").flatMap((value) => value.trim() || []);
  if (values.length < 2 || values.some((value) => /[()[\]{}"'`$]/.test(value))) return undefined;
  const shown = values.slice(0, 3).map((value) => JSON.stringify(value));
  return `Text here is an expression that gives the values. The values themselves are a list: items: [${shown.join(", ")}${values.length > 3 ? ", …" : ""}].`;
}

/** For JSONata, an unknown name is "nothing": the condition would be evaluated without an error. */
async function checkRootNames(
  node: GraphNode,
  { path, text }: TextField,
  scope: readonly string[],
  check: Check,
  names: Names,
): Promise<void> {
  const { rootNames } = await import("../expression-names.ts");
  const known = [...EXPRESSION_NAMES, ...Object.keys(factsAt(node)), ...scope];
  const parents = check.parentsOf(node.id);
  for (const { name, start, index, member, called } of await rootNames(text)) {
    const at = check.inside(path, text, start, start + name.length);
    const isOfFacts = ["run", "trigger", "failure"].includes(name) && !scope.includes(name);
    const fact = () => check.inside(path, text, start, text.indexOf(member!, start + name.length) + member!.length);
    if (called) check.report(found.notAFunction(at, name));
    else if (!known.includes(name))
      check.report(found.expressionUnknownName(at, name, known, mapOf(name, check, names)));
    else if (isOfFacts && member !== undefined && !isFact(name, [member], node) && `${name}.${member}` !== "run.inputs")
      check.report(found.unknownFact(fact(), { root: name, members: [member] }, node, (written) => written));
    else if (name === "inputs" && index !== undefined && index >= parents.length && parents.length > 0)
      check.report(inputOutOfRange(at, index, parents));
  }
}

const EXPRESSION_NAMES = ["inputs", "vars", "nodes", "exitCode", "status", "headers"];

function mapOf(name: string, check: Check, names: Names): "vars" | "nodes" | undefined {
  if (names.shared.has(name)) return "vars";
  return check.graph.indexOf.has(name) ? "nodes" : undefined;
}

/** Values of the workflow's `auth`: secrets, inputs and the environment. */
function checkAuthTemplate(path: Path, text: string, check: Check, names: Names): void {
  for (const reference of referencesOf(text)) {
    const at = () => check.inside(path, text, reference.start, reference.end);
    checkFilter(reference.filter, at, check);
    if (names.shared.has(reference.root) || check.options.environment?.has(reference.root)) continue;
    if (isFact(reference.root, reference.members)) continue;
    check.report(found.unknownName(at(), reference.root, names.shared));
  }
}

const WHOLE_PROGRAM =
  "Write the command itself. If a person is to see and approve this very program each time, say needsUserApproval: true (with safetyLevel: safe, and not onTimeout: approve).";

/** Languages that read `${name}` themselves. Those of the second list do so between backticks. */
const READS_IT = /^(?:perl|php|make|gmake|groovy|kotlin|kotlinc|scala|tclsh|wish|expect|dart)[0-9.]*$/;
const IN_BACKTICKS = /^(?:node|nodejs|deno|bun|tsx|ts-node|zx|qjs)$/;

async function checkShellContent(node: GraphNode, check: Check, names: Names): Promise<void> {
  if (node.node.type !== "cli") return;
  const { data } = node.node;
  if (!data.content.includes("${") && data.shell !== "cmd" && !takesValues(data)) return;
  const text = data.content;
  const path: Path = [...check.nodePath(node.index), "data", "content"];
  const at = (start: number, end: number) => check.inside(path, text, start, end);
  const parents = check.parentsOf(node.id);
  const statics = data.env?.static ?? {};
  const scope = new Set([...loopScope(node, check), ...Object.keys(statics)]);
  const isFactHere = factsOfCommand(node.node, node);
  const known: Known = (root, members) => isKnown(root, node, scope, names) || isFactHere(root, members);

  const interpreter = data.mode === "script" ? interpreterOf(text) : undefined;
  if (interpreter !== undefined && !SHELLS.has(interpreter)) {
    const first = referencesOf(text).find(
      ({ root, members }) => NAME.test(root) && (known(root, members) || check.graph.indexOf.has(root)),
    );
    const owned = READS_IT.test(interpreter) || (IN_BACKTICKS.test(interpreter) && text.includes("`"));
    if (first !== undefined && !owned)
      check.report(found.templateNotReplaced(at(first.start, first.end), first.root, interpreter));
    return;
  }
  const misses = nearMisses(text, (root) => known(root) || factRoots(node.stateNames).includes(root));
  for (const miss of misses) check.report(found.templateSyntax(at(miss.start, miss.end), miss.seen, miss.meant));
  checkIds(node, text, at, check);
  for (const reference of referencesOf(text))
    if (
      reference.members.length > 0 &&
      [...factRoots(), STATE].includes(reference.root) &&
      !known(reference.root, reference.members)
    )
      check.report(found.unknownFact(at(reference.start, reference.end), reference, node));
  const whole = wholeReference(text);
  if (whole !== undefined && known(whole.root, whole.members) && programReference(node.node) !== undefined) return;
  const shell = await import("../../shell/rewrite/index.ts");
  const dialect = interpreter ?? data.shell ?? "bash";
  if (dialect === "pwsh" || dialect === "cmd") {
    const other = dialect === "pwsh" ? shell.rewritePwsh(text, known) : undefined;
    const refused =
      other === undefined ? shell.refuseInCmd(text, known, shell.filledNames(data)) : other.ok ? [] : other.error;
    for (const problem of refused) check.report(refusal(problem, text, at));
    return;
  }
  const posix = dialect === "bash" || dialect === "zsh" ? dialect : "sh";
  const program = await shell.rewriteShell(
    text,
    posix,
    known,
    (name) => Object.hasOwn(statics, name),
    shell.filledNames(data),
  );
  if (!program.ok) {
    for (const problem of program.error) {
      if (misses.some(({ start }) => start === problem.start)) continue;
      check.report(refusal(whole === undefined ? problem : { ...problem, help: WHOLE_PROGRAM }, text, at));
    }
    return;
  }
  checkNumbers(text, at, parents, check);
  checkShellNames(program.value, text, at, node, scope, check, names);
}

function refusal(problem: ShellProblem, text: string, at: (start: number, end: number) => At): Diagnostic {
  const { start, end, code, message, help } = problem;
  const filter = code === "unknown-filter" ? referencesOf(text.slice(start, end))[0]?.filter : undefined;
  return filter === undefined
    ? found.foreign(at(start, end), code, message, help)
    : found.unknownFilter(at(start, end), filter);
}

function takesValues({ env }: { env?: { static?: Record<string, string>; exposeParents?: boolean } }): boolean {
  return env?.exposeParents === true || Object.values(env?.static ?? {}).some((text) => text.includes("${"));
}

/** Names that the shell expands, and those that it leaves as they are, each once. */
function checkShellNames(
  { unknown, quoted }: Pick<ShellProgram, "unknown" | "quoted">,
  text: string,
  at: (start: number, end: number) => At,
  node: GraphNode,
  scope: ReadonlySet<string>,
  check: Check,
  names: Names,
): void {
  const reported = new Set<string>();
  const isSet = mayBeSet(text);
  // A fact that has no value here has its own finding.
  const isFact = (name: string, start: number) =>
    [...factRoots(), STATE].includes(name) && text.startsWith(`\${${name}.`, start);
  for (const { name, start, end } of unknown) {
    if (reported.has(name) || isFact(name, start)) continue;
    reported.add(name);
    if (reported.size > limits.shapeFindingsMax) break;
    if (!isSet(name)) checkShellName(name, () => at(start, end), node, scope, check, names);
  }
  for (const { name, start, end } of quoted) {
    if (reported.has(name) || isFact(name, start) || isSet(name) || belongsToText(name, text)) continue;
    reported.add(name);
    if (SHELL_NAMES.test(name) || isGiven(name, node.node) || check.options.environment?.has(name)) continue;
    check.report(
      found.unknownNameInQuotes(at(start, end), name, [...scope, ...names.shared, ...check.graph.indexOf.keys()]),
    );
  }
}

/** Quoted text may be a program that sets the name itself, or one in a language with `${…}`. */
function belongsToText(name: string, text: string): boolean {
  return OTHER_PROGRAM.test(text) || new RegExp(`\\b(?:${name}=|for\\s+${name}\\b|read\\b.*\\b${name}\\b)`).test(text);
}
const OTHER_PROGRAM =
  /\b(?:node(?:js)?|deno|bun|tsx|perl|php|python\d?|ruby|make|groovy|kotlin|scala|tclsh|envsubst|awk|eval|trap|xargs|find|parallel|(?:ba|z|da|k)?sh)\b/;

/** References to nodes by their id. Everything else is checked where the script is rewritten. */
function checkIds(node: GraphNode, text: string, at: (start: number, end: number) => At, check: Check): void {
  for (const { root, start, end } of referencesOf(text)) {
    const other = isOfScript(root, node.node) ? undefined : otherMeaning(root, node, true, check);
    if (other !== undefined) check.report(found.ambiguousName(at(start, end), root, other));
  }
  for (const { index, 0: seen } of text.matchAll(/\$\{[A-Za-z_]\w*-[\w-]*/g)) {
    const id = dashedId(seen, check);
    if (id !== undefined) check.report(found.idWithDash(at(index, index + seen.length), id, true));
  }
  checkOperators(node, text, at, check);
}

/** The shell reads `${posts:-x}` and `${posts%/}` itself. */
const OPERATOR = /(?<![$\\])\$\{([A-Za-z_]\w*)[-:+?%#/^,@]/g;

function checkOperators(node: GraphNode, text: string, at: (start: number, end: number) => At, check: Check): void {
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
function checkNumbers(
  text: string,
  at: (start: number, end: number) => At,
  parents: readonly string[],
  check: Check,
): void {
  if (/\bfunction\s|\(\s*\)|\bset\s+--/.test(text)) return;
  for (const { root, start, end } of referencesOf(text))
    if (/^[0-9]/.test(root) && Number(root) > parents.length)
      check.report(parentNumberOutOfRange(at(start, end), root, parents));
}

function checkShellName(
  name: string,
  at: () => ReturnType<Check["inside"]>,
  node: GraphNode,
  scope: ReadonlySet<string>,
  check: Check,
  names: Names,
): void {
  const { environment } = check.options;
  if (SHELL_NAMES.test(name) || isGiven(name, node.node)) return;
  const loop = names.ofLoops.get(name);
  if (loop !== undefined || check.graph.indexOf.has(name)) {
    if (loop === undefined) check.report(found.nodeIdAsName(at(), name));
    // A name that is both has its own finding.
    else if (!check.graph.indexOf.has(name)) check.report(found.outOfScope(at(), name, loop));
    return;
  }
  // checkEnvironmentNames reports these.
  if (environment?.has(name)) return;
  check.report(found.unknownNameInShell(at(), name, [...scope, ...names.shared, ...check.graph.indexOf.keys()]));
}
