// unseen-findings: tells which commands of an imported document nobody of this home has seen, and which sandbox would fit (spec 4.2).
//   F1. Only when everything else is sound: a document that cannot run has other troubles.

import type { Diagnostic } from "./diagnostic.ts";
import { unseenCommand } from "./diagnostics/safety.ts";
import type { Graph } from "./graph.ts";
import type { Workflow } from "./model.ts";
import { type Provenance, provenanceOf } from "./safety/provenance.ts";
import { reachOf, suggestedSandbox } from "./safety/reach.ts";
import type { SourceMap } from "./source-map.ts";
import { type InertCommand, inertCommands, type TrustGround } from "./unseen.ts";

export interface SeenGround extends TrustGround {
  /** Those of the digests that a person has seen. */
  known(hashes: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Documents {
  diagnostics: readonly Diagnostic[];
  sources: ReadonlyMap<string, SourceMap>;
  subflows: ReadonlyMap<string, { workflow?: Workflow; graph?: Graph }>;
}

export async function unseenFindings(
  root: { file: string; workflow?: Workflow; graph?: Graph },
  { diagnostics, sources, subflows }: Documents,
  ground: SeenGround,
): Promise<Diagnostic[]> {
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  const { commands } = inertCommands(root, subflows, ground);
  const known = commands.length === 0 ? new Set<string>() : await ground.known(commands.map(({ hash }) => hash));
  const findings: Diagnostic[] = [];
  const suggest = suggestions();
  for (const command of commands) {
    if (known.has(command.hash)) continue;
    const source = sources.get(command.file);
    const range = source?.range(["nodes", command.node.index, "data", "content"]);
    if (range === undefined) continue;
    findings.push(unseenCommand({ file: command.file, range }, command.path, await suggest(command)));
  }
  return findings;
}

/** The sandbox that fits a command; what is known of where values come from is found out once a document. */
export function suggestions(): (command: Pick<InertCommand, "node" | "graph">) => Promise<string | undefined> {
  const known = new WeakMap<Graph, Provenance>();
  return async ({ node, graph }) => {
    if (node.node.type !== "cli") return undefined;
    const provenance = known.get(graph) ?? provenanceOf(graph);
    known.set(graph, provenance);
    return suggestedSandbox(node.node.data, await reachOf(node, graph, provenance));
  };
}
