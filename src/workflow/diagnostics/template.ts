// diagnostics/template: findings about `${…}` references and about expressions.

import { FILTERS } from "../../shell/template.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said, warning } from "./base.ts";

/** A node's id is not the name of its value, unlike in some other tools. */
export function nodeIdAsName(at: At, id: string, parent: number): Diagnostic {
  const help =
    parent > 0
      ? `Its value is \${${parent}} here, because it is parent ${parent}.`
      : `Draw an edge from it and write \${1}, or give its value a name with a Variable node.`;
  return error(at, "node-id-as-name", `\${${said(id)}} names a node; a node's id is not the name of its value.`, help);
}

export function unknownName(at: At, name: string, known: Iterable<string>): Diagnostic {
  const near = didYouMean(name, known);
  return error(
    at,
    "unknown-name",
    `\${${said(name)}} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name.${near}`,
    near === "" ? `Define it, set it in the environment, or write $\${${said(name)}} for the text itself.` : undefined,
  );
}

export function unknownNameInShell(at: At, name: string, known: Iterable<string>): Diagnostic {
  const near = didYouMean(name, known);
  return warning(
    at,
    "unknown-name-in-shell",
    `\${${said(name)}} is left to the shell, but nothing sets it.${near}`,
    near === ""
      ? `Set it in the script or under env.static, or define a Variable or an input of that name.`
      : undefined,
  );
}

/** `ours`: the workflow has a value of that name too, which `${name}` would mean. */
export function envNotPassed(at: At, name: string, ours: boolean): Diagnostic {
  return warning(
    at,
    "env-not-passed",
    `${said(name)} is set in your environment, but commands do not get it unless you say so.`,
    ours
      ? `Write \${${said(name)}} in braces: that is the workflow's value.`
      : `Add env: { inherit: [${said(name)}] }. A password or token is better declared: secrets: [${said(name)}], and \${${said(name)}} in the command.`,
  );
}

export function outOfScope(at: At, name: string, loop: string): Diagnostic {
  return error(
    at,
    "loop-variable-outside-loop",
    `\${${said(name)}} is the variable of loop "${said(loop)}", and this node lies outside of it.`,
    "Inside means between the loop's start and its end.",
  );
}

export function unknownFilter(at: At, filter: string): Diagnostic {
  return error(
    at,
    "unknown-filter",
    `There is no filter "${said(filter)}".${didYouMean(filter, FILTERS)}`,
    `Filters are ${listed(FILTERS, 20)}.`,
  );
}

export function templateSyntax(at: At, seen: string, meant: string | undefined): Diagnostic {
  return error(
    at,
    "template-syntax",
    `"${said(seen)}" is not a reference.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
    `References are \${name}, \${1}, \${1.items[0].id} and \${name|json}. Write $\${ for a literal \${.`,
  );
}

export function templateNotReplaced(at: At, name: string, interpreter: string): Diagnostic {
  return warning(
    at,
    "template-not-replaced",
    `\${${said(name)}} stays as it is: a script for ${said(interpreter)} is not a template.`,
    `Hand the value over by env.static or stdin, and read it in the script.`,
  );
}

export function unknownVariable(at: At, name: string, known: readonly string[]): Diagnostic {
  return error(
    at,
    "unknown-variable",
    `vars.${said(name)} is nothing: no Variable, Accumulator or input has that name.${didYouMean(name, known)}`,
  );
}

/** `shared`: it is the name of a Variable, Accumulator or input, which are members of `vars`. */
export function expressionUnknownName(at: At, name: string, known: readonly string[], shared: boolean): Diagnostic {
  const near = shared ? "" : didYouMean(name, known);
  return error(
    at,
    "expression-unknown-name",
    `"${said(name)}" is nothing in an expression.${near}`,
    shared
      ? `Write vars.${said(name)} for its value.`
      : near === ""
        ? `There are ${listed(known)}; a text is written in quotes: "${said(name)}".`
        : undefined,
  );
}

/** Findings of the expression parser or the shell rules, with their own messages. */
export function foreign(at: At, code: string, message: string, help: string | undefined): Diagnostic {
  return error(at, code, message, help === "" ? undefined : help);
}
