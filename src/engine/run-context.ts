// run-context: what the nodes of a run see: names looked up in the fold, from their place in the graph (spec 1.3, 3.1).
//   X1. Everything a node sees comes from the folded state and from what stays the same for the whole run.

import type { Failure } from "../base/failure.ts";
import { impossible, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { type NodeContext, renderField } from "../nodes/context.ts";
import { type Kinds, type Masker, secretParts } from "../nodes/index.ts";
import type { RunFiles } from "../nodes/values.ts";
import { lookup, loopVariables, type Place, parentsOf } from "../scheduler/scope.ts";
import { type RunState, stateAt } from "../scheduler/state.ts";
import type { Cache } from "../store/index.ts";
import type { SecretSources } from "../workflow/graph-secrets.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import type { RunTrust } from "./approvals.ts";

/** What stays the same for all nodes of a run. */
export interface RunGround {
  run: { id: string; name: string; startedAt: string };
  inputs: Readonly<Record<string, unknown>>;
  secrets: ReadonlyMap<string, string>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Of the document. */
  file: string;
  folder: string;
  files: RunFiles;
  kinds: Kinds;
  cache: Cache;
  masker: Masker;
  /** What secret Variables take their values from. */
  sources: SecretSources;
  nowMs(): number;
  /** SHA-256 of the document's text. */
  revision: string;
  /** The key that digests of approvals are made with. */
  approvalKey(): Result<Buffer, Failure>;
  trust?: RunTrust;
}

/** What a node at this place sees. */
export function contextAt(state: RunState, place: Place, path: string, ground: RunGround): NodeContext {
  const spent = stateAt(state, path)?.spent;
  const context: NodeContext = {
    path,
    parents: () => parentsOf(state, place),
    variable: (name) => {
      const found = lookup(state, place, name);
      if (found === undefined || !("initial" in found)) return found;
      const isSecret = ground.sources.nodes.has(state.graph.named.get(name) ?? -1);
      return initialValue(found.initial, isSecret, context);
    },
    loop: () => loopVariables(state, place),
    knows: (name) => knowsName(state, place, name, ground),
    inputs: ground.inputs,
    secrets: ground.secrets,
    environment: ground.environment,
    workflow: state.graph.workflow,
    folder: ground.folder,
    run: ground.run,
    files: ground.files,
    masker: ground.masker,
    isSecret: ground.sources.nodes.has(place.node),
    ...(spent === undefined ? {} : { spent }),
  };
  return context;
}

function knowsName(state: RunState, place: Place, name: string, ground: RunGround): boolean {
  if (Object.hasOwn(ground.inputs, name) || Object.hasOwn(state.graph.workflow.inputs, name)) return true;
  return state.graph.workflow.secrets.includes(name) || lookup(state, place, name) !== undefined;
}

/** A variable that no pass has set yet: its `initialValue`, which names nothing that has to be waited for. */
function initialValue(template: string, isSecret: boolean, context: NodeContext): Value {
  const text = renderField(template, context);
  if (text instanceof Promise || !text.ok) return EMPTY;
  if (isSecret) context.files.learn(secretParts(text.value));
  return { text: text.value };
}

/** A node as it stands in the document. */
export function drawn(state: RunState, id: string): WorkflowNode {
  return state.graph.nodes[state.graph.indexOf.get(id) ?? -1]?.node ?? impossible(`no node "${id}"`);
}
