// diagnostics/mistakes: findings about workflows that would run, but not do what their author meant.

import type { Diagnostic } from "../diagnostic.ts";
import { listed } from "../nearest.ts";
import { type At, error, excerpt, info, made, warning } from "./base.ts";

export function branchBypassed(at: At, node: string, branch: string, plain: string, source: string): Diagnostic {
  // A name with a dash is shell syntax.
  const name = source.replaceAll("-", "_");
  const byName = `${name === source ? "" : `rename "${excerpt(source)}" to ${excerpt(name)}, and `}write \${${excerpt(name)}}`;
  const found = made("error", "branch-bypassed", at, [
    `Node "${excerpt(node)}" runs whatever the condition says, because of "${excerpt(plain)}" next to the branch "${excerpt(branch)}".`,
    `Remove "${excerpt(plain)}", ${name === source ? "and " : ""}${byName} where the node needs that value.`,
  ]);
  return { ...found, edge: { source, target: node } };
}

export const collectedTwice = warning("collected-twice", (list: string, end: string) => [
  `"${excerpt(end)}" collects the value of each iteration, and the value of "${excerpt(list)}" is already a list. The result would be a list of growing lists.`,
  `Remove "${excerpt(list)}", because the value of "${excerpt(end)}" is the list. Or connect another node to "${excerpt(end)}".`,
]);
export const concurrencyCapped = warning("concurrency-capped", (wanted: number, concurrency: number) => [
  `${wanted} iterations at a time need ${wanted} nodes at a time, but the run's concurrency is ${concurrency}.`,
  `Set concurrency: ${wanted} at the top of the file, or remove it.`,
]);
export const conditionMember = warning("condition-member", (seen: string, meant: string) => [
  `"${excerpt(seen)}" compares the whole value followed by the text "${excerpt(seen.slice(seen.indexOf("}") + 1))}". Did you mean "${excerpt(meant)}"?`,
  `Write members inside the braces: ${excerpt(meant)}.`,
]);
export const looksLikeASecret = info("looks-like-a-secret", (name: string) => [
  `${excerpt(name)} comes from your environment and has the name of a secret, so Curlew masks it and does not store it.`,
  `Declare it with secrets: [${excerpt(name)}]. If it is not a secret, write secrets: [{ name: ${excerpt(name)}, mask: false }].`,
]);
export const authSeveralHosts = error("auth-several-hosts", (hosts: readonly string[]) => [
  `Curlew would send this credential to ${listed(hosts.map(excerpt))}, but its entry does not list these hosts.`,
  `List its hosts: hosts: [${hosts.slice(0, 5).map(excerpt).join(", ")}], or write one entry per host.`,
]);

/** `meant`: the same in Curlew, if it is certain. */
export const foreignSyntax = warning(
  "foreign-syntax",
  (seen: string, tool: string, meant: string | undefined, help: string) => [
    `"${excerpt(seen)}" is the syntax of ${tool}. Curlew does not replace it.${meant === undefined ? "" : ` Did you mean "${excerpt(meant)}"?`}`,
    help,
  ],
);
export const jsonInQuotes = warning("json-in-quotes", (seen: string, meant: string) => [
  `In ${excerpt(seen)}, a value with a quote, a backslash, or a newline makes the node fail. Did you mean "${excerpt(meant)}"?`,
  "The filter json adds the quotes and escapes the value.",
]);

/** The text of a failure inside a longer string. Such texts often have quotes and newlines. */
export const jsonInString = warning("json-in-quotes", (seen: string) => [
  `${excerpt(seen)} is part of a JSON string. A value with a quote, a backslash, or a newline makes the node fail.`,
  "Write the whole text in a text node, and its value with the filter json and without quotes: ${note|json}.",
]);

/** `edge`: from the node that could feed it, if there is one. `certain`: the command can't mean to read nothing. */
export function stdinMissing(
  at: At,
  program: string,
  edge: { source: string; target: string } | undefined,
  certain: boolean,
): Diagnostic {
  const parent = excerpt(edge?.source ?? "ID");
  const found = made(certain ? "error" : "warning", "stdin-missing", at, [
    `${excerpt(program)} reads standard input, but this node has no "stdin".`,
    `Add stdin: ${parent} to the node. It feeds the value of ${edge === undefined ? "the node with that id" : `"${parent}"`}.`,
  ]);
  return edge === undefined ? found : { ...found, edge };
}
