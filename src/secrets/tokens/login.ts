// The two grants that need a person: a code entered on another device, and a browser that
// redirects back (RFC 8628, 8252; spec 3.6).
//   P1. The browser is redirected to a listener on this machine, for one path and one login. A request with another
//       `state` is ignored, and the listener keeps waiting.
//   P2. An intercepted code is useless without the PKCE verifier (S256), which never leaves this process.
//   P3. From a server's prompt, only a URL and a few characters are shown, without terminal control characters.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type * as oauth from "oauth4webapi";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Server as AuthServer, answered, type IssuedToken, notDescribed, parametersOf, serverOf } from "./ask.ts";
import { type Asking, refusal, runEnded, Trouble } from "./endpoint.ts";
import type { Grant } from "./grant.ts";

/** The prompt to show to the person. */
export interface LoginPrompt {
  url: string;
  /** For a device: the code to enter or compare there. */
  code?: string;
  endsAtMs: number;
}

/** The result of the login. `show` is called once. Failures: auth-*. */
export async function login(
  asking: Asking,
  show: (prompt: LoginPrompt) => void,
): Promise<Result<IssuedToken, Failure>> {
  try {
    const server = await serverOf(asking);
    return ok(await (asking.grant.type === "oauth2-device" ? byDevice(server, show) : byBrowser(server, show)));
  } catch (reason) {
    if (reason instanceof Trouble) return err(reason.failure);
    throw reason;
  }
}

async function byDevice(server: AuthServer, show: (prompt: LoginPrompt) => void): Promise<IssuedToken> {
  const { library, as, client, clientAuth, options, asking } = server;
  const { grant, signal } = asking;
  if (as.device_authorization_endpoint === undefined)
    throw new Trouble(notDescribed(grant, "device_authorization_endpoint"));
  const begun = await begunDevice(server);
  const endsAtMs = Date.now() + Math.min(begun.expires_in * 1_000, limits.timerMsMax);
  show({
    url: shownUrl(begun.verification_uri_complete ?? begun.verification_uri, grant),
    code: begun.user_code.replace(/[^\p{L}\p{N} -]/gu, "").slice(0, 40),
    endsAtMs,
  });
  let seconds = begun.interval ?? limits.deviceIntervalSeconds;
  for (;;) {
    await pause(Math.min(seconds * 1_000, endsAtMs - Date.now()), signal);
    if (Date.now() >= endsAtMs) throw new Trouble(refusal({ error: "expired_token" }, undefined, asking));
    try {
      return await answered(asking, async () => {
        const answer = await library.deviceCodeGrantRequest(
          as,
          client,
          clientAuth,
          begun.device_code,
          options as object,
        );
        return library.processDeviceCodeResponse(as, client, answer);
      });
    } catch (reason) {
      if (!(reason instanceof Trouble)) throw reason;
      if (reason.error === "slow_down") seconds += 5;
      else if (["auth-unreachable", "auth-unavailable"].includes(reason.failure.code))
        seconds = Math.max(seconds, Math.min(seconds * 2, limits.deviceAwaySeconds));
      else if (reason.error !== "authorization_pending") throw reason;
    }
  }
}

async function begunDevice({ library, as, client, clientAuth, options, asking }: AuthServer) {
  try {
    const parameters = parametersOf(asking.grant);
    const answer = await library.deviceAuthorizationRequest(as, client, clientAuth, parameters, options as object);
    return await library.processDeviceAuthorizationResponse(as, client, answer);
  } catch (reason) {
    if (reason instanceof Trouble) throw reason;
    throw new Trouble(noLogin(asking.grant));
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // If the login is stopped, the next request reports it.
  await delay(ms, undefined, { signal }).catch(() => {});
}

async function byBrowser(server: AuthServer, show: (prompt: LoginPrompt) => void): Promise<IssuedToken> {
  const { library, as, client, clientAuth, options, asking } = server;
  const { grant } = asking;
  if (as.authorization_endpoint === undefined) throw new Trouble(notDescribed(grant, "authorization_endpoint"));
  const [state, verifier] = [library.generateRandomState(), library.generateRandomCodeVerifier()];
  const listener = await listenFor(grant, state);
  try {
    const url = new URL(as.authorization_endpoint);
    const parameters = {
      ...parametersOf(grant),
      response_type: "code",
      client_id: grant.clientId,
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    show({ url: shownUrl(url.href, grant), endsAtMs: Date.now() + limits.loginMs });
    const came = await backFrom(listener, asking);
    // Without a configured issuer, there is nothing to compare it with.
    if (grant.issuer === undefined) came.delete("iss");
    const checked = checkedAnswer(library, server, came, state);
    return await answered(asking, async () => {
      const answer = await library.authorizationCodeGrantRequest(
        as,
        client,
        clientAuth,
        checked,
        listener.redirectUri,
        verifier,
        options as object,
      );
      return library.processAuthorizationCodeResponse(as, client, answer);
    });
  } finally {
    listener.close();
  }
}

function checkedAnswer(
  library: typeof oauth,
  { as, client, asking }: AuthServer,
  came: URLSearchParams,
  state: string,
): URLSearchParams {
  try {
    return library.validateAuthResponse(as, client, came, state);
  } catch {
    const error = came.get("error");
    if (error === null) throw new Trouble(noLogin(asking.grant));
    throw new Trouble(refusal({ error, error_description: came.get("error_description") }, undefined, asking), error);
  }
}

interface Listener {
  redirectUri: string;
  /** The parameters of the response with the expected `state`. */
  came: Promise<URLSearchParams>;
  close(): void;
}

/** P1. */
async function listenFor(grant: Grant, state: string): Promise<Listener> {
  const wanted = new URL(grant.redirectUrl ?? "http://127.0.0.1:0/callback");
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const came = answerIn(request, redirect, state);
    if (came === undefined) return answer(response, 404, "This page does not exist, or no longer exists.");
    answer(
      response,
      200,
      came.has("error")
        ? "The sign-in was refused. See the terminal."
        : "Signed in. You can close this page and go back to the terminal.",
    );
    resolve(came);
  });
  const host = wanted.hostname === "[::1]" ? "::1" : "127.0.0.1";
  const port = await listening(server, host, Number(wanted.port), grant);
  const redirect = new URL(wanted);
  redirect.port = String(port);
  return {
    redirectUri: redirect.href,
    came: promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerIn(
  { method, url = "", headers }: IncomingMessage,
  redirect: URL,
  state: string,
): URLSearchParams | undefined {
  if (method !== "GET" || headers.host !== redirect.host || !URL.canParse(url, redirect.href)) return undefined;
  const { pathname, searchParams } = new URL(url, redirect);
  return pathname === redirect.pathname && searchParams.get("state") === state ? searchParams : undefined;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  response.end(`<!doctype html><html lang="en"><title>Curlew</title><p>${text}</p></html>`);
}

function listening(server: Server, host: string, port: number, grant: Grant): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", (reason: NodeJS.ErrnoException) =>
    reject(new Trouble(noListener(grant, port, reason.code ?? ""))),
  );
  server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  return promise;
}

/** Waits for the redirect until it times out or the person cancels. */
async function backFrom({ came }: Listener, { grant, signal }: Asking): Promise<URLSearchParams> {
  const over = new AbortController();
  const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const late = delay(limits.loginMs, undefined, { signal: either }).catch(() => undefined);
  const first = await Promise.race([came, late]);
  over.abort();
  if (first !== undefined) return first;
  throw new Trouble(signal?.aborted === true ? runEnded(grant) : tooLate(grant));
}

/** P3: a parsed URL contains no control characters. */
function shownUrl(text: string, grant: Grant): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Trouble(noLogin(grant));
  return url.href;
}

const noLogin = failureOf("auth-answer", ({ name }: Grant) => [
  `Curlew got no token for the auth "${name}": the server's response to the login is not valid.`,
  "Check the URLs of the auth entry.",
]);

const noListener = failureOf("auth-no-listener", ({ name }: Grant, port: number, why: string) => [
  `Curlew got no token for the auth "${name}": it can't listen on port ${port} for the browser (${why}).`,
  "Stop the program that listens there, or use another registered redirectUrl.",
]);

const tooLate = failureOf("auth-login-timeout", ({ name }: Grant) => [
  `Curlew got no token for the auth "${name}": the browser did not come back within ${limits.loginMs / 60_000} minutes.`,
  "Sign in again, with a browser on this machine.",
]);
