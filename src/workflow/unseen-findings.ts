// unseen-findings: reports the commands of an imported workflow that no user of this data directory has approved yet
// (spec 4.2).
//   F1. Only if the workflow has no errors.

import type { Diagnostic } from "./diagnostic.ts";
import { unseenCommand } from "./diagnostics/safety.ts";
import type { Graph } from "./graph.ts";
import type { Workflow } from "./model.ts";
import type { SourceMap } from "./source-map.ts";
import { inertCommands, type TrustDeps } from "./unseen.ts";

export interface SeenDeps extends TrustDeps {
  /** The hashes among these that a user has approved. */
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
  deps: SeenDeps,
): Promise<Diagnostic[]> {
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  const { commands } = inertCommands(root, subflows, deps);
  const known = commands.length === 0 ? new Set<string>() : await deps.known(commands.map(({ hash }) => hash));
  const findings: Diagnostic[] = [];
  for (const command of commands) {
    if (known.has(command.hash)) continue;
    const source = sources.get(command.file);
    const range = source?.range(["nodes", command.node.index, "data", "content"]);
    if (range === undefined) continue;
    findings.push(unseenCommand({ file: command.file, range }, command.path));
  }
  return findings;
}
