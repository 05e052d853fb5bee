// graphql: the body of a GraphQL request, and the errors that an answer with status 200 carries (spec 3.6).
//   Q1. Variables are JSON, from standard input or --variables: never part of the query's text.
//   Q2. `errors` in an answer are a failure (113); its body is printed all the same.

import { type Body, bytesBody, readWhole, type Stdin } from "./body.ts";
import type { HttpOptions } from "./options.ts";
import { at } from "./pages.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface GraphqlRequest {
  query: string;
  variables?: Record<string, unknown>;
}

/** Of the options: the query on the command line and variables from stdin, or all of it from stdin. Exit code 2 for what is no request. */
export async function graphqlRequest(options: HttpOptions, stdin: Stdin): Promise<GraphqlRequest> {
  if (options.method !== "POST")
    throw usage("bad-method", "GraphQL is sent by POST.", "curlew http POST URL --graphql 'query { … }'");
  if (options.data !== undefined || options.json !== undefined || options.form !== undefined)
    throw usage(
      "conflicting-options",
      "--graphql makes the body itself.",
      "The variables come from stdin, or --variables.",
    );
  const { graphql } = options;
  if (graphql === true || graphql === undefined) return wholeRequest(options, stdin);
  const query = graphql.startsWith("@") ? await textOf(graphql, stdin) : graphql;
  const fromStdin = options.variables === undefined && graphql !== "@-" && stdin.isGiven();
  const text =
    options.variables !== undefined
      ? await textOf(options.variables, stdin)
      : fromStdin
        ? await stdin.text("Standard input")
        : "";
  if (text.trim() === "") return { query };
  return { query, variables: objectOf(text, "The variables are") };
}

async function wholeRequest(options: HttpOptions, stdin: Stdin): Promise<GraphqlRequest> {
  const given = objectOf(await stdin.text("Standard input"), "Standard input is");
  if (typeof given.query !== "string" || given.query.trim() === "")
    throw usage(
      "bad-graphql",
      "Standard input holds no query.",
      '--graphql without a query reads { "query": …, "variables": … } from stdin.',
    );
  if (options.variables !== undefined)
    return {
      ...given,
      query: given.query,
      variables: objectOf(await textOf(options.variables, stdin), "The variables are"),
    };
  return given as unknown as GraphqlRequest;
}

async function textOf(word: string, stdin: Stdin): Promise<string> {
  if (word === "@-") return stdin.text("Standard input");
  return word.startsWith("@") ? readWhole(word.slice(1)).toString("utf8") : word;
}

function objectOf(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage("bad-graphql", `${what} no JSON.`, '{ "id": 1 }');
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw usage("bad-graphql", `${what} no JSON object.`, '{ "id": 1 }');
}

/** `cursor` becomes a variable of that name. */
export function graphqlBody(request: GraphqlRequest, cursor?: { name: string; value: string | number }): Body {
  const variables = cursor === undefined ? request.variables : { ...request.variables, [cursor.name]: cursor.value };
  const whole = variables === undefined ? request : { ...request, variables };
  return bytesBody(Buffer.from(JSON.stringify(whole)), "application/json");
}

/** Q2. Undefined: there are none. */
export function graphqlProblem(bytes: Buffer): HttpProblem | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return new HttpProblem(
      HttpExit.GRAPHQL,
      "graphql-answer",
      "The answer is no JSON, so it is no answer of GraphQL.",
      "Check that the URL leads to the GraphQL endpoint.",
    );
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
    "The answer holds neither data nor errors, so it is no answer of GraphQL.",
    "Check that the URL leads to the GraphQL endpoint.",
  );
}
