// check/listeners: checks `emit: lines` against the node's other fields (spec 3.7).

import * as found from "../diagnostics/listener.ts";
import { testsParent } from "../graph.ts";
import { beginsListener } from "../graph-listeners.ts";
import { secretSources } from "../graph-secrets.ts";
import type { CliNode } from "../model.ts";
import { emitsLines } from "../node-fields.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";

export function checkListeners(check: Check): void {
  const { graph } = check;
  for (const { index, node } of graph.nodes) if (node.type === "cli") checkNode(node, check.nodePath(index), check);
  if (![...graph.loops.values()].some(({ listener }) => listener)) return;
  const secret = secretSources(graph).nodes;
  for (const loop of graph.loops.values()) {
    if (!loop.listener) continue;
    const { id } = graph.nodes[loop.start]!;
    const path = check.nodePath(loop.start);
    if (secret.has(loop.start)) check.report(found.listenerSecret(check.at([...path, "data", "emit"], "key"), id));
    for (const index of loop.body) {
      const { node, parents } = graph.nodes[index]!;
      if (!testsParent(node) || parents[0]?.source !== loop.start) continue;
      check.report(found.listenerOutcome(check.at([...check.nodePath(index), "id"]), node.id, id));
    }
  }
}

function checkNode(node: CliNode, path: Path, check: Check): void {
  const { data, id } = node;
  const at = (...field: string[]) => check.at([...path, "data", ...field], "key");
  if (data.emit === undefined) {
    for (const field of ["maxConcurrency", "onLineFailure"] as const)
      if (data[field] !== undefined) check.report(found.emitWithout(at(field), field, "emit: lines"));
    return;
  }
  const drawn = check.graph.nodes[check.graph.indexOf.get(id) ?? -1];
  if (drawn?.finally === true) check.report(found.listenerInFinally(at("emit"), id));
  else if (drawn !== undefined && emitsLines(drawn.node) && !beginsListener(drawn) && check.draft.edgesWhole)
    check.report(found.listenerWithoutEdges(at("emit"), id));
  if (data.cache !== undefined) check.report(found.emitWithCache(at("cache"), id));
  if (data.output?.format === "lines")
    check.report(found.emitWithLines(check.at([...path, "data", "output", "format"]), id));
}
