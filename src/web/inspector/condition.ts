// condition: converts a simple condition to rows of a form and back (ui 6.3 "IF: builder <-> expression").
//   C1. Rows mean exactly what the text means. They show comparisons of paths, literals, and calls with such arguments,
//       joined only by `and` or only by `or`. Any other condition is edited as text.
//   C2. Writing rows gives an expression that reads back as the same rows.

import { textComparison } from "../../workflow/expression.ts";

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "is true";
export const OPERATORS: readonly Operator[] = ["=", "!=", "<", "<=", ">", ">=", "is true"];

export interface ConditionRow {
  /** A path or a call: `inputs[0].status`, `exitCode`, `$count(inputs[0])`. */
  left: string;
  operator: Operator;
  /** A literal as written (`"open"`, `3`, `true`) or another path. Empty for "is true". */
  right: string;
}

export interface Condition {
  join: "and" | "or";
  /** Empty for an empty condition. */
  rows: ConditionRow[];
}

/** The condition as rows, or `undefined` if the form can't show it. */
export function readCondition(text: string): Condition | undefined {
  if (text.trim() === "") return { join: "and", rows: [] };
  if (textComparison(text) !== undefined) return undefined;
  const rows: ConditionRow[] = [];
  const joins = new Set<string>();
  for (const row = new RegExp(ROW, "y"); ; ) {
    const [, left = "", operator = "is true", right = "", join] = row.exec(text) ?? [];
    if (left === "") return undefined;
    rows.push({ left, operator: operator as Operator, right });
    if (join === undefined) break;
    joins.add(join);
  }
  if (joins.size > 1) return undefined;
  return { join: joins.has("or") ? "or" : "and", rows };
}

const NAME = String.raw`(?!(?:and|or|in|function|true|false|null)\b)[A-Za-z_]\w*`;
const LITERAL = String.raw`"[^"\\]*"|'[^'\\]*'|(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?|true|false|null`;
const PLAIN = String.raw`${NAME}(?:\.${NAME}|\[\d{1,9}\])*|${LITERAL}`;
const CALL = String.raw`\$[A-Za-z]\w*\((?:${PLAIN})(?:,\s*(?:${PLAIN}))*\)`;
const OPERAND = `(${PLAIN}|${CALL})`;
/** One row and the operator that joins it to the next. */
const ROW = String.raw`\s*${OPERAND}(?:\s*(!=|<=|>=|[=<>])\s*${OPERAND})?(?:\s+(and|or)(?=\s)|\s*$)`;

/** The rows as an expression, without rows whose left side is empty. */
export function writeCondition(join: "and" | "or", rows: readonly ConditionRow[]): string {
  return rows
    .filter(({ left }) => left.trim() !== "")
    .map(({ left, operator, right }) =>
      operator === "is true" ? left.trim() : `${left.trim()} ${operator} ${right.trim() === "" ? '""' : right.trim()}`,
    )
    .join(` ${join} `);
}

/** The right side as the user typed it. A word that is not a number, path, or keyword is quoted as a string. */
export function rightSide(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^(?:"[^"\\]*"|'[^'\\]*'|true|false|null|-?\d+(?:\.\d+)?)$/.test(text)) return text;
  if (/^(?:inputs\[\d+\]|vars\.|headers\.|run\.)/.test(text) || /^(?:exitCode|status)$/.test(text)) return text;
  return `"${text.replaceAll(/["\\]/g, "'").replaceAll(/^'|'$/g, "")}"`;
}
