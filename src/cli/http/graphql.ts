// graphql: builds the body of a GraphQL request and reports errors in a response with status 200 (spec 3.6).
//   G1. Variables are JSON from standard input or --variables, never part of the query's text.
//   G2. `errors` in a response are a failure (113). The body is printed as well.

import { type Body, bytesBody, readWhole, type Stdin } from "./body.ts";
import type { HttpOptions } from "./options.ts";
import { at } from "./pages.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface GraphqlRequest {
  query: string;
  variables?: Record<string, unknown>;
}

export async function graphqlRequest(options: HttpOptions, stdin: Stdin): Promise<GraphqlRequest> {
  const { graphql, variables, data, json, form } = options;
  if (options.method !== "POST")
    throw usage("bad-method", "GraphQL is sent by POST.", "curlew http POST URL --graphql 'query { … }'");
  if ([data, json, form].some((one) => one !== undefined))
    throw usage("conflicting-options", "--graphql makes the body.", "Give variables by stdin or --variables.");
  const given = variables === undefined ? undefined : objectOf(await textOf(variables, stdin), "--variables");
  if (typeof graphql === "string") {
    const query = await textOf(graphql, stdin);
    const text = given === undefined && graphql !== "@-" && stdin.isGiven() ? await stdin.text() : "";
    return { query, variables: text.trim() === "" ? given : objectOf(text, "Standard input") };
  }
  const whole = objectOf(await stdin.text(), "Standard input");
  if (typeof whole.query !== "string" || whole.query.trim() === "")
    throw usage(
      "bad-graphql",
      "Standard input has no query.",
      '--graphql without a query reads { "query": …, "variables": … } from stdin.',
    );
  return { ...(whole as unknown as GraphqlRequest), ...(given && { variables: given }) };
}

async function textOf(word: string, stdin: Stdin): Promise<string> {
  if (word === "@-") return stdin.text();
  return word.startsWith("@") ? readWhole(word.slice(1)).toString("utf8") : word;
}

function objectOf(text: string, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw usage("bad-graphql", `${what} must be a JSON object.`, '{ "id": 1 }');
}

/** `cursor` becomes a variable of that name. */
export function graphqlBody(request: GraphqlRequest, cursor?: { name: string; value: string | number }): Body {
  const variables = cursor === undefined ? request.variables : { ...request.variables, [cursor.name]: cursor.value };
  return bytesBody(Buffer.from(JSON.stringify({ ...request, variables })), "application/json");
}

export function graphqlProblem(bytes: Buffer): HttpProblem | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    // Not JSON, so it has neither data nor errors.
  }
  const errors = at(value, ["errors"]);
  if (Array.isArray(errors) && errors.length > 0) {
    const message = at(errors[0], ["message"]);
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    return new HttpProblem(
      HttpExit.GRAPHQL,
      "graphql-errors",
      `GraphQL: ${typeof message === "string" ? message.slice(0, 500) : "an error without a message"}${more}`,
      "The whole answer was printed. Check the query and its variables.",
    );
  }
  if (at(value, ["data"]) !== undefined) return undefined;
  return new HttpProblem(
    HttpExit.GRAPHQL,
    "graphql-answer",
    "The answer is not a GraphQL answer: it has neither data nor errors.",
    "Check that the URL leads to the GraphQL endpoint.",
  );
}
