// simple-expression: the plainest expressions, read and answered without JSONata (spec 1.4, 5.4): `exitCode = 0`,
// `inputs[0].status = "open" and i < 3`, `vars.done`. Starting a process for one costs 60 ms, this costs a few microseconds.
//   S1. What is answered here is exactly what JSONata answers; whatever might differ is left to it (`undefined`): arrays that a path
//       would walk through, objects as results, comparisons of unlike types, names of JavaScript's own.
//   S2. What can be read here can be read by JSONata, with the same meaning.
//   S3. Total: no expression and no value makes it throw or run long; the depth of what is read is fixed.
// Deliberately absent: everything with parentheses, arithmetic, functions, variables, comments, escapes. simple-expression.test.ts holds
// generated expressions over generated values against JSONata itself.

type Step = string | number;
type Scalar = string | number | boolean | null;
type Operand = { path: [string, ...Step[]]; start: number } | { literal: Scalar };
type Comparison = { left: Operand; operator?: string; right?: Operand };

/** Alternatives of conditions that all have to hold. */
export type SimpleExpression = readonly (readonly Comparison[])[];

/** A name ends where JSONata ends it: at a blank or an operator, not at a quote. */
const TOKEN =
  /[ \t\n\r]*(?:(?<name>[A-Za-z_][A-Za-z0-9_]*)(?![^ \t\n\r=!<>.[\]])|(?<number>(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,10})?)(?![^ \t\n\r=!<>\]])|"(?<double>[^"\\]*)"|'(?<single>[^'\\]*)'|(?<sign>!=|<=|>=|[=<>.[\]]))/y;
const KEYWORDS: ReadonlySet<string> = new Set(["and", "or", "in", "function", "true", "false", "null"]);
const LITERALS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const COMPARES: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">="]);
const CHARS_MAX = 500;

type Token = { name: string; start: number } | { literal: Scalar } | { sign: string };

/** What can be read here; of everything else nothing, whether JSONata can read it or not. */
export function simpleExpression(text: string): SimpleExpression | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  let at = 0;
  const sign = (): string | undefined => {
    const token = tokens[at];
    return token !== undefined && "sign" in token ? token.sign : undefined;
  };
  const word = (): string | undefined => {
    const token = tokens[at];
    return token !== undefined && "name" in token ? token.name : undefined;
  };
  const operand = (): Operand | undefined => {
    const token = tokens[at++];
    if (token === undefined || "sign" in token) return undefined;
    if ("literal" in token) return token;
    const literal = LITERALS.get(token.name);
    if (literal !== undefined) return { literal };
    if (KEYWORDS.has(token.name)) return undefined;
    const path: [string, ...Step[]] = [token.name];
    for (;;) {
      const next = sign();
      if (next !== "." && next !== "[") return { path, start: token.start };
      at += 1;
      const step = tokens[at++];
      if (step === undefined) return undefined;
      if (next === ".") {
        if (!("name" in step) || KEYWORDS.has(step.name)) return undefined;
        path.push(step.name);
      } else {
        if (!("literal" in step) || !Number.isInteger(step.literal) || sign() !== "]") return undefined;
        at += 1;
        path.push(step.literal as number);
      }
    }
  };
  const all: Comparison[][] = [[]];
  for (;;) {
    const left = operand();
    if (left === undefined) return undefined;
    const operator = sign();
    if (operator !== undefined && COMPARES.has(operator)) {
      at += 1;
      const right = operand();
      if (right === undefined) return undefined;
      all.at(-1)!.push({ left, operator, right });
    } else all.at(-1)!.push({ left });
    if (at === tokens.length) return all;
    const joined = word();
    if (joined === "or") all.push([]);
    else if (joined !== "and") return undefined;
    at += 1;
  }
}

function tokensOf(text: string): Token[] | undefined {
  if (text.length > CHARS_MAX) return undefined;
  const tokens: Token[] = [];
  const end = text.replace(/[ \t\n\r]+$/, "").length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)?.groups;
    if (found === undefined) return undefined;
    if (found.name !== undefined) {
      tokens.push({ name: found.name, start: TOKEN.lastIndex - found.name.length });
    } else if (found.number !== undefined) tokens.push({ literal: Number(found.number) });
    else if (found.sign !== undefined) tokens.push({ sign: found.sign });
    else tokens.push({ literal: found.double ?? found.single ?? "" });
  }
  return tokens;
}

/** The names it looks for in its scope, in the order of the text, with their places (see expression-names.ts). */
export function simpleNames(expression: SimpleExpression): { name: string; start: number; index?: number }[] {
  const operands = expression.flat().flatMap(({ left, right }) => (right === undefined ? [left] : [left, right]));
  return operands.flatMap((operand) => {
    if ("literal" in operand) return [];
    const [name, index] = operand.path;
    return [{ name, start: operand.start, ...(typeof index === "number" ? { index } : {}) }];
  });
}

/** The expression's value over the names in `scope`, which hold JSON; absent: JSONata has to be asked. */
export function answerSimple(
  expression: SimpleExpression,
  scope: Record<string, unknown>,
): { value: Scalar | undefined } | undefined {
  const only = expression.length === 1 && expression[0]!.length === 1;
  let any = false;
  for (const conditions of expression) {
    let every = true;
    for (const condition of conditions) {
      // All are looked at, also those that no longer matter: one that JSONata has to answer is for JSONata as a whole.
      const answer = answerOne(condition, scope);
      if (answer === undefined || only) return answer;
      every &&= Boolean(answer.value);
    }
    any ||= every;
  }
  return { value: any };
}

type Answer = { value: Scalar | undefined } | undefined;

function answerOne({ left, operator, right }: Comparison, scope: Record<string, unknown>): Answer {
  const first = reached(left, scope);
  if (first === undefined || operator === undefined) return first;
  const second = reached(right!, scope);
  if (second === undefined) return undefined;
  const [a, b] = [first.value, second.value];
  if (operator === "=" || operator === "!=") {
    // Nothing is neither equal nor unequal to anything.
    if (a === undefined || b === undefined) return { value: false };
    return { value: (a === b) === (operator === "=") };
  }
  const alike = (typeof a === "number" && typeof b === "number") || (typeof a === "string" && typeof b === "string");
  if (!alike) return undefined;
  return { value: ordered(a!, operator, b!) };
}

function ordered(a: Scalar, operator: string, b: Scalar): boolean {
  const [x, y] = [a as number, b as number];
  if (operator === "<") return x < y;
  if (operator === "<=") return x <= y;
  return operator === ">" ? x > y : x >= y;
}

function reached(operand: Operand, scope: Record<string, unknown>): Answer {
  if ("literal" in operand) return { value: operand.literal };
  let value: unknown = scope;
  for (const step of operand.path) {
    if (typeof step === "number") {
      // One value counts as a list of one.
      if (Array.isArray(value)) value = value[step];
      else if (step > 0) value = undefined;
    } else if (Array.isArray(value)) return undefined;
    else if (typeof value !== "object" || value === null) value = undefined;
    else if (Object.hasOwn(value, step)) value = (value as Record<string, unknown>)[step];
    else if (step in Object.prototype) return undefined;
    else value = undefined;
    if (value === undefined) break;
  }
  return isScalar(value) ? { value } : undefined;
}

function isScalar(value: unknown): value is Scalar | undefined {
  if (typeof value === "number") return Number.isFinite(value);
  return value === undefined || value === null || typeof value === "string" || typeof value === "boolean";
}
