// run-context: what the nodes of a run see: names looked up in the folded state, from their place in the graph (spec
// 1.3, 3.1).
//   X1. Everything that a node sees comes from the folded state and from values that are constant for the run.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { impossible, type Result } from "../../base/result.ts";
import { EMPTY, type Value } from "../../base/value.ts";
import { type FailureFacts, type NodeContext, type RunFacts, renderField } from "../../kinds/context.ts";
import type { Kinds } from "../../kinds/index.ts";
import type { RunFiles } from "../../kinds/values.ts";
import { failureAt, lookup, loopVariables, parentsOf, type ScopedNode, valueById } from "../../scheduler/scope.ts";
import { type RunState, stateAt } from "../../scheduler/state.ts";
import { secretParts } from "../../secrets/derived-secrets.ts";
import type { Masker } from "../../secrets/masker.ts";
import type { Cache } from "../../store/index.ts";
import type { SecretSources } from "../../workflow/graph-secrets.ts";
import type { WorkflowNode } from "../../workflow/model.ts";
import type { RunTrust } from "../approvals.ts";
import { answerOf } from "../outcome.ts";

/** Values that are constant for a run. */
export interface RunDeps {
  run: RunFacts;
  fence?: NodeContext["fence"];
  trigger: NodeContext["trigger"];
  inputs: Readonly<Record<string, unknown>>;
  handedOn: NodeContext["handedOn"];
  secrets: ReadonlyMap<string, string>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Path of the workflow file. */
  file: string;
  folder: string;
  files: RunFiles;
  kinds: Kinds;
  cache: Cache;
  masker: Masker;
  /** Sources of the values of secret Variables. */
  sources: SecretSources;
  nowMs(): number;
  /** SHA-256 of the workflow file's text. */
  revision: string;
  /** The key for hashes of approvals. */
  approvalKey(): Result<Buffer, Failure>;
  trust?: RunTrust;
}

/** The context of a node at this place. */
export function contextAt(state: RunState, place: ScopedNode, path: string, deps: RunDeps): NodeContext {
  const node = stateAt(state, path);
  const drawnAt = state.graph.nodes[place.node]!;
  const spent = node?.spent;
  const context: NodeContext = {
    path,
    parents: () => parentsOf(state, place),
    variable: (name) => {
      const found = lookup(state, place, name);
      if (found === undefined || !("initial" in found)) return found;
      const isSecret = deps.sources.nodes.has(state.graph.named.get(name) ?? -1);
      return initialValue(found.initial, isSecret, context);
    },
    node: (id, byName = false) => {
      const referred = state.graph.nodes[place.node]!.refers.get(id);
      return referred === undefined || (byName && !referred.byName) ? undefined : valueById(state, place, id);
    },
    loop: () => loopVariables(state, place),
    knows: (name) => knowsName(state, place, name, deps),
    inputs: deps.inputs,
    handedOn: deps.handedOn,
    secrets: deps.secrets,
    environment: deps.environment,
    workflow: state.graph.workflow,
    folder: deps.folder,
    run: drawnAt.finally ? { ...deps.run, status: state.ending ?? "succeeded" } : deps.run,
    place: drawnAt,
    failure: () => failureFacts(state, place, deps.files),
    trigger: deps.trigger,
    stored: state.stored,
    fence: deps.fence,
    attempt: (node?.attempts ?? 0) + (node?.status === "running" ? 0 : 1),
    files: deps.files,
    warnings: [],
    masker: deps.masker,
    isSecret: deps.sources.nodes.has(place.node),
    spent,
  };
  return context;
}

/** The failure that the node may name. It holds masked texts only. */
function failureFacts(state: RunState, place: ScopedNode, files: RunFiles): FailureFacts | undefined {
  const found = failureAt(state, place);
  if (found === undefined) return undefined;
  const { failure, node, of } = found;
  const { status = "", body } = of === undefined ? { body: "" } : answerOf(of, files, limits.failureBodyBytes);
  return {
    node,
    code: failure.code,
    message: failure.message,
    exitCode: failure.exitCode ?? "",
    signal: failure.signal ?? "",
    status,
    body,
    stderr: failure.stderr ?? "",
    attempts: of?.attempts ?? "",
  };
}

function knowsName(state: RunState, place: ScopedNode, name: string, deps: RunDeps): boolean {
  if (Object.hasOwn(deps.inputs, name) || Object.hasOwn(state.graph.workflow.inputs, name)) return true;
  if (state.graph.workflow.secrets.includes(name) || lookup(state, place, name) !== undefined) return true;
  return state.graph.nodes[place.node]!.refers.get(name)?.byName === true;
}

/** The `initialValue` of a variable that no iteration has set yet. It never refers to pending values. */
function initialValue(template: string, isSecret: boolean, context: NodeContext): Value {
  const text = renderField(template, context);
  if (!text.ok) return EMPTY;
  if (isSecret) context.files.learn(secretParts(text.value));
  return { text: text.value };
}

/** The node as it is in the workflow file. */
export function nodeById(state: RunState, id: string): WorkflowNode {
  return state.graph.nodes[state.graph.indexOf.get(id) ?? -1]?.node ?? impossible(`no node "${id}"`);
}
