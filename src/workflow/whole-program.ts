// whole-program: a CLI node whose whole content is one reference, `${1}` or `${plan.command}`: the program itself is a value (4.1, 4.2).
//   W1. It is allowed only where a person is shown exactly that text and must say yes: needsUserApproval, and not `advanced`. The end of
//       the time to answer is no yes.
//   W2. Nothing but blanks stands around the reference, and it has no filter; `\${1}` and `$${1}` are no references.

import type { CliNode } from "./model.ts";
import { parseTemplate, type Reference } from "./template.ts";

/** The reference whose value is the program of this node, when the node is made so that it may be. */
export function programReference({ data }: CliNode): Reference | undefined {
  if (data.needsUserApproval !== true || data.safetyLevel === "advanced") return undefined;
  if (data.approval?.onTimeout === "approve") return undefined;
  if (data.shell === "pwsh" || data.shell === "cmd") return undefined;
  const reference = wholeReference(data.content);
  return reference === undefined || Object.hasOwn(data.env?.static ?? {}, reference.root) ? undefined : reference;
}

/** The reference that the whole text is, if it is one. */
export function wholeReference(content: string): Reference | undefined {
  if (!content.includes("${")) return undefined;
  const parts = parseTemplate(content).filter((part) => part.kind !== "text" || part.text.trim() !== "");
  const [only] = parts;
  return parts.length === 1 && only?.kind === "reference" && only.filter === undefined ? only : undefined;
}
