// check/edges: checks that edges connect existing nodes, have existing handles, and are not repeated (spec 1.1, 1.2).

import { limits } from "../../base/limits.ts";
import * as found from "../diagnostics/edge.ts";
import { edgeRange, edgeText } from "../edges.ts";
import { kindOf, portsOf } from "../kinds/index.ts";
import type { NodeType } from "../node-data.ts";
import type { SourceMap } from "../source-map.ts";
import type { Check } from "./context.ts";

export function checkEdges(check: Check, source: SourceMap): void {
  const { workflow, draft } = check;
  const types = new Map<string, NodeType>(workflow.nodes.map((node) => [node.id, node.type]));
  const exists = (id: string) => types.has(id) || draft.broken.has(id);
  const known = () => [...types.keys(), ...draft.broken];
  const seen = new Map<string, number>();
  let findings = 0;
  const report: Check["report"] = (finding) => {
    findings += 1;
    check.report(finding);
  };
  for (const [index, edge] of workflow.edges.entries()) {
    // No one reads more, and each needs a search for its position.
    if (findings >= limits.shapeFindingsMax) return;
    const origin = draft.edgeOrigins[index]!;
    const at = (part: "source" | "target" | "whole") => ({ file: source.file, range: edgeRange(source, origin, part) });
    const text = edgeText(edge);
    const key = `${edge.source}\u0000${edge.sourceHandle ?? ""}\u0000${edge.target}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else
      report(found.duplicateEdge(at("whole"), text, edgeRange(source, draft.edgeOrigins[first]!, "whole").start.line));
    if (!exists(edge.source)) report(found.edgeFromMissing(at("source"), text, edge.source, known()));
    if (!exists(edge.target)) report(found.edgeToMissing(at("target"), text, edge.target, known()));
    if (edge.source === edge.target && first === undefined) report(found.selfEdge(at("whole"), edge.source));
    const type = types.get(edge.source);
    if (type === undefined) continue;
    const handles = portsOf(type).flatMap((port) => port ?? []);
    if (edge.sourceHandle === undefined) {
      if (kindOf({ type }).effect === "branch")
        report(found.ifEdgeWithoutHandle(at("source"), edge.source, edge.target));
    } else if (!handles.includes(edge.sourceHandle)) {
      report(found.unknownHandle(at("source"), edge.sourceHandle, edge.source, type, handles));
    }
  }
}
