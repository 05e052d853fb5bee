// check/document: checks inputs, secrets, triggers, output, finally and layout (spec 1.1, 2.5).

import { parseDuration } from "../../base/duration.ts";
import { outputOfLines } from "../diagnostics/listener.ts";
import { badName, noNodes, zeroDuration } from "../diagnostics/node.ts";
import * as found from "../diagnostics/workflow.ts";
import { compilePattern, isOfType, whyUnfit } from "../inputs.ts";
import type { InputSpec } from "../model.ts";
import type { Path } from "../source-map.ts";
import { checkAuth } from "./auth.ts";
import { type Check, NAME } from "./context.ts";
import { checkEgress } from "./egress.ts";
import { checkTriggers } from "./triggers.ts";

export function checkDocumentFields(check: Check): void {
  const { workflow, draft } = check;
  if (draft.hasNoNodes) check.report(noNodes(check.at(["nodes"], "key")));
  for (const [name, spec] of Object.entries(workflow.inputs)) checkInput(name, spec, check);
  checkSecrets(check);
  for (const [name, entry] of Object.entries(workflow.auth ?? {})) checkAuth(entry, ["auth", name], check);
  checkEgress(workflow.egress, ["egress"], check);
  checkTriggers(check);
  if (workflow.timeout !== undefined) {
    const parsed = parseDuration(workflow.timeout);
    if (parsed.ok && parsed.value === 0) check.report(zeroDuration(check.at(["timeout"]), "timeout"));
  }
  checkNamedNodes(check);
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
  pattern: { types: ["string"], plural: "texts" },
  minLength: { types: ["string"], plural: "texts" },
  maxLength: { types: ["string"], plural: "texts" },
  minimum: { types: ["integer", "number"], plural: "numbers" },
  maximum: { types: ["integer", "number"], plural: "numbers" },
} as const;

function checkSecrets(check: Check): void {
  const { secrets, inputs } = check.workflow;
  for (const [index, name] of secrets.entries()) {
    const at = () => check.at(["secrets", index]);
    if (!NAME.test(name)) check.report(found.badSecretName(at(), name));
    else if (secrets.indexOf(name) < index) check.report(found.duplicateSecret(at(), name));
    else if (Object.hasOwn(inputs, name)) check.report(found.secretLikeInput(at(), name));
  }
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
  for (const [index, id] of workflow.finally.entries()) {
    if (!exists(id)) check.report(found.finallyMissing(check.at(["finally", index]), id, known()));
    else if (workflow.finally.indexOf(id) < index)
      check.report(found.duplicateFinally(check.at(["finally", index]), id));
  }
  for (const id of Object.keys(workflow.layout ?? {}))
    if (!exists(id)) check.report(found.layoutMissing(check.at(["layout", id], "key"), id, known()));
}
