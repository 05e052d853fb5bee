// Routes a request that passed the gate to the API or to a page: token, right, body, then handler (spec 2.4, 4.3).
//   A1. Below /api every route needs a token, except the one whose right is `none`. Without a token,
//       unknown paths look like known ones.
//   A2. The routes are exactly those of src/api/routes.ts. HEAD, OPTIONS, and unknown methods are rejected there.
//   A3. If a handler throws, the response is 500 without details. The cause is in the log.
//   A4. A URL that cannot be decoded (`a%zz`, `%ff`) is rejected as invalid, not looked up.
// There is no CORS, no cookie, and no WebSocket.

import { Hono } from "hono";
import en from "zod/v4/locales/en.js";
import { WORDS } from "../api/openapi/answers.ts";
import { API_PREFIX, ROUTES, type Route, type RouteKey } from "../api/routes.ts";
import { SCHEMAS } from "../api/schemas/index.ts";
import type { Handler, Handlers } from "./call.ts";
import type { ServerContext } from "./context.ts";
import { failureProblem, problem, Refused } from "./problem.ts";
import { readBody } from "./security/body.ts";
import { secureHeaders, withHeaders } from "./security/headers.ts";
import type { Caller } from "./security/sessions.ts";
import type { Pages } from "./static.ts";

export interface AppOptions {
  context: ServerContext;
  handlers: Handlers;
  pages: Pages;
  /** The documentation site. */
  docs: Pages;
  tls: boolean;
}

interface Env {
  Variables: { route: RouteKey | undefined };
}

export function createApp({ context, handlers, pages, docs, tls }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const common = secureHeaders(tls);
  app.use(async (c, next) => {
    const from = performance.now();
    await next();
    c.res = withHeaders(c.res, common);
    const route = c.get("route");
    context.log.debug({ method: c.req.method, route: route ?? "-", status: c.res.status, ms: since(from) }, "request");
  });
  app.onError((reason) => answerTo(reason, context));
  for (const route of ROUTES) {
    const key = route.key;
    const handler = handlers[key] as Handler;
    app.on(route.method, API_PREFIX + route.path.replaceAll(/\{(\w+)\}/g, ":$1"), async (c) => {
      c.set("route", key);
      // Hono answers HEAD with the handler for GET.
      if (c.req.raw.method !== route.method) return otherwise(c.req.raw, context);
      const caller = route.right === "none" ? NOBODY : callerOf(c.req.raw, route, context);
      if (caller instanceof Response) return caller;
      refuseUndecodable(c.req.raw);
      const body = checkedBody(key, await readBody(c.req.raw, key === "PUT /workflows/{path}"));
      const call = {
        request: c.req.raw,
        params: c.req.param() as Record<string, string>,
        query: new URL(c.req.url).searchParams,
        body,
        caller,
        ...addressOf(c.env),
        signal: AbortSignal.any([c.req.raw.signal, context.closing, ...(caller.over ? [caller.over] : [])]),
      };
      return handler(call, context);
    });
  }
  app.all("/api/*", (c) => otherwise(c.req.raw, context));
  app.all("/api", (c) => otherwise(c.req.raw, context));
  app.all("/docs", (c) => docs.answer(c.req.raw));
  app.all("/docs/*", (c) => docs.answer(c.req.raw));
  app.all("*", (c) => pages.answer(c.req.raw));
  return app;
}

/** `environment`: what the listener passes along with a request. */
function addressOf(environment: unknown): { address?: string } {
  const { incoming } = (environment ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  const address = incoming?.socket?.remoteAddress;
  return address === undefined ? {} : { address };
}

const NOBODY: Caller = { rights: [] };

/** A1. */
function callerOf(
  request: Request,
  route: Pick<Route, "right"> | undefined,
  context: ServerContext,
): Caller | Response {
  const given = request.headers.get("authorization");
  const [, token] = /^Bearer ([\w-]{20,100})$/i.exec(given ?? "") ?? [];
  const challenge = { "www-authenticate": "Bearer" };
  if (given === null) return problem("no-token", {}, challenge);
  const caller = token === undefined ? undefined : context.sessions.callerOf(token);
  if (caller === undefined) return problem("wrong-token", {}, challenge);
  if (route === undefined || route.right === "none" || caller.rights.includes(route.right)) return caller;
  return problem("right-missing", { detail: `It needs the right "${route.right}".` });
}

/** A2. Checks the token, then rejects a path or method that is not a route. */
function otherwise(request: Request, context: ServerContext): Response {
  const caller = callerOf(request, undefined, context);
  if (caller instanceof Response) return caller;
  refuseUndecodable(request);
  const { pathname } = new URL(request.url);
  const allowed = ROUTES.filter((route) => patternOf(route).test(pathname)).map((route) => route.method);
  if (allowed.length === 0) return problem("unknown-route");
  return problem("method-not-allowed", {}, { allow: allowed.join(", ") });
}

/** A4. */
function refuseUndecodable({ url }: Request): void {
  try {
    decodeURIComponent(new URL(url).pathname);
  } catch {
    throw new Refused("bad-request", { detail: "The URL has an invalid percent-encoding." });
  }
}

function patternOf(route: Route): RegExp {
  return new RegExp(`^${(API_PREFIX + route.path).replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function answerTo(reason: unknown, context: ServerContext): Response {
  if (reason instanceof Refused) return reason.response;
  if (reason instanceof Error && reason.name === "StoreFault" && "code" in reason)
    return failureProblem({ code: String(reason.code), message: reason.message }, 503);
  context.log.error({ err: reason }, "a request failed");
  return problem("internal");
}

function since(from: number): number {
  return Math.round((performance.now() - from) * 10) / 10;
}

const inEnglish = { error: en().localeError };

/** The body, `{}` for one that may be left out. Throws Refused. */
function checkedBody(key: RouteKey, body: unknown): unknown {
  const { takes, takesMaybe } = WORDS[key];
  if (takes === undefined) return body;
  const given = body === undefined && takesMaybe === true ? {} : body;
  const read = SCHEMAS[takes].safeParse(given, inEnglish);
  if (read.success) return given;
  const [{ path, message }] = read.error.issues as [(typeof read.error.issues)[number]];
  const at = path.length === 0 ? "" : `"${path.join(".")}": `;
  throw new Refused("bad-body", { detail: `${at}${message}. GET /api/v1/openapi.json describes it as ${takes}.` });
}
