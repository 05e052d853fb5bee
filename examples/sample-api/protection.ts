// protection: the four schemes of the mission's section 5, each guarding one path.
//   GET  /protected/api-key   X-API-Key: sample-api-key
//   GET  /protected/bearer    Authorization: Bearer sample-access-token, or a token that /oauth/token gave
//   GET  /protected/basic     Authorization: Basic of ada.lovelace:sample-password
//   GET  /protected/oauth     Authorization: Bearer, only a token that /oauth/token gave and that has not expired

import { randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { Refusal } from "./answer.ts";
import { same } from "./oauth.ts";
import { CREDENTIALS } from "./seed.ts";

const TOKENS_MAX = 1_000;

/** Issued tokens, with the time they end. The oldest are dropped if there are too many. */
export class Tokens {
  readonly #expiresAt = new Map<string, number>();

  issue(now: number, seconds: number): string {
    const token = `sample-${randomBytes(24).toString("base64url")}`;
    this.#expiresAt.set(token, now + seconds * 1000);
    const oldest = this.#expiresAt.keys().next();
    if (this.#expiresAt.size > TOKENS_MAX && oldest.value !== undefined) this.#expiresAt.delete(oldest.value);
    return token;
  }

  state(token: string, now: number): "valid" | "expired" | "unknown" {
    const end = this.#expiresAt.get(token);
    if (end === undefined) return "unknown";
    return end > now ? "valid" : "expired";
  }

  /** Revokes all. A client that asks again gets another. */
  revokeAll(): void {
    this.#expiresAt.clear();
  }

  reset(): void {
    this.#expiresAt.clear();
  }
}

export function protection(tokens: Tokens): Hono {
  const app = new Hono();
  app.get("/api-key", (c) => {
    const key = c.req.header("x-api-key");
    if (key === undefined) throw unauthorized("api-key", 'Send your key in the header "X-API-Key".');
    if (!same(key, CREDENTIALS.apiKey)) throw unauthorized("api-key", "That API key is not valid.");
    return c.json(welcome("api-key"));
  });
  app.get("/basic", (c) => {
    if (!same(basicOf(c), `${CREDENTIALS.username}:${CREDENTIALS.password}`)) {
      throw unauthorized("basic", "That user name and password do not match.");
    }
    return c.json(welcome("basic"));
  });
  app.get("/bearer", (c) => {
    const token = bearerOf(c);
    if (!same(token, CREDENTIALS.accessToken)) checkIssued(tokens, token);
    return c.json(welcome("bearer"));
  });
  app.get("/oauth", (c) => {
    checkIssued(tokens, bearerOf(c));
    return c.json(welcome("oauth"));
  });
  return app;
}

function welcome(scheme: string): Record<string, unknown> {
  return { message: `Welcome. You came in by ${scheme}.`, scheme };
}

function bearerOf(c: Context): string {
  const match = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "");
  if (match) return match[1]!;
  throw unauthorized("bearer", 'Send your token in the header "Authorization: Bearer TOKEN".');
}

function basicOf(c: Context): string {
  const match = /^Basic +(\S+)$/i.exec(c.req.header("authorization") ?? "");
  if (match) return Buffer.from(match[1]!, "base64").toString("utf8");
  throw unauthorized("basic", 'Send user name and password as basic authentication (curl --user "name:password").');
}

function checkIssued(tokens: Tokens, token: string): void {
  const state = tokens.state(token, Date.now());
  if (state === "valid") return;
  const message =
    state === "expired" ? "That token has expired. Ask /oauth/token for a new one." : "That token is not valid.";
  throw unauthorized("bearer", message, ', error="invalid_token"');
}

const CHALLENGES = { "api-key": "ApiKey", basic: "Basic", bearer: "Bearer" };

function unauthorized(scheme: keyof typeof CHALLENGES, message: string, more = ""): Refusal {
  return new Refusal(401, "unauthorized", message, {
    "WWW-Authenticate": `${CHALLENGES[scheme]} realm="sample-api"${more}`,
  });
}
