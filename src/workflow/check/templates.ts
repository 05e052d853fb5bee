// check/templates: checks that every reference in a template has a meaning (spec 1.3), and that every expression is
// valid (1.4).
//   T1. An unknown name is an error in a field that no shell reads. In a shell script it may be the shell's own.
//   T2. The parsers of expressions and shell scripts are loaded only if needed.

import { limits } from "../../base/limits.ts";
import { FILTERS, type Reference, referencesOf } from "../../shell/template.ts";
import type { At } from "../diagnostics/base.ts";
import { inputOutOfRange, parentNumberOutOfRange } from "../diagnostics/node.ts";
import * as found from "../diagnostics/template.ts";
import { programReference, wholeReference } from "../dynamic-command.ts";
import { textComparison, variablesOf } from "../expression.ts";
import type { GraphNode } from "../graph.ts";
import { kindOf } from "../kinds/index.ts";
import { type TextField, textsOf } from "../kinds/kind.ts";
import { staticsOf } from "../node-fields.ts";
import type { Path } from "../source-map.ts";
import { type Check, NAME } from "./context.ts";
import { checkEnvironmentNames, interpreterOf, isGiven, mayBeSet, SHELL_NAMES, SHELLS } from "./environment.ts";
import { loopScope, type Names } from "./names.ts";
import { nearMisses } from "./near-misses.ts";
import { isOwnReference } from "./other-language.ts";

export async function checkTemplates(check: Check, names: Names): Promise<void> {
  for (const node of check.graph.nodes) {
    const base: Path = [...check.nodePath(node.index), "data"];
    for (const { path, text, reading } of textsOf(kindOf(node.node), node.node.data)) {
      const field = { path: [...base, ...path], text, reading };
      if (reading === "template" || reading === "own") checkTemplate(node, field, check, names);
      else if (reading === "script") {
        await checkShellContent(node, check, names);
        await checkEnvironmentNames(node, check, names);
      } else if (text.trim() !== "") await checkExpressionField(node, field, check, names);
    }
  }
  for (const [entry, fields] of Object.entries(check.workflow.auth ?? {}))
    for (const [key, text] of Object.entries(fields)) checkAuthTemplate(["auth", entry, key], text, check, names);
}

function checkTemplate(node: GraphNode, field: TextField, check: Check, names: Names): void {
  const { text, path } = field;
  if (!text.includes("$")) return;
  for (const miss of nearMisses(text))
    check.report(found.templateSyntax(check.inside(path, text, miss.start, miss.end), miss.seen, miss.meant));
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
  if (reading === "own" && Object.hasOwn(staticsOf(node.node), root)) return;
  const scope = loopScope(node, check, reading === "inside");
  if (scope.includes(root) || names.shared.has(root) || check.options.environment?.has(root)) return;
  const loop = names.ofLoops.get(root);
  if (loop !== undefined) check.report(found.outOfScope(at(), root, loop));
  else if (check.graph.indexOf.has(root))
    check.report(found.nodeIdAsName(at(), root, check.parentsOf(node.id).indexOf(root) + 1));
  else check.report(found.unknownName(at(), root, [...scope, ...names.shared]));
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
  for (const problem of problems)
    check.report(
      found.foreign(
        check.inside(path, text, problem.start, Math.max(problem.end, problem.start + 1)),
        problem.code,
        problem.message,
        (path.at(-1) === "items" && problem.code === "expression-syntax" ? listHelp(text) : undefined) ?? problem.help,
      ),
    );
  if (problems.length > 0) return;
  const scope = loopScope(node, check, reading === "inside");
  for (const name of variablesOf(text).vars) {
    if (names.shared.has(name) || scope.includes(name)) continue;
    const start = Math.max(0, text.search(new RegExp(`\\bvars\\b[^A-Za-z0-9]*${name.replaceAll(/\W/g, "\\$&")}`)));
    check.report(found.unknownVariable(check.inside(path, text, start, start + 4), name, [...names.shared]));
  }
  if (path.at(-1) !== "select" && path.at(-1) !== "on") await checkRootNames(node, field, scope, check, names);
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
  const known = [...EXPRESSION_NAMES, ...scope];
  const parents = check.parentsOf(node.id);
  for (const { name, start, index } of await rootNames(text)) {
    const at = check.inside(path, text, start, start + name.length);
    if (!known.includes(name)) check.report(found.expressionUnknownName(at, name, known, names.shared.has(name)));
    else if (name === "inputs" && index !== undefined && index >= parents.length && parents.length > 0)
      check.report(inputOutOfRange(at, index, parents));
  }
}

const EXPRESSION_NAMES = ["inputs", "vars", "exitCode", "status", "headers", "run"];

/** Values of the workflow's `auth`: secrets, inputs and the environment. */
function checkAuthTemplate(path: Path, text: string, check: Check, names: Names): void {
  for (const reference of referencesOf(text)) {
    const at = () => check.inside(path, text, reference.start, reference.end);
    checkFilter(reference.filter, at, check);
    if (names.shared.has(reference.root) || check.options.environment?.has(reference.root)) continue;
    check.report(found.unknownName(at(), reference.root, names.shared));
  }
}

const WHOLE_PROGRAM =
  "Write the command itself. If a person is to see and approve this very program each time, say needsUserApproval: true (with safetyLevel: safe, and not onTimeout: approve).";

async function checkShellContent(node: GraphNode, check: Check, names: Names): Promise<void> {
  if (node.node.type !== "cli") return;
  const { data } = node.node;
  if (!data.content.includes("${") && data.shell !== "cmd") return;
  const text = data.content;
  const path: Path = [...check.nodePath(node.index), "data", "content"];
  const at = (start: number, end: number) => check.inside(path, text, start, end);
  const parents = check.parentsOf(node.id);
  const statics = data.env?.static ?? {};
  const scope = new Set([...loopScope(node, check), ...Object.keys(statics)]);
  const known = (root: string) =>
    /^[0-9]/.test(root) ? Number(root) <= parents.length : scope.has(root) || names.shared.has(root);

  const interpreter = data.mode === "script" ? interpreterOf(text) : undefined;
  if (interpreter !== undefined && !SHELLS.has(interpreter)) {
    const isOwn = isOwnReference(interpreter, text);
    const first = referencesOf(text).find(({ root, start }) => NAME.test(root) && known(root) && !isOwn(start));
    if (first !== undefined)
      check.report(found.templateNotReplaced(at(first.start, first.end), first.root, interpreter));
    return;
  }
  for (const miss of nearMisses(text, known))
    check.report(found.templateSyntax(at(miss.start, miss.end), miss.seen, miss.meant));
  const whole = wholeReference(text);
  if (whole !== undefined && known(whole.root) && programReference(node.node) !== undefined) return;
  const shell = await import("../../shell/rewrite/index.ts");
  const dialect = interpreter ?? data.shell ?? "bash";
  if (dialect === "pwsh" || dialect === "cmd") {
    const other = dialect === "pwsh" ? shell.rewritePwsh(text, known) : undefined;
    const refused =
      other === undefined ? shell.refuseInCmd(text, known, shell.filledNames(data)) : other.ok ? [] : other.error;
    for (const problem of refused)
      check.report(found.foreign(at(problem.start, problem.end), problem.code, problem.message, problem.help));
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
    for (const { start, end, code, message, help } of program.error)
      check.report(found.foreign(at(start, end), code, message, whole === undefined ? help : WHOLE_PROGRAM));
    return;
  }
  checkNumbers(text, at, parents, check);
  const reported = new Set<string>();
  const isSet = mayBeSet(text);
  for (const { name, start, end } of program.value.unknown) {
    if (reported.has(name)) continue;
    reported.add(name);
    if (reported.size > limits.shapeFindingsMax) break;
    if (!isSet(name)) checkShellName(name, () => at(start, end), node, scope, check, names);
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
  if (SHELL_NAMES.test(name) || isGiven(name, node)) return;
  const loop = names.ofLoops.get(name);
  if (loop !== undefined) {
    check.report(found.outOfScope(at(), name, loop));
    return;
  }
  if (check.graph.indexOf.has(name) && !environment?.has(name)) {
    check.report(found.nodeIdAsName(at(), name, check.parentsOf(node.id).indexOf(name) + 1));
    return;
  }
  // checkEnvironmentNames reports these.
  if (environment?.has(name)) return;
  check.report(found.unknownNameInShell(at(), name, [...scope, ...names.shared]));
}
