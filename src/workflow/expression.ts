// expression: checks the conditions and selections of spec 1.4 without evaluating them (kinds/expression does).
//   X1. An expression that cannot be parsed is a problem with a position, never "true".
//   X2. `${1} == done` is a string comparison, not JSONata: both sides are templates.
//   X3. JSONata is loaded only when an expression is checked. Checking evaluates nothing.

import { limits } from "../base/limits.ts";
import { type Reference, referencesOf } from "../shell/template.ts";

/** Offsets in the expression's text; `end` is exclusive. */
export interface ExpressionProblem {
  /**
   * `expression-syntax`, `expression-double-equals`, `expression-operator`, `expression-template` or
   * `expression-too-long`.
   */
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

const SIDE = String.raw`"[^"\n]*"|'[^'\n]*'|(?:\$\{[^{}\n]*\}|[^"'=!<>&|()\s])(?:\$\{[^{}\n]*\}|[^"'=!<>&|()\n])*?`;
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
  const templates = templateHints(text);
  if (templates.length > 0) return templates;
  const { default: jsonata } = await import("jsonata");
  try {
    jsonata(text);
    return [];
  } catch (thrown) {
    // Only now, because valid JSONata (a regular expression, for example) may contain these characters.
    const operators = operatorHints(blankOutStrings(text));
    return operators.length > 0 ? operators : [syntaxProblem(text, thrown)];
  }
}

/**
 * Names that an expression depends on: `vars.NAME` (also ``vars.`NAME` `` and `vars["NAME"]`), and `${…}` of a string
 * comparison.
 */
export function variablesOf(text: string): { vars: string[]; references: Reference[] } {
  if (textComparison(text) !== undefined) return { vars: [], references: referencesOf(text) };
  const names = new Set<string>();
  const code = blankOutStrings(text, true);
  for (const match of code.matchAll(
    /(?<![\w.$`])vars\s*(?:\.\s*(?:([A-Za-z_]\w*)|`([^`]+)`|["']([^"']+)["'])|\[\s*["']([^"']+)["']\s*\])/g,
  )) {
    names.add(match[1] ?? match[2] ?? match[3] ?? match[4] ?? "");
  }
  return { vars: [...names], references: referencesOf(text) };
}

function unquote(side: string): string {
  const trimmed = side.trim();
  const first = trimmed[0];
  return (first === '"' || first === "'") && trimmed.endsWith(first) && trimmed.length > 1
    ? trimmed.slice(1, -1)
    : trimmed;
}

/** Replaces strings and comments by spaces, so that offsets stay. `keepNames` keeps names as in `vars["x"]`. */
function blankOutStrings(text: string, keepNames = false): string {
  return text.replace(/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`|\/\*[\s\S]*?\*\//g, (found, at: number) =>
    keepNames && !found.startsWith("/*") && /vars\s*[.[]\s*$/.test(text.slice(Math.max(0, at - 40), at))
      ? found
      : " ".repeat(found.length),
  );
}

function operatorHints(code: string): ExpressionProblem[] {
  const problems: ExpressionProblem[] = [];
  for (const match of code.matchAll(/={2,3}|!==|&&|\|\||!(?!=)/g)) {
    const [seen] = match;
    const at = { start: match.index, end: match.index + seen.length };
    if (seen.startsWith("="))
      problems.push({
        code: "expression-double-equals",
        message: `"${seen}" is not an operator here: equality is a single "=".`,
        help: `Write = instead of ${seen}.`,
        ...at,
      });
    else
      problems.push({
        code: "expression-operator",
        message: `"${seen}" is not an operator here.`,
        help: OPERATOR_HELP[seen] ?? "",
        ...at,
      });
  }
  return problems;
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
      : `Write vars.${reference.root} for a Variable, ${reference.root} for a loop variable, or compare texts only: \${${reference.root}} == done.`,
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
    help: 'Expressions are JSONata: inputs[0].status = "open" and exitCode = 0.',
    start: Math.min(start, Math.max(0, text.length - 1)),
    end: Math.max(start + 1, stop),
  };
}

function tooLong(text: string): ExpressionProblem {
  return {
    code: "expression-too-long",
    message: `An expression may have ${limits.expressionCharsMax} characters; this one has ${text.length}.`,
    start: 0,
    end: text.length,
  };
}
