// shell/odd: expansions that do more with a value than to put it in (spec 4.1).

import type { SyntaxNode } from "unbash";
import type { Surroundings } from "./place.ts";

/** Expansions that read the value as a name, a pattern with code, a prompt, or (zsh, `${(l:x:)y}`) a number. */
export function oddExpansion(node: SyntaxNode, around: Surroundings): string | undefined {
  if (node.type !== "ParameterExpansion") return undefined;
  if (node.prefix === "!" && node.operation?.type !== "Names") return node.text;
  if (node.operation?.type === "Transform" && node.operation.operand.text.includes("P")) return node.text;
  if (around.dialect !== "zsh") return undefined;
  return /^\$\{(?:\([^)]*[eP%][^)]*\)|[=^]*~)/.test(node.text) || isPadding(node) ? node.text : undefined;
}

/** zsh, `${(l:x:)y}`: x is arithmetic. */
export function isPadding(node: SyntaxNode): boolean {
  return node.type === "ParameterExpansion" && /^\$\{\([^)]*[lr](.)(?![0-9]+\1)/.test(node.text);
}

/** `h=x; ${!h}`: the variables that it reads, where the script says which. */
export function meantBy(node: SyntaxNode, around: Surroundings): readonly string[] | undefined {
  if (node.type !== "ParameterExpansion" || node.prefix !== "!" || around.dialect === "zsh") return undefined;
  if (node.operation?.type === "Names") return undefined;
  const words = around.text.fixed?.get(node.parameter);
  return words?.every((word) => /^[A-Za-z_]\w*$/.test(word)) ? words : undefined;
}
