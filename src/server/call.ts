// The input of a route handler, and the type of the table of handlers.
//   K1. A handler runs only after host, origin, token, and right were checked and the body was read, bounded, parsed,
//       and compared with its schema. Its only security check is that of paths (S12).

import type { BodyOf } from "../api/openapi/answers.ts";
import type { ParamsOf, RouteKey } from "../api/routes.ts";
import type { ServerContext } from "./context.ts";
import type { Caller } from "./security/sessions.ts";

export interface Call<Param extends string = string, Body = unknown> {
  request: Request;
  /** Decoded. `{path}` may contain slashes. */
  params: Readonly<Record<Param, string>>;
  query: URLSearchParams;
  /** In the shape that the OpenAPI document describes. */
  body: Body;
  caller: Caller;
  /** The caller's IP address, as reported by the system. */
  address?: string;
  /** Aborted when the caller disconnects, the session ends, or the server closes. Streams end then. */
  signal: AbortSignal;
}

export type Handler<Param extends string = string, Body = unknown> = (
  call: Call<Param, Body>,
  context: ServerContext,
) => Response | Promise<Response>;

export type Handlers = {
  [Key in RouteKey]: Handler<ParamsOf<Key>, BodyOf<Key>>;
};

/** A JSON response. The status is 200 unless given. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

export function noContent(): Response {
  return new Response(null, { status: 204 });
}
