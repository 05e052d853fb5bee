// check/nodes: checks each node by its kind, and the names and ids of all (spec 1.2). Their shapes have been checked
// already.

import * as found from "../diagnostics/node.ts";
import { kindOf } from "../kinds/index.ts";
import type { Path } from "../source-map.ts";
import { type Check, NAME } from "./context.ts";

export function checkNodes(check: Check): void {
  const seen = new Map<string, number>();
  for (const [index, node] of check.workflow.nodes.entries()) {
    const path = check.nodePath(index);
    const first = seen.get(node.id);
    if (first === undefined) seen.set(node.id, index);
    else
      check.report(
        found.duplicateNodeId(check.at([...path, "id"]), node.id, check.line([...check.nodePath(first), "id"])),
      );
    kindOf(node).check?.(node, [...path, "data"], check);
  }
  checkVariables(check);
}

function checkVariables(check: Check): void {
  const { workflow } = check;
  const given = new Map<string, number>();
  for (const [index, node] of workflow.nodes.entries()) {
    if (!("variableName" in node.data)) continue;
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
