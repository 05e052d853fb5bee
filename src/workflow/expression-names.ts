// expression-names: the names that an expression looks up in its scope (spec 1.4). JSONata reports no error for a
// misspelt name: it is "nothing", so `stauts != 200` is always true.
//   E1. Only names that are certainly looked up in the scope are reported: the first step of a path, outside of
//       predicates, sorts and later steps. Unknown syntax is skipped.

import { asJsonata } from "./expression.ts";

export interface RootName {
  name: string;
  /** Its part of JSONata's tree. */
  node: Ast;
  /** Offset in the expression's text. */
  start: number;
  /** `inputs[3]`: 3. */
  index?: number;
  /** `run.id`: "id". */
  member?: string;
  /** `count(…)`, which JSONata accepts and cannot call. */
  called?: true;
}

/** Names in text order; empty if JSONata cannot parse the expression. */
export async function rootNames(text: string): Promise<RootName[]> {
  const { default: jsonata } = await import("jsonata");
  try {
    return rootNamesIn(jsonata(asJsonata(text)).ast() as Ast, text);
  } catch {
    return [];
  }
}

export function rootNamesIn(ast: Ast, text: string): RootName[] {
  const names: RootName[] = [];
  visit(ast, text, names);
  return names;
}

/** The parts of JSONata's syntax tree that are read here. */
export interface Ast {
  type?: string;
  value?: unknown;
  position?: number;
  steps?: Ast[];
  stages?: { type?: string; expr?: Ast }[];
  predicate?: { type?: string; expr?: Ast }[];
  expressions?: Ast[];
  expression?: Ast;
  arguments?: Ast[];
  procedure?: Ast;
  condition?: Ast;
  then?: Ast;
  else?: Ast;
  body?: Ast;
  lhs?: Ast | Ast[][];
  rhs?: Ast;
}

function visit(node: Ast | undefined, text: string, names: RootName[]): void {
  if (node === undefined) return;
  const all = (nodes: (Ast | undefined)[] = []): void => {
    for (const each of nodes) visit(each, text, names);
  };
  switch (node.type) {
    case "path": {
      const [first, second] = node.steps ?? [];
      if (first?.type === "name" && second?.type === "name")
        names.push({ ...rootName(first, text), member: String(second.value) });
      else visit(first, text, names);
      break;
    }
    case "name":
      names.push(rootName(node, text));
      break;
    case "binary":
    case "apply":
      all([node.lhs as Ast, node.rhs]);
      break;
    case "bind":
      visit(node.rhs, text, names);
      break;
    case "unary":
      // A minus sign, an array or an object.
      all([node.expression, ...(node.expressions ?? []), ...(Array.isArray(node.lhs) ? node.lhs.flat() : [])]);
      break;
    case "function":
    case "partial": {
      const called = node.procedure?.type === "path" && node.procedure.steps?.length === 1;
      if (called) names.push({ ...rootName(node.procedure!.steps![0]!, text), called });
      all(node.arguments);
      break;
    }
    case "condition":
      all([node.condition, node.then, node.else]);
      break;
    case "block":
      all(node.expressions);
      break;
    case "lambda":
      visit(node.body, text, names);
      break;
    default:
  }
}

export interface MemberName {
  /** Its first two names: `run.inputs`. */
  names: [string, string];
  start: number;
}

/**
 * Paths of two names or more inside a predicate, a sort, or a later step. There, JSONata looks up the first name in the
 * item. Empty if JSONata cannot parse the expression.
 */
export async function namesInItems(text: string): Promise<MemberName[]> {
  const { default: jsonata } = await import("jsonata");
  const found: MemberName[] = [];
  const look = (part: unknown, inItem: boolean): void => {
    if (Array.isArray(part)) for (const each of part) look(each, inItem);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return;
    const { steps, stages, predicate, terms, ...rest } = part as Ast & { terms?: unknown };
    const [first, second] = steps ?? [];
    if (inItem && first?.type === "name" && second?.type === "name") {
      const names: [string, string] = [String(first.value), String(second.value)];
      found.push({ names, start: (first.position ?? 0) - names[0].length });
    }
    steps?.forEach((step, index) => {
      look(step, inItem || index > 0);
    });
    look([stages, predicate, terms], true);
    look(Object.values(rest), inItem);
  };
  try {
    look(jsonata(asJsonata(text)).ast(), false);
  } catch {
    return [];
  }
  return found;
}

function rootName(node: Ast, text: string): RootName {
  const name = String(node.value);
  const end = node.position ?? 0;
  const near = text.lastIndexOf(name, end);
  const first = (node.stages ?? node.predicate)?.[0]?.expr;
  const index = first?.type === "number" && typeof first.value === "number" ? first.value : undefined;
  return { name, node, start: Math.max(0, near), index };
}
