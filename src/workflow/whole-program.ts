// whole-program: a CLI node whose whole content is one reference, `${1}` or `${plan.command|json}`: the program itself is a value (4.1, 4.2).
//   W1. Nothing but blanks stands around the reference; `\${1}` and `$${1}` are no references.

import { parseTemplate, type Reference } from "./template.ts";

/** The reference that the whole text is, if it is one. */
export function wholeReference(content: string): Reference | undefined {
  if (!content.includes("${")) return undefined;
  const parts = parseTemplate(content).filter((part) => part.kind !== "text" || part.text.trim() !== "");
  const [only] = parts;
  return parts.length === 1 && only?.kind === "reference" ? only : undefined;
}

export function isOneReference(content: string): boolean {
  return wholeReference(content) !== undefined;
}
