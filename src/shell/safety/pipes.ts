// safety/pipes: the source of a command's standard input, and whether another command reads its output.

import type { SyntaxNode } from "unbash";
import type { Chain } from "../rewrite/tree.ts";
import type { Term } from "./terms.ts";

export type Feed =
  /** The standard input of the node. */
  | { kind: "node" }
  /** `a | b`: the earlier commands of the pipe. */
  | { kind: "pipe"; from: readonly SyntaxNode[] }
  /** A heredoc or here-string. */
  | { kind: "text"; words: Term[] }
  /** A file, or the words that xargs reads. */
  | { kind: "other" };

/** The innermost redirection or pipe, searched from the command outwards. */
export function feedOf(chain: Chain, term: (node: SyntaxNode) => Term): Feed {
  for (let level = chain.length - 1; level >= 0; level--) {
    const node = chain[level] as SyntaxNode;
    const child = chain[level + 1];
    // A substitution in a command's arguments does not read the command's redirected input.
    const isOwn = node.type === "Command" && child === undefined;
    if (isOwn || (node.type === "Redirected" && node.command === child)) {
      const fed = redirected(node.redirects, term);
      if (fed !== undefined) return fed;
    }
    if (node.type === "Pipeline" && child !== undefined) {
      const index = (node.commands as readonly SyntaxNode[]).indexOf(child);
      if (index > 0) return { kind: "pipe", from: node.commands.slice(0, index) };
    }
    if (node.type === "Coproc") return { kind: "other" };
  }
  return { kind: "node" };
}

function redirected(
  redirects: Extract<SyntaxNode, { type: "Redirected" }>["redirects"],
  term: (node: SyntaxNode) => Term,
): Feed | undefined {
  for (const redirect of redirects.toReversed()) {
    if (redirect.type === "HereDoc") return { kind: "text", words: [term(redirect.body)] };
    if (redirect.type === "HereString" && redirect.target !== undefined)
      return { kind: "text", words: [term(redirect.target)] };
    if (redirect.type !== "Redirect" || !/^<>?$/.test(redirect.operator)) continue;
    const { descriptor, target } = redirect;
    const isStdin = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
    const isItself = /^["']?\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)["']?$/.test(target?.text ?? "");
    if (isStdin && !isItself) return { kind: "other" };
  }
  return undefined;
}

/** Whether the next command of a pipe reads its output. */
export function isPiped(chain: Chain): boolean {
  for (let level = chain.length - 2; level >= 0; level--) {
    const node = chain[level] as SyntaxNode;
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return false;
    if (node.type === "Pipeline") return node.commands.at(-1) !== chain[level + 1];
  }
  return false;
}
