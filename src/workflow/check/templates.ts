// check/templates: checks that every reference in a template has a meaning (spec 1.3), and that every expression is
// valid (1.4).
//   T1. An unknown name is an error in a field that no shell reads. In a shell script it may be the shell's own.
//   T2. The parsers of expressions and shell scripts are loaded only if needed.

import { FILTERS, memberPath, type Reference, referencesOf } from "../../shell/template.ts";
import type { At } from "../diagnostics/base.ts";
import { inputOutOfRange, parentNumberOutOfRange, unknownNode } from "../diagnostics/node.ts";
import * as found from "../diagnostics/template.ts";
import { textComparison, variablesOf } from "../expression.ts";
import { factNames, factRoots, factsAt, isFact, STATE } from "../facts.ts";
import { kindOf } from "../kinds/index.ts";
import { textsOf } from "../kinds/kind.ts";
import { isSelect } from "../names-used.ts";
import { staticsOf } from "../node-fields.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";
import { type CheckedField, dashedId, definedNames, loopScope, type Names, otherMeaning } from "./names.ts";
import { nearMisses } from "./near-misses.ts";
import { checkScript } from "./script.ts";

export async function checkTemplates(check: Check, names: Names): Promise<void> {
  for (const node of check.graph.nodes) {
    const base: Path = [...check.nodePath(node.index), "data"];
    for (const written of textsOf(kindOf(node.node), node.node.data)) {
      const { text, reading } = written;
      const path = [...base, ...written.path];
      const scope = loopScope(node, check, reading === "inside");
      const at = (start: number, end: number) => check.inside(path, text, start, end);
      const field: CheckedField = { ...written, path, node, scope, check, names, at };
      if (reading === "template" || reading === "own") checkTemplate(field);
      else if (reading === "script") await checkScript(field);
      else if (text.trim() !== "") await checkExpressionField(field);
    }
  }
  for (const [entry, fields] of Object.entries(check.workflow.auth ?? {}))
    for (const [key, text] of Object.entries(fields)) checkAuthTemplate(["auth", entry, key], text, check, names);
}

function checkTemplate(field: CheckedField): void {
  const { text, check, at } = field;
  if (!text.includes("$")) return;
  for (const { seen, meant, start, end } of nearMisses(text)) {
    const id = dashedId(seen, check);
    check.report(
      id === undefined
        ? found.templateSyntax(at(start, end), seen, meant)
        : found.idWithDash(at(start, end), id, false),
    );
  }
  for (const reference of referencesOf(text)) checkReference(reference, field);
}

function checkReference(reference: Reference, field: CheckedField): void {
  const { node, scope, check, names, reading } = field;
  const at = () => field.at(reference.start, reference.end);
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
  if (scope.includes(root) || names.shared.has(root) || check.options.environment?.has(root)) return;
  if (isFact(root, reference.members, node)) return;
  const loop = names.ofLoops.get(root);
  if (loop !== undefined) check.report(found.outOfScope(at(), root, loop));
  else if (check.graph.indexOf.has(root)) check.report(found.nodeIdAsName(at(), root));
  else if (reference.members.length > 0 && [...factRoots(), STATE].includes(root))
    check.report(found.unknownFact(at(), reference, node));
  else check.report(found.unknownName(at(), root, [...definedNames(field), ...factNames(node)]));
}

function checkFilter(filter: string | undefined, at: () => At, check: Check): void {
  if (filter !== undefined && !(FILTERS as readonly string[]).includes(filter))
    check.report(found.unknownFilter(at(), filter));
}

async function checkExpressionField(field: CheckedField): Promise<void> {
  const { node, path, text, scope, check, names, at } = field;
  if (textComparison(text) !== undefined) {
    checkTemplate(field);
    return;
  }
  const { checkExpression } = await import("../expression.ts");
  const problems = await checkExpression(text);
  for (const { code, message, help, start, end } of problems) {
    const better =
      code === "expression-template"
        ? templateHelp(text.slice(start, end), field)
        : path.at(-1) === "items" && code === "expression-syntax"
          ? listHelp(text)
          : undefined;
    check.report(found.foreign(at(start, Math.max(end, start + 1)), code, message, better ?? help));
  }
  if (problems.length > 0) return;
  const used = variablesOf(text, isSelect(path));
  const atMember = (map: string, name: string) => {
    const start = Math.max(0, text.search(new RegExp(`\\b${map}\\b[^A-Za-z0-9]*${name.replaceAll(/\W/g, "\\$&")}`)));
    return at(start, start + map.length);
  };
  for (const name of used.vars)
    if (!names.shared.has(name) && !scope.includes(name))
      check.report(found.unknownVariable(atMember("vars", name), name, [...names.shared]));
  for (const name of scope.includes("nodes") ? [] : used.nodes)
    if (!check.graph.indexOf.has(name) && !check.draft.broken.has(name))
      check.report(unknownNode(atMember("nodes", name), name, check.graph.indexOf.keys()));
  for (const name of scope.includes(STATE) || isSelect(path) ? [] : used.state)
    if (node.stateNames.length > 0 && !node.stateNames.includes(name))
      check.report(found.undeclaredState(atMember(STATE, name), `${STATE}.${name}`, name, node.stateNames));
  const { usedNames } = await import("../expression-names.ts");
  const isOfOutput = isSelect(path) || path.at(-1) === "on";
  for (const name of await usedNames(text))
    if (name.inItem) checkNameInItem(name, field);
    else if (!isOfOutput) checkRootName(name, field);
}

type UsedName = Awaited<ReturnType<typeof import("../expression-names.ts")["usedNames"]>>[number];

/** For JSONata, `run.inputs` in a predicate is a member of the item, and the comparison with "nothing" is false. */
function checkNameInItem({ name, member, start }: UsedName, { node, check, names, at }: CheckedField): void {
  if (member === undefined) return;
  const seen = `${name}.${member}`;
  const isOurs =
    name === "vars"
      ? names.shared.has(member)
      : name === "nodes"
        ? check.graph.indexOf.has(member)
        : name === STATE
          ? node.stateNames.includes(member)
          : isFact(name, [member]) || seen === "run.inputs";
  if (isOurs) check.report(found.nameInFilter(at(start, start + seen.length), seen));
}

/** How an expression names the value of `${…}`, if the name has one meaning. */
function templateHelp(seen: string, { scope, check, names }: CheckedField): string | undefined {
  const [{ root, members } = { root: "", members: [] }] = referencesOf(seen);
  const path = memberPath(members);
  const written = (name: string) => `Write ${name}${path}, or compare texts only: ${seen} == done.`;
  if (/^[0-9]/.test(root)) return written(`inputs[${Number(root) - 1}]`);
  if (scope.includes(root) || isFact(root, members)) return written(root);
  const map = mapOf(root, check, names);
  return map && written(`${map}.${root}`);
}

/** For `items: "a, b"` and for lines: suggests a list of the values. */
function listHelp(text: string): string | undefined {
  const values = text.split(text.trim().includes("\n") ? "\n" : ",").flatMap((value) => value.trim() || []);
  if (values.length < 2 || values.some((value) => /[()[\]{}"'`$]/.test(value))) return undefined;
  const shown = values.slice(0, 3).map((value) => JSON.stringify(value));
  return `Text here is an expression that gives the values. The values themselves are a list: items: [${shown.join(", ")}${values.length > 3 ? ", …" : ""}].`;
}

/** For JSONata, an unknown name is "nothing": the condition would be evaluated without an error. */
function checkRootName({ name, start, index, member, called }: UsedName, field: CheckedField): void {
  const { node, text, scope, check, names } = field;
  const known = [...EXPRESSION_NAMES, ...Object.keys(factsAt(node)), ...scope];
  const parents = check.parentsOf(node.id);
  const at = field.at(start, start + name.length);
  const isOfFacts = ["run", "trigger", "failure"].includes(name) && !scope.includes(name);
  const fact = () => field.at(start, text.indexOf(member!, start + name.length) + member!.length);
  if (called) check.report(found.notAFunction(at, name));
  else if (!known.includes(name)) check.report(found.expressionUnknownName(at, name, known, mapOf(name, check, names)));
  else if (isOfFacts && member !== undefined && !isFact(name, [member], node) && `${name}.${member}` !== "run.inputs")
    check.report(found.unknownFact(fact(), { root: name, members: [member] }, node, (written) => written));
  else if (name === "inputs" && index !== undefined && index >= parents.length && parents.length > 0)
    check.report(inputOutOfRange(at, index, parents));
}

const EXPRESSION_NAMES = ["inputs", "vars", "nodes", "exitCode", "status", "headers"];

/** Where an expression finds the value of a name. */
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
