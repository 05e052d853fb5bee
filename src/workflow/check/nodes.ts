// check/nodes: checks the fields of a node against each other (spec 1.2). Their shapes have been checked already.

import { parseDuration } from "../../base/duration.ts";
import { isDangerousName, isImpossibleName, isReservedName } from "../../base/environment-names.ts";
import { limits } from "../../base/limits.ts";
import { referencesOf } from "../../shell/template.ts";
import { outOfRange } from "../diagnostics/document.ts";
import { ifWithoutEdges } from "../diagnostics/edge.ts";
import * as found from "../diagnostics/node.ts";
import { schemaFindings } from "../json-schema-check.ts";
import type { AccumulatorNode, CliNode, LlmNode, LoopStartNode, WorkflowNode } from "../model.ts";
import type { Path } from "../source-map.ts";
import { checkAuth } from "./auth.ts";
import { type Check, NAME, nodeName } from "./context.ts";
import { checkEgress } from "./egress.ts";

export function checkNodes(check: Check): void {
  const { nodes, edges } = check.workflow;
  const seen = new Map<string, number>();
  const leaves = new Set(edges.map((edge) => edge.source));
  for (const [index, node] of nodes.entries()) {
    const path = check.nodePath(index);
    const first = seen.get(node.id);
    if (first === undefined) seen.set(node.id, index);
    else
      check.report(
        found.duplicateNodeId(check.at([...path, "id"]), node.id, check.line([...check.nodePath(first), "id"])),
      );
    checkNode(node, [...path, "data"], check);
    if (node.type === "if" && !leaves.has(node.id) && check.draft.edgesWhole)
      check.report(ifWithoutEdges(check.at([...path, "id"]), node.id));
  }
  checkVariables(check);
}

function checkNode(node: WorkflowNode, path: Path, check: Check): void {
  switch (node.type) {
    case "cli":
      checkCli(node, path, check);
      break;
    case "llm":
      checkLlm(node, path, check);
      break;
    case "loop-start":
      checkLoop(node, path, check);
      break;
    case "accumulator":
      checkAccumulator(node, path, check);
      break;
    case "if":
      if ((node.data.content ?? "").trim() === "" && check.parentsOf(node.id).length === 0)
        check.report(found.ifWithoutParent(check.at([...path.slice(0, -1), "id"]), node.id));
      break;
    case "subflow":
      positive(node.data, ["timeout"], path, check);
      break;
    default:
  }
}

function checkCli(node: CliNode, path: Path, check: Check): void {
  const { data } = node;
  if (data.content.trim() === "")
    check.report(found.emptyContent(check.at([...path, "content"]), nodeName(node), "cli"));
  checkStdin(node, path, check);
  checkEnv(node, path, check);
  if (data.flags?.executionPolicyBypass === true && data.safetyLevel !== "advanced")
    check.report(found.policyBypassNotAdvanced(check.at([...path, "flags", "executionPolicyBypass"], "key")));
  if (data.needsUserApproval === true && data.safetyLevel === "advanced")
    check.report(found.approvalBypassed(check.at([...path, "needsUserApproval"], "key")));
  positive(data, ["timeout", "idleTimeout"], path, check);
  positive(data.approval, ["timeout"], [...path, "approval"], check);
  positive(data.rateLimit, ["per"], [...path, "rateLimit"], check);
  positive(data.cache, ["ttl"], [...path, "cache"], check);
  if (data.auth !== undefined) checkAuth(data.auth, [...path, "auth"], check);
  checkEgress(data.egress, [...path, "egress"], check);
}

function checkStdin(node: CliNode, path: Path, check: Check): void {
  const { stdin } = node.data;
  if (stdin === undefined) return;
  const { source, parentIndex, literal } = stdin;
  const at: Path = [...path, "stdin"];
  if (literal !== undefined && source !== "literal")
    check.report(found.stdinMismatch(check.at([...at, "literal"], "key"), "literal", "literal", source));
  if (parentIndex !== undefined && source !== "parent-index")
    check.report(found.stdinMismatch(check.at([...at, "parentIndex"], "key"), "parentIndex", "parent-index", source));
  if (source === "literal" && literal === undefined)
    check.report(found.stdinMissing(check.at(at, "key"), "literal", source));
  if (source !== "parent-index") return;
  const parents = check.parentsOf(node.id);
  if ((parentIndex ?? 0) >= parents.length)
    check.report(
      found.parentIndexOutOfRange(
        check.at([...at, parentIndex === undefined ? "source" : "parentIndex"]),
        parentIndex ?? 0,
        parents,
      ),
    );
}

function checkEnv(node: CliNode, path: Path, check: Check): void {
  const { env } = node.data;
  if (env === undefined) return;
  for (const [name, value] of Object.entries(env.static ?? {}))
    checkEnvName(name, () => check.at([...path, "env", "static", name], "key"), check, referencesOf(value).length > 0);
  for (const [index, name] of (Array.isArray(env.inherit) ? env.inherit : []).entries()) {
    const at = () => check.at([...path, "env", "inherit", index]);
    // An inherited value is the machine owner's, not a runtime value. A variable that is passed by default needs no
    // warning.
    if (isImpossibleName(name)) check.report(found.badEnvName(at(), name));
    else if (check.options.passesEnvironment?.(name) !== true && isDangerousName(name) && !isReservedName(name))
      check.report(found.dangerousEnv(at(), name));
  }
  if (env.names === undefined) return;
  const parents = check.parentsOf(node.id);
  if (env.exposeParents !== true) check.report(found.namesWithoutExpose(check.at([...path, "env", "names"], "key")));
  else if (env.names.length > parents.length)
    check.report(found.namesBeyondParents(check.at([...path, "env", "names"], "key"), env.names.length, parents));
  for (const [index, name] of env.names.entries())
    checkEnvName(name, () => check.at([...path, "env", "names", index]), check, true);
}

/** `isValue`: the variable's value is known only at run time. */
function checkEnvName(name: string, at: () => ReturnType<Check["at"]>, check: Check, isValue: boolean): void {
  if (!NAME.test(name)) check.report(found.badEnvName(at(), name));
  else if (isReservedName(name)) check.report(found.reservedEnvName(at(), name));
  else if (isDangerousName(name))
    check.report(isValue ? found.dangerousEnvTemplate(at(), name) : found.dangerousEnv(at(), name));
}

function checkLlm(node: LlmNode, path: Path, check: Check): void {
  const { data } = node;
  if (data.content.trim() === "")
    check.report(found.emptyContent(check.at([...path, "content"]), nodeName(node), "llm"));
  if (!/^[A-Za-z0-9][\w.-]*\/\S+$/.test(data.model))
    check.report(found.badModel(check.at([...path, "model"]), data.model));
  for (const { path: inside, message } of data.schema === undefined ? [] : schemaFindings(data.schema))
    check.report(found.badAnswerSchema(check.at([...path, "schema", ...inside]), inside.join("."), message));
  positive(data, ["timeout", "idleTimeout"], path, check);
  positive(data.cache, ["ttl"], [...path, "cache"], check);
  positive(data.approval, ["timeout"], [...path, "approval"], check);
}

function checkLoop(node: LoopStartNode, path: Path, check: Check): void {
  const { data } = node;
  const kinds = (["iterations", "items", "while"] as const).filter((field) => data[field] !== undefined);
  if (kinds.length > 1) check.report(found.loopWithTwoKinds(check.at([...path, kinds[1]!], "key"), node.id, kinds));
  if (kinds.length === 0 && !endHasUntil(node, check))
    check.report(found.loopWithoutKind(check.at([...path.slice(0, -1), "id"]), node.id));
  checkCount(data.iterations, "iterations", 0, path, check);
  checkCount(data.start, "start", Number.MIN_SAFE_INTEGER, path, check);
  const most = data.maxIterations ?? limits.maxIterationsDefault;
  if (typeof data.iterations === "number" && data.iterations > most)
    check.report(found.countAboveLimit(check.at([...path, "iterations"]), data.iterations, most));
  if (data.as !== undefined && data.items === undefined)
    check.report(found.loopFieldUnused(check.at([...path, "as"], "key"), "as", "items"));
  loopName(data.loopVariable, "loopVariable", path, check);
  loopName(data.as, "as", path, check);
  if (data.items !== undefined && (data.as ?? "item") === (data.loopVariable ?? "i"))
    check.report(
      found.sameLoopNames(check.at([...path, data.as === undefined ? "loopVariable" : "as"]), data.as ?? "item"),
    );
}

function endHasUntil(node: LoopStartNode, check: Check): boolean {
  const start = check.graph.indexOf.get(node.id);
  const end = start === undefined ? undefined : check.graph.loops.get(start)?.end;
  const endNode = end === undefined ? undefined : check.graph.nodes[end]?.node;
  // A loop without an end has its own finding.
  return endNode === undefined || (endNode.type === "loop-end" && endNode.data.until !== undefined);
}

function checkCount(value: number | string | undefined, field: string, least: number, path: Path, check: Check): void {
  if (value === undefined) return;
  const number = typeof value === "number" ? value : /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : undefined;
  if (number === undefined) {
    if (!String(value).includes("${")) check.report(found.badCount(check.at([...path, field]), field, value));
  } else if (!Number.isSafeInteger(number)) check.report(found.badCount(check.at([...path, field]), field, value));
  else if (number < least)
    check.report(outOfRange(check.at([...path, field]), `"${field}"`, `${least} or more`, value));
}

/** Names with another meaning in expressions (spec 1.4). */
const EXPRESSION_NAMES: ReadonlySet<string> = new Set([
  "inputs",
  "vars",
  "exitCode",
  "status",
  "headers",
  "run",
  "and",
  "or",
  "in",
  "true",
  "false",
  "null",
]);

function loopName(name: string | undefined, field: string, path: Path, check: Check): void {
  if (name === undefined) return;
  if (!NAME.test(name)) check.report(found.badName(check.at([...path, field]), `"${field}"`, name));
  else if (EXPRESSION_NAMES.has(name)) check.report(found.reservedName(check.at([...path, field]), `"${field}"`, name));
}

function checkAccumulator(node: AccumulatorNode, path: Path, check: Check): void {
  if (node.data.flatten === true && node.data.format !== "json")
    check.report(found.flattenWithoutJson(check.at([...path, "flatten"], "key")));
}

function checkVariables(check: Check): void {
  const { workflow } = check;
  const given = new Map<string, number>();
  for (const [index, node] of workflow.nodes.entries()) {
    if (node.type !== "variable" && node.type !== "accumulator") continue;
    const name = node.data.variableName;
    const path: Path = [...check.nodePath(index), "data", "variableName"];
    const first = given.get(name);
    if (!NAME.test(name)) check.report(found.badName(check.at(path), '"variableName"', name));
    else if (first !== undefined)
      check.report(
        found.duplicateVariable(
          check.at(path),
          name,
          workflow.nodes[first]!.id,
          check.line([...check.nodePath(first), "data", "variableName"]),
        ),
      );
    else if (Object.hasOwn(workflow.inputs, name)) check.report(found.variableLikeInput(check.at(path), name, "input"));
    else if (workflow.secrets.includes(name)) check.report(found.variableLikeInput(check.at(path), name, "secret"));
    if (first === undefined) given.set(name, index);
  }
}

/** Reports durations of zero. */
function positive(data: object | undefined, fields: readonly string[], path: Path, check: Check): void {
  for (const field of fields) {
    const text = (data as Record<string, unknown> | undefined)?.[field];
    if (typeof text !== "string") continue;
    const parsed = parseDuration(text);
    if (parsed.ok && parsed.value === 0) check.report(found.zeroDuration(check.at([...path, field]), field));
  }
}
