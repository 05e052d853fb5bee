// diagnostics/template: findings about `${…}` references and about expressions.

import { FILTERS, type Filter, type Reference } from "../../shell/template.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type FactPlace, factNames, isFact, STATE } from "../facts.ts";
import { didYouMean, isDefault, listed } from "../nearest.ts";
import { type At, error, excerpt, made, warning } from "./base.ts";

/** It is left to the shell, although it is the id of a node. */
export const nodeIdAsName = error("node-id-as-name", (id: string) => [
  `\${${excerpt(id)}} is the id of a node, but the script seems to set a variable with that name.`,
  `Rename the variable, or write it without braces: $${excerpt(id)}.`,
]);

/** `other`: what else the name means. */
export const ambiguousName = error("ambiguous-name", (name: string, other: string) => [
  `\${${excerpt(name)}} could mean the node "${excerpt(name)}" or ${other}.`,
  "Rename one of them.",
]);

/** In a shell script `${a-b}` is an expansion with a default. */
export function idWithDash(at: At, id: string, inShell: boolean): Diagnostic {
  return made(inShell ? "warning" : "error", "id-with-dash", at, [
    `\${${excerpt(id)}…} does not refer to the node "${excerpt(id)}", because names in \${…} cannot contain a dash.`,
    `Rename the node to ${excerpt(id).replaceAll("-", "_")}, or use the number of a parent, such as \${1}.`,
  ]);
}

export const nameWithoutBraces = warning("name-without-braces", (name: string) => [
  `Without braces, $${excerpt(name)} is a variable of the shell, which the script does not set.`,
  `For the value of the workflow, write \${${excerpt(name)}}.`,
]);

/** `${posts:-x}` is the shell's own. Where the script also names the node as `${posts}`, it is refused. */
export function operatorOnId(at: At, id: string): Diagnostic {
  return made("warning", "operator-on-id", at, [
    `An operator follows the name, so \${${excerpt(id)}…} is a variable of the shell and not the node "${excerpt(id)}".`,
    `Give the value a name first: v=\${${excerpt(id)}}, then \${v:-default}. For a skipped node: \${${excerpt(id)}|default("…")}.`,
  ]);
}

export const unknownName = error("unknown-name", (name: string, known: Iterable<string>) => {
  const near = didYouMean(name, known);
  return [
    `\${${excerpt(name)}} is not defined: there is no node, loop variable, Variable, Accumulator, input, secret, or environment variable with that name.${near}`,
    near === ""
      ? `Define it, set it in the environment, or write $\${${excerpt(name)}} for the literal text.`
      : undefined,
  ];
});

/** `${run.nmae}`, or a fact that has no value at this node. `written`: the name as the text has it. */
export function unknownFact(
  at: At,
  reference: Pick<Reference, "root" | "members">,
  place: FactPlace,
  written = (name: string) => `\${${name}}`,
): Diagnostic {
  const name = [reference.root, ...reference.members].join(".");
  const [member = ""] = reference.members;
  if (reference.root === STATE && !place.stateNames?.includes(String(member)))
    return undeclaredState(at, written(name), String(member), place.stateNames);
  const isElsewhere = isFact(reference.root, reference.members, { finally: true, inErrorBranch: true });
  const near = isElsewhere ? "" : didYouMean(name, factNames(place));
  const where =
    name === "run.status" ? "nodes of onFailure and finally" : "nodes of onFailure, finally, and error branches";
  return made("error", "unknown-name", at, [
    `${written(excerpt(name))} has no value here.${near}`,
    isElsewhere
      ? `It has a value in: ${where}.`
      : near === ""
        ? `Curlew sets ${listed(factNames(place), 20)} here.`
        : undefined,
  ]);
}

/** A name of `state` that the document does not declare. `written`: the reference, or the field that stores it. */
export const undeclaredState = error(
  "state-undeclared",
  (written: string, name: string, declared: readonly string[] = []) => [
    `"state" of this workflow has no "${excerpt(name)}", but ${excerpt(written)} uses it.${didYouMean(name, declared)}`,
    `Add it with its first value: state: { ${excerpt(name)}: "" }`,
  ],
);

/** An error if a name of the workflow is that close. */
export function unknownNameInShell(at: At, name: string, known: Iterable<string>): Diagnostic {
  const near = didYouMean(name, known);
  return made(near === "" ? "warning" : "error", "unknown-name-in-shell", at, [
    `\${${excerpt(name)}} is not defined, neither in this workflow nor in the script.${near}`,
    near === ""
      ? `Set it in the script or under env.static, or define a Variable or an input with that name.`
      : undefined,
  ]);
}

/** In single quotes or a quoted heredoc. An error if a name of the workflow is that close. */
export function unknownNameInQuotes(at: At, name: string, known: Iterable<string>): Diagnostic {
  const near = didYouMean(name, known);
  return made(near === "" ? "warning" : "error", "unknown-name", at, [
    `\${${excerpt(name)}} in these quotes is not replaced, because it is not defined in this workflow.${near}`,
    near === "" ? `Define it, or write $\${${excerpt(name)}} for the literal text.` : undefined,
  ]);
}

/** `ours`: the workflow has a value of that name too, which `${name}` would mean. */
export const envNotPassed = warning("env-not-passed", (name: string, ours: boolean) => [
  `${excerpt(name)} is set in your environment, but commands receive it only if you ask for it.`,
  ours
    ? `For the value of the workflow, write it in braces: \${${excerpt(name)}}.`
    : `Add env: { inherit: [${excerpt(name)}] }. For a password or token, write secrets: [${excerpt(name)}], and \${${excerpt(name)}} in the command.`,
]);
export const outOfScope = error("loop-variable-outside-loop", (name: string, loop: string) => [
  `\${${excerpt(name)}} is the variable of loop "${excerpt(loop)}", but this node is not in that loop.`,
  "Connect the node between the start and the end of the loop.",
]);
export const unknownFilter = error("unknown-filter", (filter: string) => [
  `Unknown filter "${excerpt(filter)}".${meantFilter(filter)}`,
  `Known filters: ${listed(FILTERS, 20)}. For a skipped node: \${id|default("…")}.`,
]);

/** Names that other tools give to these filters. */
const SAME_FILTERS: Record<string, Filter> = {
  ...{ url: "uri", urlencode: "uri", urlencoded: "uri", escape: "uri", encodeuricomponent: "uri", percent: "uri" },
  ...{ base64: "b64", b64encode: "b64", tojson: "json", stringify: "json", dump: "json" },
  ...{ quote: "sh", shellquote: "sh", shellescape: "sh", number: "int", integer: "int", tonumber: "int" },
};

function meantFilter(filter: string): string {
  const same = SAME_FILTERS[filter.toLowerCase()];
  if (same !== undefined) return ` Did you mean "${same}"?`;
  if (isDefault(filter)) return ' Did you mean "default"? It takes a text: |default("…").';
  return didYouMean(filter, FILTERS);
}

export const templateSyntax = error("template-syntax", (seen: string, meant: string | undefined) => [
  `"${excerpt(seen)}" is not a valid reference.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
  `Valid references: \${name}, \${1}, \${1.items[0].id}, \${name|json}, \${id|default("…")}. For a literal \${, write $\${.`,
]);
export const templateNotReplaced = warning("template-not-replaced", (name: string, interpreter: string) => [
  `\${${excerpt(name)}} is not replaced, because a script for ${excerpt(interpreter)} is not a template.`,
  `Pass the value with env.static or stdin, and read it in the script.`,
]);
export const unknownVariable = error("unknown-variable", (name: string, known: readonly string[]) => [
  `vars.${excerpt(name)} is not defined: there is no Variable, Accumulator, or input with that name.${didYouMean(name, known)}`,
]);

/** `map`: where its value is: `vars` for a Variable, Accumulator or input, `nodes` for a node. */
export const nameInFilter = warning("name-in-filter", (seen: string) => [
  `"${excerpt(seen)}" is a member of each item here, because it is inside a path. Did you mean "$${excerpt(seen)}"?`,
  "With a dollar sign, a name has its usual value everywhere.",
]);

export const expressionUnknownName = error(
  "expression-unknown-name",
  (name: string, known: readonly string[], map: "vars" | "nodes" | undefined) => {
    const near = map === undefined ? didYouMean(name, known) : "";
    return [
      `"${excerpt(name)}" is not defined in an expression.${near}`,
      map !== undefined
        ? `Write ${map}.${excerpt(name)} for its value.`
        : near === ""
          ? `Known names: ${listed(known, 20)}. Write strings in quotes: "${excerpt(name)}".`
          : undefined,
    ];
  },
);

/** `count(…)` for `$count(…)`. */
export const notAFunction = error("expression-unknown-name", (name: string) => [
  `"${excerpt(name)}" is not a function.`,
  `The names of functions begin with $: write $${excerpt(name)}(…) if you mean that one.`,
]);

/** Findings of the expression parser or the shell rules, with their own messages. */
export function foreign(at: At, code: string, message: string, help: string | undefined): Diagnostic {
  return made("error", code, at, [message, help === "" ? undefined : help]);
}
