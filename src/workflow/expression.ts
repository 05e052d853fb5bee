// expression: checks the conditions and selections of spec 1.4 without evaluating them (kinds/expression does).
//   X1. An expression that cannot be parsed is a problem with a position, never "true".
//   X2. `${1} == done` is a string comparison, not JSONata: both sides are templates.
//   X3. `==` in an expression means JSONata's `=`.
//   X4. JSONata is loaded only when an expression is checked. Checking evaluates nothing.

import { limits } from "../base/limits.ts";
import { type Reference, referencesOf } from "../shell/template.ts";

/** Offsets in the expression's text; `end` is exclusive. */
export interface ExpressionProblem {
  /** `expression-syntax`, `expression-operator`, `expression-template` or `expression-too-long`. */
  code: string;
  message: string;
  help?: string;
  start: number;
  end: number;
}

export interface TextComparison {
  /** Templates, without the quotes around them. */
  left: string;
  right: string;
  /** True for `==`, false for `!=`. */
  equal: boolean;
}

const SIDE = String.raw`"(?:\$\{[^{}\n]*\}|[^"\n])*"|'[^'\n]*'|(?:\$\{[^{}\n]*\}|[^"'=!<>&|()\s])(?:\$\{[^{}\n]*\}|[^"'=!<>&|()\n])*?`;
const COMPARISON = new RegExp(String.raw`^\s*(${SIDE})\s*(==|!=)\s*(${SIDE})?\s*$`);

/**
 * `${1} == done`, `"${status}" != 'open'`: a comparison where at least one side has a template, otherwise undefined. An
 * empty right side means the empty string.
 */
export function textComparison(text: string): TextComparison | undefined {
  if (!text.includes("${")) return undefined;
  const match = COMPARISON.exec(text);
  if (match === null) return undefined;
  const [, left = "", operator, right = ""] = match;
  if (referencesOf(left).length + referencesOf(right).length === 0) return undefined;
  return { left: unquote(left), right: unquote(right), equal: operator === "==" };
}

/** All problems of an expression; none for a string comparison. The caller handles an empty text. */
export async function checkExpression(text: string): Promise<ExpressionProblem[]> {
  if (text.trim() === "" || textComparison(text) !== undefined) return [];
  if (text.length > limits.expressionCharsMax) return [tooLong(text)];
  if (textComparison(text.replace(/([=!])==/g, "$1=")) !== undefined) return operatorHints(blankOutStrings(text));
  const templates = templateHints(text);
  if (templates.length > 0) return templates;
  const { default: jsonata } = await import("jsonata");
  try {
    jsonata(asJsonata(text));
    return [];
  } catch (thrown) {
    // Only now, because valid JSONata (a regular expression, for example) may contain these characters.
    const operators = operatorHints(blankOutStrings(text));
    return operators.length > 0 ? operators : [syntaxProblem(text, thrown)];
  }
}

/**
 * Names that an expression depends on: `vars.NAME` and `nodes.ID` (also ``vars.`NAME` `` and `vars["NAME"]`), and `${…}`
 * of a string comparison. In a selection (`isSelect`), `nodes` is a member of the output, so only `$nodes` counts.
 */
export function variablesOf(
  text: string,
  isSelect = false,
): { vars: string[]; nodes: string[]; state: string[]; references: Reference[] } {
  if (textComparison(text) !== undefined) return { vars: [], nodes: [], state: [], references: referencesOf(text) };
  const vars = new Set<string>();
  const nodes = new Set<string>();
  const state = new Set<string>();
  for (const [, map = "", ...names] of blankOutStrings(text, true).matchAll(MEMBER_OF)) {
    const name = names.find((one) => one !== undefined) ?? "";
    if (map === "vars") vars.add(name);
    else if (map === "state") state.add(name);
    else if (map === "$nodes" || (map === "nodes" && !isSelect)) nodes.add(name);
  }
  return { vars: [...vars], nodes: [...nodes], state: [...state], references: referencesOf(text) };
}

const MEMBER_OF =
  /(?<![\w.$`])(vars|state|\$?nodes)\s*(?:\.\s*(?:([A-Za-z_]\w*)|`([^`]+)`|["']([^"']+)["'])|\[\s*["']([^"']+)["']\s*\])/g;

function unquote(side: string): string {
  const trimmed = side.trim();
  const first = trimmed[0];
  return (first === '"' || first === "'") && trimmed.endsWith(first) && trimmed.length > 1
    ? trimmed.slice(1, -1)
    : trimmed;
}

/** X3. Every position stays. In JSONata, `==` occurs only in strings, names, comments, and regular expressions. */
export function asJsonata(text: string): string {
  if (!text.includes("==")) return text;
  const code = blankOutStrings(text);
  return text.replace(/==+/g, (found, at: number) =>
    found === "==" && /[^!<>:]==/.test(` ${code}`.slice(at, at + 3)) ? "= " : found,
  );
}

/** Replaces strings, regular expressions, and comments by spaces, so that offsets stay. `keepNames` keeps names as in `vars["x"]`. */
export function blankOutStrings(text: string, keepNames = false): string {
  return text.replace(
    /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`|\/\*[\s\S]*?\*\/|(?<=[(,=~:?[{]\s*)\/(?:\\.|[^/\\\n])+\//g,
    (found, at: number) =>
      keepNames && !found.startsWith("/*") && /(?:vars|nodes)\s*[.[]\s*$/.test(text.slice(Math.max(0, at - 40), at))
        ? found
        : " ".repeat(found.length),
  );
}

function operatorHints(code: string): ExpressionProblem[] {
  return [...code.matchAll(/={3,}|!==|&&|\|\||!(?!=)/g)].map(({ 0: seen, index }) => ({
    code: "expression-operator",
    message: `"${seen}" is not an operator here.`,
    help: OPERATOR_HELP[seen] ?? "Write ==.",
    start: index,
    end: index + seen.length,
  }));
}

const OPERATOR_HELP: Record<string, string> = {
  "&&": 'Write "and".',
  "||": 'Write "or".',
  "!": "Write $not(…).",
  "!==": 'Write "!=".',
};

function templateHints(text: string): ExpressionProblem[] {
  return referencesOf(text).map((reference) => ({
    code: "expression-template",
    message: `\${${reference.root}} is a template; an expression names values directly.`,
    help: /^[0-9]/.test(reference.root)
      ? `Write inputs[${Number(reference.root) - 1}], or compare texts only: \${${reference.root}} == done.`
      : `Write vars.${reference.root} for a Variable, nodes.${reference.root} for a node, ${reference.root} for a loop variable, or compare texts only: \${${reference.root}} == done.`,
    start: reference.start,
    end: reference.end,
  }));
}

function syntaxProblem(text: string, thrown: unknown): ExpressionProblem {
  const error = thrown as { message?: string; position?: number; token?: unknown; code?: string };
  const token = typeof error.token === "string" ? error.token : "";
  // JSONata reports the position after the unexpected token.
  const stop = Math.min(Math.max(error.position ?? text.length, 0), text.length);
  const start = Math.max(0, text.slice(0, stop).endsWith(token) ? stop - token.length : stop - 1);
  return {
    code: "expression-syntax",
    message: `This expression cannot be read: ${(error.message ?? "syntax error").replace(/\.$/, "")}.`,
    help: /\bnot\s*$/.test(text.slice(0, start))
      ? "There is no operator not. Write $not(…)."
      : 'Expressions are JSONata: inputs[0].status = "open" and exitCode = 0.',
    start: Math.min(start, Math.max(0, text.length - 1)),
    end: Math.max(start + 1, stop),
  };
}

function tooLong(text: string): ExpressionProblem {
  return {
    code: "expression-too-long",
    message: `The expression has ${text.length} characters. The limit is ${limits.expressionCharsMax}.`,
    start: 0,
    end: text.length,
  };
}
