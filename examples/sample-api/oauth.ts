// oauth: the authorization server of the sample API: the four grants that Curlew uses, and what makes them hard in practice.
//   POST /oauth/token            client_credentials, refresh_token, authorization_code, device_code, as JSON or as a form.
//   POST /oauth/device           starts a device login. GET shows it, POST /oauth/device/answer decides it as a user would.
//   GET  /oauth/authorize        a page with "Allow"; &decision=allow|deny decides at once.
//   POST /oauth/settings         { lifetime, rotation, delayMs, error, status, garbage, silent } for the token endpoint from now on.
//   POST /oauth/revoke           revokes all access tokens, and no refresh token.
//   GET  /oauth/counters         how often each grant was requested and rejected, and the most at the same time.
//   GET  /.well-known/oauth-authorization-server
//   O1. A refresh token works once while `rotation` is on. Using it again revokes everything that was issued for it (RFC 9700).
//   O2. Two clients: sample-client with a secret, sample-public-client without. A code needs its PKCE verifier.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { jsonObject } from "./answer.ts";
import type { Tokens } from "./protection.ts";
import { CREDENTIALS } from "./seed.ts";

const GRANTS_MAX = 1_000;
const CODE_MS = 60_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

interface Settings {
  /** Seconds that a token is good for. */
  lifetime: number;
  rotation: boolean;
  delayMs: number;
  /** The token endpoint answers with this error of RFC 6749, or others. */
  error?: string;
  status?: number;
  /** Every response is this text. */
  garbage?: string;
  /** Responses have no `expires_in`. */
  silent?: boolean;
  /** Seconds between two polls of a device. */
  interval: number;
  /** Seconds until a device login expires. */
  deviceSeconds: number;
}

const USUAL: Settings = { lifetime: 3_600, rotation: true, delayMs: 0, interval: 1, deviceSeconds: 600 };

interface Code {
  clientId: string;
  redirectUri: string;
  challenge: string;
  scope: string;
  endsAt: number;
}

interface Device {
  userCode: string;
  clientId: string;
  scope: string;
  state: "pending" | "allowed" | "denied";
  endsAt: number;
  askedAt: number;
}

/** Everything in the authorization server that a reset forgets. */
export class Grants {
  settings: Settings = { ...USUAL };
  readonly counters: Record<string, number> = {};
  readonly codes = new Map<string, Code>();
  readonly devices = new Map<string, Device>();
  /** Valid refresh tokens, with their login. */
  readonly refresh = new Map<string, string>();
  readonly spent = new Map<string, string>();
  atWork = 0;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.settings = { ...USUAL };
    for (const name of Object.keys(this.counters)) delete this.counters[name];
    for (const map of [this.codes, this.devices, this.refresh, this.spent]) map.clear();
    this.refresh.set(CREDENTIALS.refreshToken, "seed");
  }

  count(name: string, by = 1): void {
    this.counters[name] = (this.counters[name] ?? 0) + by;
  }

  keep<T>(map: Map<string, T>, key: string, value: T): void {
    map.set(key, value);
    const oldest = map.keys().next();
    if (map.size > GRANTS_MAX && oldest.value !== undefined) map.delete(oldest.value);
  }
}

class OAuthError extends Error {
  readonly error: string;
  readonly status: 400 | 401;
  constructor(error: string, description: string, status: 400 | 401 = 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}

type Asked = Record<string, unknown>;

export function oauth(tokens: Tokens, grants: Grants): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    c.header("Cache-Control", "no-store");
    const asked = members(c);
    grants.count(
      String(asked.grant_type ?? "none")
        .split(":")
        .at(-1)!,
    );
    grants.atWork++;
    grants.counters.atOnce = Math.max(grants.counters.atOnce ?? 0, grants.atWork);
    try {
      const { delayMs } = grants.settings;
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const { garbage, error, status } = grants.settings;
      if (typeof garbage === "string") return c.body(garbage, (status ?? 200) as 200);
      if (typeof error === "string")
        return c.json({ error, error_description: `Told to say ${error}.` }, (status ?? 400) as 400);
      return c.json(tokenFor(asked, tokens, grants));
    } catch (reason) {
      if (!(reason instanceof OAuthError)) throw reason;
      grants.count("refused");
      if (reason.status === 401) c.header("WWW-Authenticate", 'Basic realm="sample-api"');
      return c.json({ error: reason.error, error_description: reason.message }, reason.status);
    } finally {
      grants.atWork--;
    }
  });
  app.post("/settings", (c) => {
    Object.assign(grants.settings, jsonObject(c));
    return c.json(grants.settings);
  });
  app.post("/revoke", (c) => {
    tokens.revokeAll();
    return c.json({ revoked: true });
  });
  app.get("/counters", (c) => c.json(grants.counters));
  device(app, grants);
  authorization(app, grants);
  return app;
}

/** RFC 8414, for clients that know only the issuer. */
export function metadata(origin: string): Record<string, unknown> {
  return {
    issuer: origin,
    token_endpoint: `${origin}/oauth/token`,
    authorization_endpoint: `${origin}/oauth/authorize`,
    device_authorization_endpoint: `${origin}/oauth/device`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    authorization_response_iss_parameter_supported: true,
  };
}

function tokenFor(asked: Asked, tokens: Tokens, grants: Grants): Record<string, unknown> {
  const client = clientOf(asked);
  switch (asked.grant_type) {
    case "client_credentials":
      if (client !== CREDENTIALS.clientId)
        throw new OAuthError("unauthorized_client", "A public client cannot use client_credentials.");
      return given(asked, tokens, grants, undefined);
    case "refresh_token":
      return given(asked, tokens, grants, refreshed(String(asked.refresh_token ?? ""), grants));
    case "authorization_code":
      redeemed(asked, client, grants);
      return given(asked, tokens, grants, word());
    case DEVICE_GRANT:
      allowed(asked, client, grants);
      return given(asked, tokens, grants, word());
    default:
      throw new OAuthError(
        "unsupported_grant_type",
        `"grant_type" must be client_credentials, refresh_token, authorization_code or ${DEVICE_GRANT}; it was ${JSON.stringify(asked.grant_type ?? null)}.`,
      );
  }
}

function clientOf(asked: Asked): string {
  const id = String(asked.client_id ?? "");
  if (same(id, CREDENTIALS.publicClientId) && asked.client_secret === undefined) return id;
  if (same(id, CREDENTIALS.clientId) && same(String(asked.client_secret ?? ""), CREDENTIALS.clientSecret)) return id;
  throw new OAuthError("invalid_client", "That client_id and client_secret do not match.", 401);
}

/** `login`: the login of its refresh tokens. Without it no refresh token is issued. */
function given(asked: Asked, tokens: Tokens, grants: Grants, login: string | undefined): Record<string, unknown> {
  const { settings } = grants;
  const seconds = asked.lifetime === undefined ? settings.lifetime : Number(asked.lifetime);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new OAuthError(
      "invalid_request",
      '"lifetime", a help for trials, must be seconds from 0 (excluded) to 86400.',
    );
  const access_token = tokens.issue(Date.now(), seconds);
  grants.count("issued");
  const isKept = asked.grant_type === "refresh_token" && !settings.rotation;
  return {
    access_token,
    token_type: "Bearer",
    ...(settings.silent === true ? {} : { expires_in: seconds }),
    ...(login === undefined || isKept ? {} : { refresh_token: refreshFor(login, grants) }),
    ...(typeof asked.scope === "string" ? { scope: asked.scope } : {}),
  };
}

function refreshFor(login: string, grants: Grants): string {
  const token = `sample-refresh-${word()}`;
  grants.keep(grants.refresh, token, login);
  return token;
}

/** O1. */
function refreshed(token: string, grants: Grants): string {
  const login = grants.refresh.get(token);
  if (login === undefined) {
    const stolen = grants.spent.get(token);
    for (const [good, owner] of grants.refresh)
      if (stolen !== undefined && owner === stolen) grants.refresh.delete(good);
    throw new OAuthError("invalid_grant", "That refresh token is not valid, or was used before.");
  }
  if (grants.settings.rotation) {
    grants.refresh.delete(token);
    grants.keep(grants.spent, token, login);
  }
  return login;
}

/** O2. */
function redeemed(asked: Asked, client: string, grants: Grants): void {
  const code = grants.codes.get(String(asked.code ?? ""));
  grants.codes.delete(String(asked.code ?? ""));
  const verifier = createHash("sha256")
    .update(String(asked.code_verifier ?? ""))
    .digest("base64url");
  if (code === undefined || code.endsAt < Date.now()) throw new OAuthError("invalid_grant", "That code is not valid.");
  if (code.clientId !== client || code.redirectUri !== asked.redirect_uri)
    throw new OAuthError("invalid_grant", "That code was given to another client or for another redirect_uri.");
  if (!same(code.challenge, verifier)) throw new OAuthError("invalid_grant", "The code_verifier does not fit.");
}

function allowed(asked: Asked, client: string, grants: Grants): void {
  const known = grants.devices.get(String(asked.device_code ?? ""));
  if (known === undefined || known.clientId !== client)
    throw new OAuthError("invalid_grant", "That device_code is not valid.");
  const now = Date.now();
  if (known.endsAt <= now) throw new OAuthError("expired_token", "No one answered in time.");
  if (known.state === "denied") throw new OAuthError("access_denied", "The user denied access.");
  const early = now - known.askedAt < grants.settings.interval * 1_000 - 50;
  known.askedAt = now;
  if (known.state === "pending")
    throw early
      ? new OAuthError("slow_down", "Ask more slowly.")
      : new OAuthError("authorization_pending", "No one has answered yet.");
  grants.devices.delete(String(asked.device_code));
}

function device(app: Hono, grants: Grants): void {
  app.post("/device", (c) => {
    const asked = members(c);
    const clientId = String(asked.client_id ?? "");
    const letters = randomBytes(8).toString("hex").toUpperCase();
    const user_code = `${letters.slice(0, 4)}-${letters.slice(4, 8)}`;
    const device_code = `sample-device-${word()}`;
    const { interval, deviceSeconds } = grants.settings;
    const endsAt = Date.now() + deviceSeconds * 1_000;
    const begun = { userCode: user_code, clientId, scope: String(asked.scope ?? ""), endsAt, askedAt: 0 };
    grants.keep(grants.devices, device_code, { ...begun, state: "pending" });
    grants.count("device");
    const verification_uri = `${originOf(c)}/oauth/device`;
    const verification_uri_complete = `${verification_uri}?user_code=${user_code}`;
    return c.json({
      device_code,
      user_code,
      verification_uri,
      verification_uri_complete,
      expires_in: deviceSeconds,
      interval,
    });
  });
  app.get("/device", (c) => c.html(page(`POST /oauth/device/answer with {"user_code": …, "decision": "allow"}`)));
  app.post("/device/answer", (c) => {
    const { user_code, decision } = jsonObject(c);
    const found = [...grants.devices.values()].find(({ userCode }) => userCode === user_code);
    if (found === undefined)
      return c.json({ error: { code: "unknown-code", message: "No device login has that code." } }, 404);
    found.state = decision === "allow" ? "allowed" : "denied";
    return c.json({ state: found.state });
  });
}

function authorization(app: Hono, grants: Grants): void {
  app.get("/authorize", (c) => {
    const asked = c.req.query();
    const { client_id = "", redirect_uri = "", code_challenge = "", decision } = asked;
    const known = [CREDENTIALS.publicClientId, CREDENTIALS.clientId].some((id) => same(id, client_id));
    const back = URL.canParse(redirect_uri) ? new URL(redirect_uri) : undefined;
    if (!known || !["127.0.0.1", "localhost", "[::1]"].includes(back?.hostname ?? ""))
      return c.json(
        { error: { code: "bad-client", message: "Unknown client_id, or a redirect_uri outside of this machine." } },
        400,
      );
    if (asked.response_type !== "code" || code_challenge === "" || asked.code_challenge_method !== "S256")
      return c.json(
        { error: { code: "no-pkce", message: "A code wants response_type=code and PKCE with S256." } },
        400,
      );
    if (decision === undefined) {
      const on = `${c.req.url.replaceAll("&", "&amp;")}&amp;decision=`;
      return c.html(page(`<a href="${on}allow">Allow</a> <a href="${on}deny">Deny</a>`));
    }
    const code = word();
    if (decision === "allow")
      grants.keep(grants.codes, code, {
        clientId: client_id,
        redirectUri: redirect_uri,
        challenge: code_challenge,
        scope: asked.scope ?? "",
        endsAt: Date.now() + CODE_MS,
      });
    const answer = decision === "allow" ? { code } : { error: "access_denied" };
    for (const [name, value] of Object.entries({ ...answer, state: asked.state ?? "", iss: originOf(c) }))
      back!.searchParams.set(name, value);
    return c.redirect(back!.href);
  });
}

/** The members of a request, from JSON or a form; the client may also come as basic authentication. */
function members(c: Context): Asked {
  const form = (c.req.header("content-type") ?? "").startsWith("application/x-www-form-urlencoded");
  const body = form ? Object.fromEntries(new URLSearchParams(c.get("body"))) : jsonObject(c);
  const basic = /^Basic (.+)$/i.exec(c.req.header("authorization") ?? "");
  if (!basic) return body;
  const [id = "", ...secret] = Buffer.from(basic[1]!, "base64").toString("utf8").split(":").map(formDecoded);
  return { client_id: id, client_secret: secret.join(":"), ...body };
}

/** RFC 6749 2.3.1: both are form-encoded in the header. */
function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get("v") ?? text;
}

export function originOf(c: Context): string {
  return new URL(c.req.url).origin;
}

function page(body: string): string {
  return `<!doctype html><title>Sample API</title><p>${body}</p>`;
}

function word(): string {
  return randomBytes(24).toString("base64url");
}

/** Equal in constant time: a sample, but of good manners. */
export function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
