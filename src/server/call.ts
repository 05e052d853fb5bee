// call: what a handler of a route is given, and the type of the table that they all stand in.
//   K1. When a handler is called the request was let in: host, origin, token and right are checked, the body is read, bounded and parsed.
//   K2. A handler checks the shape of what it takes, and nothing else of security but paths (S12).

import type { ParamsOf, RouteKey } from "../api/routes.ts";
import type { ServerContext } from "./context.ts";
import type { Caller } from "./security/sessions.ts";

export interface Call<Param extends string = string> {
  request: Request;
  /** Decoded: `{path}` may hold slashes. */
  params: Readonly<Record<Param, string>>;
  query: URLSearchParams;
  /** The parsed body; undefined where there was none. */
  body: unknown;
  caller: Caller;
  /** Of whoever asked, as the system knows it. */
  address?: string;
  /** Whoever asked has gone, or the session is over, or the server closes: a stream ends then. */
  signal: AbortSignal;
}

export type Handler<Param extends string = string> = (
  call: Call<Param>,
  context: ServerContext,
) => Response | Promise<Response>;

export type Handlers = {
  [Key in RouteKey]: Handler<ParamsOf<Key>>;
};

/** 200 with JSON, or another status. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

export function noContent(): Response {
  return new Response(null, { status: 204 });
}
