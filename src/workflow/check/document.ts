// check/document: checks inputs, secrets, triggers, output, finally and layout (spec 1.1, 2.5).

import { limits } from "../../base/limits.ts";
import { outputOfLines } from "../diagnostics/listener.ts";
import { badName, noNodes } from "../diagnostics/node.ts";
import * as found from "../diagnostics/workflow.ts";
import { compilePattern, isOfType, whyUnfit } from "../inputs.ts";
import { knows } from "../kinds/index.ts";
import type { InputSpec } from "../model.ts";
import type { Path } from "../source-map.ts";
import { checkAuth } from "./auth.ts";
import { type Check, NAME, zeroDurations } from "./context.ts";
import { checkEgress } from "./egress.ts";
import { checkTriggers } from "./triggers.ts";

export function checkDocumentFields(check: Check): void {
  const { workflow, draft } = check;
  if (draft.hasNoNodes) check.report(noNodes(check.at(["nodes"], "key")));
  for (const [name, spec] of Object.entries(workflow.inputs)) checkInput(name, spec, check);
  checkSecrets(check);
  for (const [name, entry] of Object.entries(workflow.auth ?? {})) checkAuth(entry, ["auth", name], check);
  checkState(check);
  checkEgress(workflow.egress, ["egress"], check);
  checkTriggers(check);
  zeroDurations(workflow, ["timeout"], [], check);
  checkNamedNodes(check);
  checkLabels(check);
}

function checkInput(name: string, spec: InputSpec, check: Check): void {
  const path: Path = ["inputs", name];
  if (!NAME.test(name)) check.report(badName(check.at(path, "key"), "An input", name));
  const before = { wrong: false };
  const wrong = (diagnostic: Parameters<Check["report"]>[0]) => {
    before.wrong = true;
    check.report(diagnostic);
  };
  for (const [rule, wanted] of Object.entries(RULES)) {
    const types = wanted.types as readonly string[];
    if (spec[rule as keyof InputSpec] !== undefined && !types.includes(spec.type))
      wrong(found.ruleOfOtherType(check.at([...path, rule], "key"), rule, spec.type, wanted.plural));
  }
  if (spec.pattern !== undefined) {
    const pattern = compilePattern(spec.pattern);
    if (!pattern.ok) wrong(found.badPattern(check.at([...path, "pattern"]), name, pattern.error));
  }
  if (spec.minimum !== undefined && spec.maximum !== undefined && spec.minimum > spec.maximum)
    wrong(found.emptyInterval(check.at([...path, "minimum"]), "minimum", "maximum", spec.minimum, spec.maximum));
  if (spec.minLength !== undefined && spec.maxLength !== undefined && spec.minLength > spec.maxLength)
    wrong(
      found.emptyInterval(check.at([...path, "minLength"]), "minLength", "maxLength", spec.minLength, spec.maxLength),
    );
  for (const [index, value] of (spec.enum ?? []).entries())
    if (!isOfType(value, spec.type))
      wrong(found.enumValueWrong(check.at([...path, "enum", index]), name, spec.type, value));
  if (spec.default === undefined) return;
  if (spec.required === true) check.report(found.requiredWithDefault(check.at([...path, "required"], "key"), name));
  // An invalid rule has been reported already.
  const why = before.wrong ? undefined : whyUnfit(spec.default, spec, check.options.matches);
  if (why !== undefined) check.report(found.inputDefaultWrong(check.at([...path, "default"]), name, why));
}

const RULES = {
  pattern: { types: ["string"], plural: "strings" },
  minLength: { types: ["string"], plural: "strings" },
  maxLength: { types: ["string"], plural: "strings" },
  minimum: { types: ["integer", "number"], plural: "numbers" },
  maximum: { types: ["integer", "number"], plural: "numbers" },
} as const;

function checkSecrets(check: Check): void {
  const { secrets, inputs } = check.workflow;
  for (const [index, name] of secrets.entries()) {
    const at = () => check.at(["secrets", check.draft.secretIndexes[index]!]);
    if (!NAME.test(name)) check.report(found.badSecretName(at(), name));
    else if (secrets.indexOf(name) < index) check.report(found.duplicateSecret(at(), name));
    else if (Object.hasOwn(inputs, name)) check.report(found.secretLikeInput(at(), name));
  }
}

function checkState(check: Check): void {
  const names = Object.keys(check.workflow.state ?? {});
  for (const name of names)
    if (!NAME.test(name)) check.report(badName(check.at(["state", name], "key"), "A name of state", `state.${name}`));
  if (names.length > limits.stateNamesMax)
    check.report(found.tooManyStateNames(check.at(["state"], "key"), names.length));
}

function checkNamedNodes(check: Check): void {
  const { workflow, draft, graph } = check;
  const exists = (id: string) => graph.indexOf.has(id) || draft.broken.has(id);
  const known = () => [...graph.indexOf.keys(), ...draft.broken];
  const { output } = workflow;
  if (output !== undefined && !exists(output)) check.report(found.outputMissing(check.at(["output"]), output, known()));
  else if (output !== undefined) {
    const loops = graph.nodes[graph.indexOf.get(output) ?? -1]?.loops ?? [];
    const loop = graph.loops.get(loops[0] ?? -1);
    const endNode = loop === undefined ? undefined : graph.nodes[loop.end];
    if (loop?.listener) check.report(outputOfLines(check.at(["output"]), output, graph.nodes[loop.start]!.id));
    if (endNode !== undefined) check.report(found.outputInLoop(check.at(["output"]), output, endNode.id));
  }
  for (const list of ["onFailure", "finally"] as const) {
    const ids = workflow[list] ?? [];
    for (const [index, id] of ids.entries()) {
      const at = check.at([list, index]);
      const isInBoth = list === "finally" && workflow.onFailure?.includes(id) === true;
      if (!exists(id)) check.report(found.finallyMissing(at, list, id, known()));
      else if (isInBoth || ids.indexOf(id) < index) check.report(found.duplicateFinally(at, list, id, isInBoth));
    }
  }
  for (const id of Object.keys(workflow.layout ?? {}))
    if (!exists(id)) check.report(found.layoutMissing(check.at(["layout", id], "key"), id, known()));
}

/** To avoid false reports, a name anywhere in a text counts as used. */
export function checkUnusedInputs(check: Check): void {
  const { inputs, nodes, auth } = check.workflow;
  const names = Object.keys(inputs);
  // A start node passes on all inputs, and an invalid node may use any.
  if (names.length === 0 || check.draft.broken.size > 0 || nodes.some((node) => node.type === "start")) return;
  const unused = new Set(names);
  const look = (value: unknown): void => {
    if (unused.size === 0) return;
    if (typeof value === "string") {
      if (value.includes("run.inputs")) unused.clear();
      for (const name of unused) if (value.includes(name)) unused.delete(name);
    } else if (value !== null && typeof value === "object") for (const inner of Object.values(value)) look(inner);
  };
  for (const node of nodes) look(node.data);
  look(auth ?? {});
  for (const name of unused)
    if (NAME.test(name)) check.report(found.unusedInput(check.at(["inputs", name], "key"), name));
}

/** A run stays on one machine, which has one name, one system, and one architecture. A subflow is another run. */
function checkLabels(check: Check): void {
  const { runsOn, nodes } = check.workflow;
  const ofRun = new Map<string, string>();
  const compare = (labels: readonly string[] = [], path: Path = [], first = ofRun): void => {
    for (const [index, label] of labels.entries()) {
      const kind = /^(?:machine|os|arch):/.exec(label)?.[0];
      if (kind === undefined) continue;
      const before = first.get(kind) ?? label;
      first.set(kind, before);
      if (before !== label) check.report(found.labelsApart(check.at([...path, "runsOn", index]), label, before));
    }
  };
  compare(runsOn);
  for (const [index, node] of nodes.entries()) {
    const path = [...check.nodePath(index), "data"];
    if ("runsOn" in node.data) compare(node.data.runsOn, path, knows(node, "workflow") ? new Map() : ofRun);
  }
}
