// dynamic-command: a CLI node whose whole content is one reference, `${1}` or `${plan.command}`, so the program itself is
// a value (4.1, 4.2).
//   W1. Allowed only if an approver sees exactly that text: with needsUserApproval and without `advanced`. The request
//       may not be approved by its timeout.
//   W2. Only blanks may surround the reference, and it has no filter and no default. `\${1}` and `$${1}` are not references.

import { parseTemplate, type Reference } from "../shell/template.ts";
import type { WorkflowNode } from "./model.ts";

/** The reference whose value is the node's program, if the node may have one. */
export function programReference(node: WorkflowNode): Reference | undefined {
  if (node.type !== "cli") return undefined;
  const { data } = node;
  if (data.needsUserApproval !== true || data.safetyLevel === "advanced") return undefined;
  if (data.approval?.onTimeout === "approve") return undefined;
  if (data.shell === "pwsh" || data.shell === "cmd") return undefined;
  const reference = wholeReference(data.content);
  return reference === undefined || Object.hasOwn(data.env?.static ?? {}, reference.root) ? undefined : reference;
}

/** The reference, if it is the whole text. */
export function wholeReference(content: string): Reference | undefined {
  if (!content.includes("${")) return undefined;
  const parts = parseTemplate(content).filter((part) => part.kind !== "text" || part.text.trim() !== "");
  const [only] = parts;
  return parts.length === 1 && only?.kind === "reference" && isWhole(only) ? only : undefined;
}

function isWhole({ filter, default: fallback }: Reference): boolean {
  return filter === undefined && fallback === undefined;
}
