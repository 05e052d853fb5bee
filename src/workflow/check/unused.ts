// check/unused: finds inputs that are never used. To avoid false reports, a name anywhere in a text counts as used.

import { unusedInput } from "../diagnostics/workflow.ts";
import { type Check, NAME } from "./context.ts";

export function checkUnusedInputs(check: Check): void {
  const { inputs, nodes, auth } = check.workflow;
  const names = Object.keys(inputs);
  // A start node passes on all inputs, and an invalid node may use any.
  if (names.length === 0 || check.draft.broken.size > 0 || nodes.some((node) => node.type === "start")) return;
  const unused = new Set(names);
  const look = (value: unknown): void => {
    if (unused.size === 0) return;
    if (typeof value === "string") {
      if (value.includes("run.inputs")) unused.clear();
      for (const name of unused) if (value.includes(name)) unused.delete(name);
    } else if (value !== null && typeof value === "object") for (const inner of Object.values(value)) look(inner);
  };
  for (const node of nodes) look(node.data);
  look(auth ?? {});
  for (const name of unused) if (NAME.test(name)) check.report(unusedInput(check.at(["inputs", name], "key"), name));
}
