// graphql: POST /graphql with { "query", "variables"? } over the same items and users as the collections.
//   type Query    { items(status: String, limit: Int): [Item]  item(id: ID!): Item  users: [User]  user(id: ID!): User }
//   type Mutation { createItem(title: String!, priority: String): Item }
//   type Item     { id title status priority assignee: User }      type User { id name items: [Item] }
// Answers as GraphQL over HTTP asks for: 400 for what cannot be read, 200 with `errors` for what cannot be answered.

import { type Context, Hono } from "hono";
import { jsonObject, Refusal } from "./answer.ts";
import type { Tables } from "./collections.ts";
import { type Field, GraphqlSyntaxError, type Operation, parseGraphql, type Value } from "./graphql-syntax.ts";
import type { Row } from "./seed.ts";

interface GraphqlError {
  message: string;
  path?: string[];
  locations?: { line: number; column: number }[];
}
type Resolver = (parent: Row, args: Record<string, unknown>, tables: Tables) => unknown;
interface ObjectType {
  name: string;
  /** Each field, what it takes, how it is found, and the type of what comes out when that is an object or a list of them. */
  fields: Record<string, { args?: string[]; resolve: Resolver; type?: "Item" | "User" }>;
}

const plain = (name: string) => ({ resolve: (row: Row) => row[name] ?? null });
const TYPES: Record<"Query" | "Mutation" | "Item" | "User", ObjectType> = {
  Query: {
    name: "Query",
    fields: {
      items: { args: ["status", "limit"], type: "Item", resolve: (_, args, tables) => listItems(args, tables) },
      item: { args: ["id"], type: "Item", resolve: (_, args, tables) => tables.find("items", idOf(args)) ?? null },
      users: { type: "User", resolve: (_, _args, tables) => tables.rows("users") },
      user: { args: ["id"], type: "User", resolve: (_, args, tables) => tables.find("users", idOf(args)) ?? null },
    },
  },
  Mutation: {
    name: "Mutation",
    fields: {
      createItem: { args: ["title", "priority"], type: "Item", resolve: (_, args, tables) => createItem(args, tables) },
    },
  },
  Item: {
    name: "Item",
    fields: {
      id: plain("id"),
      title: plain("title"),
      status: plain("status"),
      priority: plain("priority"),
      assignee: { type: "User", resolve: (row, _, tables) => tables.find("users", Number(row.assignee)) ?? null },
    },
  },
  User: {
    name: "User",
    fields: {
      id: plain("id"),
      name: plain("name"),
      items: { type: "Item", resolve: (row, _, tables) => tables.rows("items").filter((i) => i.assignee === row.id) },
    },
  },
};

export function graphql(tables: Tables): Hono {
  return new Hono().post("/", (c) => {
    const body = jsonObject(c);
    if (typeof body.query !== "string" || body.query.trim() === "") {
      return refuse(c, 'The body needs a "query", a string that is not empty.');
    }
    const variables = body.variables ?? {};
    if (typeof variables !== "object" || Array.isArray(variables)) {
      return refuse(c, '"variables" must be a JSON object; a string of JSON is not one.');
    }
    return answer(c, tables, body.query, variables as Record<string, unknown>);
  });
}

function answer(c: Context, tables: Tables, query: string, given: Record<string, unknown>): Response {
  let operation: Operation;
  try {
    operation = parseGraphql(query);
  } catch (error) {
    if (!(error instanceof GraphqlSyntaxError)) throw error;
    return c.json(
      { errors: [{ message: error.message, locations: [{ line: error.line, column: error.column }] }] },
      400,
    );
  }
  const errors: GraphqlError[] = [];
  const variables = variablesOf(operation, given, errors);
  if (errors.length > 0) return c.json({ errors }, 400);
  const root = operation.kind === "query" ? "Query" : "Mutation";
  const data = select(TYPES[root], { id: 0 }, operation.selection, { tables, variables, errors, path: [] });
  return c.json(errors.length > 0 ? { data, errors } : { data });
}

function refuse(c: Context, message: string): Response {
  return c.json({ errors: [{ message }] }, 400);
}

function variablesOf(
  operation: Operation,
  given: Record<string, unknown>,
  errors: GraphqlError[],
): Map<string, unknown> {
  const variables = new Map<string, unknown>();
  for (const { name, type, fallback } of operation.variables) {
    const value = Object.hasOwn(given, name) ? given[name] : fallback && constant(fallback, variables);
    if (value !== undefined && value !== null) checkType(name, type, value, errors);
    else if (type.endsWith("!")) errors.push({ message: `Variable "$${name}" of type ${type} was not given.` });
    variables.set(name, value ?? null);
  }
  return variables;
}

function checkType(name: string, type: string, value: unknown, errors: GraphqlError[]): void {
  const right: Record<string, boolean> = {
    Int: Number.isInteger(value),
    Float: typeof value === "number",
    String: typeof value === "string",
    Boolean: typeof value === "boolean",
    ID: typeof value === "string" || Number.isInteger(value),
  };
  if (right[type.replace("!", "")] === false) {
    errors.push({ message: `Variable "$${name}" must be ${type}; it was ${JSON.stringify(value)}.` });
  }
}

interface Work {
  tables: Tables;
  variables: Map<string, unknown>;
  errors: GraphqlError[];
  path: string[];
}

function select(type: ObjectType, parent: Row, selection: Field[], work: Work): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of selection) {
    const path = [...work.path, field.alias];
    try {
      out[field.alias] = resolveField(type, parent, field, { ...work, path });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      work.errors.push({ message: error.message, path });
      out[field.alias] = null;
    }
  }
  return out;
}

function resolveField(type: ObjectType, parent: Row, field: Field, work: Work): unknown {
  if (field.name === "__typename") return type.name;
  const known = Object.hasOwn(type.fields, field.name) ? type.fields[field.name] : undefined;
  if (known === undefined) {
    const names = Object.keys(type.fields).join(", ");
    throw new Refusal(400, "no-such-field", `${type.name} has no field "${field.name}". It has: ${names}.`);
  }
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(field.args)) {
    if (!known.args?.includes(name)) {
      throw new Refusal(400, "no-such-argument", `${type.name}.${field.name} takes no argument "${name}".`);
    }
    args[name] = constant(value, work.variables);
  }
  const found = known.resolve(parent, args, work.tables);
  if (known.type === undefined || found === null) return found;
  if (field.selection === undefined) {
    throw new Refusal(400, "no-selection", `Say which fields of ${field.name} you want: ${field.name} { id }.`);
  }
  const inner = TYPES[known.type];
  const chosen = field.selection;
  return Array.isArray(found)
    ? found.map((row: Row) => select(inner, row, chosen, work))
    : select(inner, found as Row, chosen, work);
}

function constant(value: Value, variables: Map<string, unknown>): unknown {
  switch (value.kind) {
    case "constant":
      return value.value;
    case "list":
      return value.values.map((one) => constant(one, variables));
    case "object":
      return Object.fromEntries(Object.entries(value.members).map(([key, one]) => [key, constant(one, variables)]));
    case "variable": {
      if (variables.has(value.name)) return variables.get(value.name);
      throw new Refusal(400, "no-such-variable", `The operation does not declare the variable "$${value.name}".`);
    }
  }
}

function idOf(args: Record<string, unknown>): number {
  if (args.id === undefined || args.id === null)
    throw new Refusal(400, "missing-argument", 'The argument "id" is needed.');
  return Number(args.id);
}

function listItems(args: Record<string, unknown>, tables: Tables): Row[] {
  const rows = tables.rows("items").filter((row) => (args.status ?? row.status) === row.status);
  return typeof args.limit === "number" ? rows.slice(0, Math.max(0, args.limit)) : rows;
}

function createItem(args: Record<string, unknown>, tables: Tables): Row {
  if (typeof args.title !== "string" || args.title.trim() === "") {
    throw new Refusal(400, "missing-argument", 'The argument "title" is needed, a string that is not empty.');
  }
  return tables.add("items", { title: args.title, ...(args.priority ? { priority: args.priority } : {}) });
}
