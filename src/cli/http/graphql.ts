// graphql: builds the body of a GraphQL request and reports errors in a response with status 200 (spec 3.6).
//   G1. Variables are JSON from standard input, never part of the query's text.
//   G2. `errors` in a response are a failure (113). The body is printed as well.

import { parseJson, parseJsonObject } from "../../base/tolerant.ts";
import { type Body, bytesOf, type Stdin } from "./body.ts";
import type { HttpOptions } from "./options.ts";
import { at } from "./pages.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface GraphqlRequest {
  query: string;
  variables?: object;
}

export async function graphqlRequest(options: HttpOptions, stdin: Stdin): Promise<GraphqlRequest | undefined> {
  const { graphql, data, json, method } = options;
  if (graphql === undefined) return undefined;
  if (method !== "POST")
    throw usage("bad-method", "GraphQL is sent by POST.", "curlew http POST URL --graphql 'query { … }'");
  if (data !== undefined || json !== undefined)
    throw usage("conflicting-options", "--graphql makes the body.", "Pass the variables on stdin.");
  const query = (await bytesOf(graphql, stdin)).toString("utf8");
  const text = graphql !== "@-" && stdin.isGiven() ? (await stdin.content()).toString("utf8") : "";
  return { query, variables: text.trim() === "" ? undefined : variablesOf(text) };
}

function variablesOf(text: string): object {
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw usage("bad-graphql", "Standard input must be a JSON object with the variables.", '{ "id": 1 }');
}

/** `cursor` becomes a variable of that name. */
export function graphqlBody(request: GraphqlRequest, cursor?: { name: string; value: string | number }): Body {
  const variables = cursor === undefined ? request.variables : { ...request.variables, [cursor.name]: cursor.value };
  return { content: Buffer.from(JSON.stringify({ ...request, variables })), type: "application/json" };
}

/** G2. Throws `HttpProblem`. */
export function checkGraphql(bytes: Buffer): void {
  const value = parseJson(bytes.toString("utf8"));
  const errors = at(value, ["errors"]);
  if (Array.isArray(errors) && errors.length > 0) {
    const message = at(errors[0], ["message"]);
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    throw new HttpProblem(
      HttpExit.GRAPHQL,
      "graphql-errors",
      `GraphQL: ${typeof message === "string" ? message.slice(0, 500) : "an error without a message"}${more}`,
      "The whole response was printed. Check the query and its variables.",
    );
  }
  if (at(value, ["data"]) !== undefined) return;
  throw new HttpProblem(
    HttpExit.GRAPHQL,
    "graphql-answer",
    "The response is not a GraphQL response: it has neither data nor errors.",
    "Check that the URL leads to the GraphQL endpoint.",
  );
}
