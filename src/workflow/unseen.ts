// unseen: lists the commands of an imported workflow and its subflows, once per place from which they would run. Each
// has the hash that trust is stored by (spec 4.2), the same as in engine/trust.ts.
//   N1. A subflow counts once per node that names it, because its inputs matter.
//   N2. It always ends: at most `limits.trustCommandsMax` commands are listed, and `cut` is set.

import { limits } from "../base/limits.ts";
import { contentHashes, type Digest } from "./contents.ts";
import type { Graph, GraphNode } from "./graph.ts";
import type { Workflow } from "./model.ts";
import { subflowPath } from "./subflow-path.ts";

export interface TrustDeps {
  digest: Digest;
  /** The absolute folder of a workflow file, with symbolic links resolved. */
  folderOf(file: string): string;
  /** This data directory trusts no command before its approval, imported or not. */
  all?: boolean;
}

export interface InertCommand {
  /** `fetch`; in a subflow `deploy/fetch`. */
  path: string;
  /** The workflow file that contains it. */
  file: string;
  node: GraphNode;
  graph: Graph;
  hash: string;
}

interface Document {
  workflow?: Workflow;
  graph?: Graph;
}

/**
 * In the order of the files; `cut` if there are more. A workflow that needs no approval may still have subflows that
 * do.
 */
export function inertCommands(
  root: Document & { file: string },
  subflows: ReadonlyMap<string, Document>,
  deps: TrustDeps,
): { commands: InertCommand[]; cut: boolean } {
  const commands: InertCommand[] = [];
  const open = [{ ...root, prefix: "", within: undefined as string | undefined, inert: deps.all === true }];
  for (let places = 0; open.length > 0; places++) {
    const { file, workflow, graph, prefix, within, inert: inherited } = open.pop()!;
    if (workflow === undefined || graph === undefined) continue;
    const inert = inherited || workflow.imported !== undefined;
    const hashes = inert ? contentHashes(graph, { folder: deps.folderOf(file), within }, deps.digest) : undefined;
    const inside: typeof open = [];
    for (const node of graph.nodes) {
      const hash = hashes?.get(node.id);
      if (node.node.type === "subflow") {
        const target = subflowPath(file, node.node.data.workflow);
        inside.push({ ...subflows.get(target), file: target, prefix: `${prefix}${node.id}/`, within: hash, inert });
      } else if (hash !== undefined) commands.push({ path: `${prefix}${node.id}`, file, node, graph, hash });
    }
    open.push(...inside.reverse());
    if (commands.length > limits.trustCommandsMax || places > limits.trustCommandsMax)
      return { commands: commands.slice(0, limits.trustCommandsMax), cut: true };
  }
  return { commands, cut: false };
}
