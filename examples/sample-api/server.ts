// server: the sample API as a whole, over HTTP and HTTPS, and its start and stop.
//   A1. It listens on 127.0.0.1 and nowhere else; there is no option for that.
//   A2. It answers only requests whose Host is this machine's own name, so that no web page can reach it by a trick of DNS.
//   A3. Every request that arrives is logged for tests, at most LOG_MAX of them, bodies up to BODY_LOGGED_MAX characters.
//   A4. After close() resolves, no socket and no timer of it is left.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { Refusal, readBody, refusalToResponse, withResolvers } from "./answer.ts";
import { beside } from "./beside.ts";
import { chat } from "./chat.ts";
import { collections, Tables } from "./collections.ts";
import { graphql } from "./graphql.ts";
import { Grants, metadata, oauth, originOf } from "./oauth.ts";
import { protection, Tokens } from "./protection.ts";
import { COLLECTIONS } from "./seed.ts";
import { Memory, trouble } from "./trouble.ts";
import { webhooks } from "./webhooks.ts";

const LOG_MAX = 10_000;
const BODY_LOGGED_MAX = 64 * 1024;

export interface SampleApiOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  httpsPort?: number;
}

export interface LoggedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  /** The status it was answered with. */
  status: number;
}

export interface SampleApi {
  /** As in `http://127.0.0.1:4790`, without a slash at the end. */
  url: string;
  httpsUrl: string;
  /** The certificate of the CA that signed the HTTPS certificate: `curl --cacert`. */
  caFile: string;
  /** Every request so far, in order of arrival. */
  requests: LoggedRequest[];
  /** Restores the first rows, removes all tokens and counters, and empties the log. */
  reset(): void;
  close(): Promise<void>;
}

export async function startSampleApi(options: SampleApiOptions = {}): Promise<SampleApi> {
  const requests: LoggedRequest[] = [];
  const state = { tables: new Tables(), tokens: new Tokens(), grants: new Grants(), memory: new Memory() };
  const reset = () => {
    for (const part of Object.values(state)) part.reset();
    requests.length = 0;
  };
  const listener = getRequestListener(application(state, requests, reset).fetch, { overrideGlobalObjects: false });
  const caFile = beside("tls/ca.pem");
  const plain = createServer(listener);
  const secure = createSecureServer(
    { key: readFileSync(beside("tls/server-test-only.key")), cert: readFileSync(beside("tls/server.pem")) },
    listener,
  );
  const close = async () => void (await Promise.all([stop(plain), stop(secure)]));
  try {
    const port = await listen(plain, options.port ?? 0);
    const httpsPort = await listen(secure, options.httpsPort ?? 0);
    const url = `http://127.0.0.1:${port}`;
    return { url, httpsUrl: `https://127.0.0.1:${httpsPort}`, caFile, requests, reset, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface State {
  tables: Tables;
  tokens: Tokens;
  grants: Grants;
  memory: Memory;
}

function application(state: State, requests: LoggedRequest[], reset: () => void): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    if (error instanceof Refusal) return refusalToResponse(c, error);
    return refusalToResponse(c, new Refusal(500, "internal", `The sample API has a bug: ${error.stack ?? error}`));
  });
  app.notFound((c) =>
    refusalToResponse(c, new Refusal(404, "no-such-path", `There is nothing at ${c.req.path}. See GET /.`)),
  );
  app.use(async (c, next) => {
    const host = (c.req.header("host") ?? "").replace(/:\d+$/, "");
    if (!["127.0.0.1", "localhost", "[::1]"].includes(host)) {
      throw new Refusal(400, "foreign-host", `This server answers to 127.0.0.1 and localhost, not to "${host}".`);
    }
    await next();
  });
  app.use(async (c, next) => {
    const { method, path } = c.req;
    const headers = Object.fromEntries(c.req.raw.headers);
    const body = (await readBody(c)).slice(0, BODY_LOGGED_MAX);
    const entry: LoggedRequest = { method, path, query: c.req.query(), headers, body, status: 0 };
    requests.push(entry);
    if (requests.length > LOG_MAX) requests.shift();
    await next();
    entry.status = c.res.status;
  });
  app.get("/", (c) => c.json({ name: "Curlew sample API", collections: Object.keys(COLLECTIONS), paths: PATHS }));
  app.post("/reset", (c) => {
    reset();
    return c.json({ reset: true });
  });
  app.route("/api", collections(state.tables));
  app.route("/graphql", graphql(state.tables));
  app.route("/protected", protection(state.tokens));
  app.route("/oauth", oauth(state.tokens, state.grants));
  app.get("/.well-known/oauth-authorization-server", (c) => c.json(metadata(originOf(c))));
  app.route("/webhooks", webhooks());
  app.route("/v1", chat());
  app.route("/", trouble(state.memory));
  return app;
}

/** The text of GET /, which docs/reference/sample-api.md explains. */
export const PATHS = [
  "GET POST /api/{collection}",
  "GET PUT PATCH DELETE /api/{collection}/{id}",
  "GET /api/search?q=&limit=",
  "GET /api/pages?page=&size=",
  "GET /api/cursor?cursor=&limit=",
  "POST /graphql",
  "GET /protected/api-key",
  "GET /protected/bearer",
  "GET /protected/basic",
  "GET /protected/oauth",
  "POST /oauth/token",
  "GET POST /oauth/device",
  "POST /oauth/device/answer",
  "GET /oauth/authorize",
  "POST /oauth/settings",
  "POST /oauth/revoke",
  "GET /oauth/counters",
  "GET /.well-known/oauth-authorization-server",
  "GET /limited?key=&limit=&window=",
  "* /flaky?key=&fail=&status=&retryAfter=",
  "GET /slow?ms=",
  "GET /slow/lines?lines=&every=",
  "GET /huge?bytes=",
  "GET /binary?bytes=",
  "* /status/{code}",
  "* /echo",
  "* /redirect?to=",
  "POST /webhooks/send",
  "GET /v1/models",
  "POST /v1/chat/completions",
  "POST /reset",
];

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = withResolvers<number>();
  server.once("error", reject);
  server.listen({ port, host: "127.0.0.1" }, () => {
    server.off("error", reject);
    resolve((server.address() as AddressInfo).port);
  });
  return promise;
}

function stop(server: Server): Promise<void> {
  const { promise, resolve } = withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}
