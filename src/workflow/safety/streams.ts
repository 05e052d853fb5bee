// safety/streams: what a command reads on standard input, and where what it prints goes.

import type { SyntaxNode } from "unbash";
import type { Chain } from "../shell/tree.ts";
import type { Script } from "./script.ts";
import { type Term, textOf } from "./terms.ts";

export type Feed =
  /** What the node itself is given. */
  | { kind: "node" }
  /** `a | b`: the earlier commands of the pipe, in the tree. */
  | { kind: "pipe"; from: readonly SyntaxNode[] }
  | { kind: "file"; target: Term }
  /** A heredoc or here-string. */
  | { kind: "text"; words: Term[] }
  | { kind: "none" };

export type Outlet = "node" | "pipe" | "captured" | "file";

/** The innermost thing that feeds it, looked for from the command outwards. */
export function feedOf(chain: Chain, script: Script): Feed {
  for (let level = chain.length - 1; level >= 0; level--) {
    const node = chain[level] as SyntaxNode;
    const child = chain[level + 1];
    const own = level === chain.length - 1;
    // A substitution among a command's words does not read what that command is redirected to.
    if ((node.type === "Command" && own) || (node.type === "Redirected" && node.command === child)) {
      const fed = redirected(node.redirects, script);
      if (fed !== undefined) return fed;
    }
    if (node.type === "Pipeline" && child !== undefined) {
      const index = (node.commands as readonly SyntaxNode[]).indexOf(child);
      if (index > 0) return { kind: "pipe", from: node.commands.slice(0, index) };
    }
    // `while read x; do …; done` is fed as a whole; a function by whoever calls it.
    if (node.type === "Coproc") return { kind: "none" };
  }
  return { kind: "node" };
}

type Redirections = readonly (SyntaxNode & { type: "Redirect" | "HereDoc" | "HereString" })[];

function redirected(redirects: Redirections, script: Script): Feed | undefined {
  for (const redirect of redirects.toReversed()) {
    if (redirect.type === "Redirect") {
      if (!/^<>?$/.test(redirect.operator) || !isStdin(redirect.descriptor, 0)) continue;
      const target = redirect.target === undefined ? undefined : script.term(redirect.target);
      if (target !== undefined && !/^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(textOf(target) ?? ""))
        return { kind: "file", target };
    } else if (redirect.type === "HereDoc") return { kind: "text", words: [script.term(redirect.body)] };
    else if (redirect.target !== undefined) return { kind: "text", words: [script.term(redirect.target)] };
  }
  return undefined;
}

function isStdin(descriptor: { type: string; value?: number } | undefined, number: number): boolean {
  return descriptor === undefined || descriptor.value === number;
}

export function outletOf(chain: Chain): Outlet {
  for (let level = chain.length - 1; level >= 0; level--) {
    const node = chain[level] as SyntaxNode;
    const child = chain[level + 1];
    if ((node.type === "Command" && child === undefined) || (node.type === "Redirected" && node.command === child))
      for (const redirect of node.redirects)
        if (
          redirect.type === "Redirect" &&
          /^(>|>>|>\||&>|&>>)$/.test(redirect.operator) &&
          isStdin(redirect.descriptor, 1)
        )
          return "file";
    if (node.type === "Pipeline" && child !== undefined) {
      const index = (node.commands as readonly SyntaxNode[]).indexOf(child);
      if (index !== -1 && index < node.commands.length - 1) return "pipe";
    }
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return "captured";
  }
  return "node";
}
