// unseen: the commands of an imported document and of its subflows, each at every place from which it would run, with the digest that
// trust in it is kept by (spec 4.2). The same digests as the engine's (engine/local/trust.ts).
//   N1. A subflow that several nodes name is several: what it is given there counts.
//   N2. Ends whatever the documents say: more than `limits.trustCommandsMax` are not listed, and that is said.

import { limits } from "../base/limits.ts";
import { contentHashes, type Digest } from "./contents.ts";
import type { Graph, GraphNode } from "./graph.ts";
import type { Workflow } from "./model.ts";
import { subflowPath } from "./subflow-path.ts";

export interface TrustGround {
  digest: Digest;
  /** The absolute folder of a document, links followed. */
  folderOf(file: string): string;
  /** This home trusts no command that it has not seen, imported or not. */
  all?: boolean;
}

export interface InertCommand {
  /** `fetch`; of a subflow `deploy/fetch`. */
  path: string;
  /** The document that it stands in. */
  file: string;
  node: GraphNode;
  graph: Graph;
  hash: string;
}

interface Document {
  workflow?: Workflow;
  graph?: Graph;
}

/** In the order of the documents; `cut` when there are more. Of a document that is not inert: those of subflows that are. */
export function inertCommands(
  root: Document & { file: string },
  subflows: ReadonlyMap<string, Document>,
  ground: TrustGround,
): { commands: InertCommand[]; cut: boolean } {
  const commands: InertCommand[] = [];
  const open = [{ ...root, prefix: "", within: undefined as string | undefined, inert: ground.all === true }];
  for (let places = 0; open.length > 0; places++) {
    const { file, workflow, graph, prefix, within, inert: inherited } = open.pop()!;
    if (workflow === undefined || graph === undefined) continue;
    const inert = inherited || workflow.imported !== undefined;
    const hashes = inert ? contentHashes(graph, { folder: ground.folderOf(file), within }, ground.digest) : undefined;
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
