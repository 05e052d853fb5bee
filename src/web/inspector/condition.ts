// condition: a simple condition as rows of a form, and back (ui 6.3 "IF: builder <-> expression").
//   C1. What is shown as rows means exactly what the text means: only what workflow/simple-expression.ts reads, joined all by `and` or all
//       by `or`, or one text comparison. Everything else is edited as text.
//   C2. Rows written back are an expression that reads as the same rows.

import { textComparison } from "../../workflow/expression.ts";
import { simpleExpression } from "../../workflow/simple-expression.ts";

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "is true";
export const OPERATORS: readonly Operator[] = ["=", "!=", "<", "<=", ">", ">=", "is true"];

export interface ConditionRow {
  /** A path: `inputs[0].status`, `exitCode`, `vars.total`. */
  left: string;
  operator: Operator;
  /** A literal as written (`"open"`, `3`, `true`) or another path; empty with "is true". */
  right: string;
}

export type Condition =
  | { kind: "empty" }
  | { kind: "rows"; join: "and" | "or"; rows: ConditionRow[] }
  /** `${1} == done`. */
  | { kind: "text"; left: string; equal: boolean; right: string }
  | { kind: "expression" };

/** How a condition's text can be shown. */
export function readCondition(text: string): Condition {
  if (text.trim() === "") return { kind: "empty" };
  const compared = textComparison(text);
  if (compared !== undefined) return { kind: "text", ...compared };
  const expression = simpleExpression(text);
  if (expression === undefined) return { kind: "expression" };
  if (expression.length > 1 && expression.some((alternative) => alternative.length > 1)) return { kind: "expression" };
  const rows = expression.flat().map(({ left, operator, right }) => ({
    left: written(left),
    operator: (operator ?? "is true") as Operator,
    right: right === undefined ? "" : written(right),
  }));
  return { kind: "rows", join: expression.length > 1 ? "or" : "and", rows };
}

type Operand = NonNullable<ReturnType<typeof simpleExpression>>[number][number]["left"];

function written(operand: Operand): string {
  if ("literal" in operand) return literal(operand.literal);
  const [root, ...steps] = operand.path;
  return root + steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}

function literal(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}

/** The rows as an expression; rows without a left side are left out. */
export function writeCondition(join: "and" | "or", rows: readonly ConditionRow[]): string {
  return rows
    .filter(({ left }) => left.trim() !== "")
    .map(({ left, operator, right }) =>
      operator === "is true" ? left.trim() : `${left.trim()} ${operator} ${right.trim() === "" ? '""' : right.trim()}`,
    )
    .join(` ${join} `);
}

/** What a person typed on the right side: a word that is no number, path or keyword is meant as text. */
export function rightSide(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^(?:"[^"\\]*"|'[^'\\]*'|true|false|null|-?\d+(?:\.\d+)?)$/.test(text)) return text;
  if (/^(?:inputs\[\d+\]|vars\.|headers\.|run\.)/.test(text) || /^(?:exitCode|status)$/.test(text)) return text;
  return literal(text.replaceAll(/["\\]/g, "'").replaceAll(/^'|'$/g, ""));
}

/** Both sides as templates; quotes where blanks or operators would end a side early. */
export function writeTextComparison(left: string, equal: boolean, right: string): string {
  return `${side(left)} ${equal ? "==" : "!="} ${side(right)}`;
}

function side(text: string): string {
  if (text !== "" && /^(?:\$\{[^{}\n]*\}|[^"'=!<>&|()\s{}])*$/.test(text)) return text;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
