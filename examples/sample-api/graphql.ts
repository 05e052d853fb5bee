// graphql: POST /graphql with { "query", "variables"? } over the same items and users as the collections.
// A document that cannot be parsed and variables of the wrong type get 400. Every other error gets 200 with `errors`, as GraphQL over HTTP
// describes it for application/json.

import { buildSchema, execute, GraphQLError, parse, validate } from "graphql";
import { type Context, Hono } from "hono";
import { jsonObject, Refusal } from "./answer.ts";
import type { Tables } from "./collections.ts";
import type { Row } from "./seed.ts";

const SCHEMA = buildSchema(`
  type Query {
    items(status: String, limit: Int): [Item!]!
    item(id: ID!): Item
    users: [User!]!
    user(id: ID!): User
  }
  type Mutation { createItem(title: String!, priority: String): Item }
  type Item { id: Int! title: String status: String priority: String assignee: User }
  type User { id: Int! name: String items: [Item!]! }
`);
const TOKENS_MAX = 10_000;

export function graphql(tables: Tables): Hono {
  return new Hono().post("/", async (c) => {
    const body = jsonObject(c);
    if (typeof body.query !== "string" || body.query.trim() === "") {
      return refuse(c, new GraphQLError('The body needs a "query", a string that is not empty.'));
    }
    const variables = body.variables ?? {};
    if (typeof variables !== "object" || Array.isArray(variables)) {
      return refuse(c, new GraphQLError('"variables" must be a JSON object; a string of JSON is not one.'));
    }
    return answer(c, tables, body.query, variables as Record<string, unknown>);
  });
}

async function answer(c: Context, tables: Tables, query: string, variableValues: object): Promise<Response> {
  let document: ReturnType<typeof parse>;
  try {
    document = parse(query, { maxTokens: TOKENS_MAX });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refuse(c, error);
  }
  const errors = validate(SCHEMA, document);
  if (errors.length > 0) return c.json({ errors });
  const result = await execute({
    schema: SCHEMA,
    document,
    rootValue: rootOf(tables),
    variableValues: variableValues as Record<string, unknown>,
  });
  return c.json(result, result.data === undefined ? 400 : 200);
}

function refuse(c: Context, error: GraphQLError): Response {
  return c.json({ errors: [error] }, 400);
}

/** Resolvers of the root fields. Nested fields are resolved by the objects that they return. */
function rootOf(tables: Tables): object {
  const itemOf = (row: Row | undefined): object | null =>
    row === undefined ? null : { ...row, assignee: () => userOf(tables.find("users", Number(row.assignee))) };
  const userOf = (row: Row | undefined): object | null =>
    row === undefined
      ? null
      : {
          ...row,
          items: () =>
            tables
              .rows("items")
              .filter((item) => item.assignee === row.id)
              .map(itemOf),
        };
  return {
    items: ({ status, limit }: { status?: string; limit?: number }) => {
      const rows = tables.rows("items").filter((row) => (status ?? row.status) === row.status);
      return rows.slice(0, limit === undefined ? undefined : Math.max(0, limit)).map(itemOf);
    },
    item: ({ id }: { id: string }) => itemOf(tables.find("items", Number(id))),
    users: () => tables.rows("users").map(userOf),
    user: ({ id }: { id: string }) => userOf(tables.find("users", Number(id))),
    createItem: ({ title, priority }: { title: string; priority?: string }) => {
      if (title.trim() === "") throw new Refusal(400, "missing-argument", 'The argument "title" must not be empty.');
      return itemOf(tables.add("items", { title, ...(priority ? { priority } : {}) }));
    },
  };
}
