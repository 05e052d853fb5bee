// expression-names: the names that an expression looks up (spec 1.4). JSONata reports no error for a misspelt name: it
// is "nothing", so `stauts != 200` is always true.
//   E1. A name is looked up in the scope if it is the first step of a path. Inside a predicate, a sort, a grouping, or a
//       later step, JSONata looks it up in the item.

import { asJsonata } from "./expression.ts";

export interface UsedName {
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
  inItem: boolean;
}

/** Names in text order; empty if JSONata cannot parse the expression. */
export async function usedNames(text: string): Promise<UsedName[]> {
  const { default: jsonata } = await import("jsonata");
  try {
    return usedNamesIn(jsonata(asJsonata(text)).ast() as Ast, text);
  } catch {
    return [];
  }
}

/** The parts of JSONata's syntax tree that are read here. */
export interface Ast {
  type?: string;
  value?: unknown;
  position?: number;
  steps?: Ast[];
  stages?: { type?: string; expr?: Ast }[];
  predicate?: { type?: string; expr?: Ast }[];
  procedure?: Ast;
}

export function usedNamesIn(ast: Ast, text: string): UsedName[] {
  const names: UsedName[] = [];
  const look = (part: unknown, inItem: boolean): void => {
    if (typeof part !== "object" || part === null) return;
    if (Array.isArray(part)) {
      for (const each of part) look(each, inItem);
      return;
    }
    const { type, steps = [], procedure, ...rest } = part as Ast;
    const [first, second] = steps;
    if (first?.type === "name") {
      const member = second?.type === "name" ? String(second.value) : undefined;
      names.push({ ...usedName(first, text), member, inItem });
    }
    const [called] = procedure?.steps?.length === 1 ? (procedure.steps ?? []) : [];
    if (called === undefined) look(procedure, inItem);
    else names.push({ ...usedName(called, text), called: true, inItem });
    for (const [at, step] of steps.entries()) look(step, inItem || at > 0);
    for (const [key, value] of Object.entries(rest)) look(value, inItem || type === "transform" || OF_ITEM.has(key));
  };
  look(ast, false);
  return names;
}

const OF_ITEM = new Set(["stages", "predicate", "terms", "group"]);

function usedName(node: Ast, text: string): Pick<UsedName, "name" | "node" | "start" | "index"> {
  const name = String(node.value);
  const first = (node.stages ?? node.predicate)?.[0]?.expr;
  const index = first?.type === "number" && typeof first.value === "number" ? first.value : undefined;
  return { name, node, start: Math.max(0, text.lastIndexOf(name, node.position ?? 0)), index };
}
