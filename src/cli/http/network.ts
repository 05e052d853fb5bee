// network: sends one request over undici's proxy agent and its redirect and decompress interceptors (spec 3.6).
//   N1. Certificates are always checked: against --cacert, CURL_CA_BUNDLE or SSL_CERT_FILE, otherwise against Node.js's
//       own. The system's are used only if those fail, because reading them takes longer than most calls.
//   N2. A redirect never leads to http on another machine, and no secret header goes to another host.
//   N3. Every failure is an `HttpProblem` with curl's exit code.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Dispatcher } from "undici";
import { limits } from "../../base/limits.ts";
import type { Body } from "./body.ts";
import { type Header, notAllowed } from "./headers.ts";
import type { HttpOptions } from "./options.ts";
import { codeOf, explain, HttpExit, HttpProblem, innermost } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Request {
  method: string;
  url: URL;
  headers: readonly Header[];
  body: Body;
}

export interface Response {
  status: number;
  /** Lowercase names, in the order received. */
  headers: readonly (readonly [string, string])[];
  /** Decompressed. */
  body: Dispatcher.ResponseData["body"];
  /** The URL after redirects, and their number. */
  finalUrl: URL;
  redirects: number;
  /** Bytes of the body read so far. */
  received: number;
}

export interface Network {
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const UNTRUSTED = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

export function openNetwork({ cacert, maxTime: maxMs }: HttpOptions, env: Env, plain: boolean): Network {
  const file = cacert ?? (env.CURL_CA_BUNDLE || env.SSL_CERT_FILE || undefined);
  let trusted = file === undefined ? undefined : certificatesIn(file);
  let agent: Dispatcher | undefined;
  let steps: URL[] = [];

  const open = async (): Promise<Dispatcher> => {
    const { interceptors } = await import("undici");
    return (await proxyAgent(trusted, maxMs)).compose(
      guard(plain, (url) => void steps.push(url)),
      interceptors.redirect({ maxRedirections: limits.httpRedirectsMax, throwOnMaxRedirect: true }),
      interceptors.decompress({ skipErrorResponses: false }),
    );
  };

  const sendOnce = async ({ method, url, headers, body }: Request): Promise<Response> => {
    steps = [];
    agent ??= await open();
    const { request } = await import("undici");
    const secret = headers.flatMap((header) => (header.secret ? [header.name] : []));
    const response = await request(url, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      // A header is bytes, and a value is UTF-8 text.
      headers: headers.flatMap(({ name, value }) => [name, Buffer.from(value, "utf8").toString("latin1")]),
      body: body.content as Buffer,
      signal: maxMs === undefined ? undefined : AbortSignal.timeout(maxMs),
      ...{ stripHeadersOnCrossOriginRedirect: secret },
    });
    return responseOf(response, steps, url);
  };

  const send = async (request: Request): Promise<Response> => {
    const mayChange = trusted === undefined && request.url.protocol === "https:";
    try {
      return await sendOnce(request).catch((reason) => {
        if (!mayChange || trusted !== undefined || !UNTRUSTED.test(codeOf(innermost(reason)))) throw reason;
        trusted = systemCertificates();
        agent = undefined;
        return sendOnce(request);
      });
    } catch (reason) {
      throw explain(reason, steps.at(-1) ?? request.url, false);
    }
  };
  return { send, close: async () => agent?.destroy() };
}

/** The proxies are those of the environment. */
async function proxyAgent(ca: string[] | undefined, maxMs = 0): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import("undici");
  const connect = { ca, timeout: limits.httpConnectMs };
  const idleMs = Math.max(limits.httpIdleMs, maxMs);
  const settings = { allowH2: false, headersTimeout: idleMs, bodyTimeout: idleMs, maxHeaderSize: 65_536, connect };
  try {
    return new EnvHttpProxyAgent({ ...settings, requestTls: connect, proxyTls: connect, proxyTunnel: false });
  } catch (reason) {
    const help = "Check HTTPS_PROXY and http_proxy: http://HOST:PORT, https:// or socks5://.";
    throw new HttpProblem(HttpExit.PROXY, "bad-proxy", `The proxy can't be used: ${(reason as Error).message}.`, help);
  }
}

function responseOf(response: Dispatcher.ResponseData, steps: readonly URL[], url: URL): Response {
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name.toLowerCase(), one] as const),
  );
  return {
    status: response.statusCode,
    headers,
    body: response.body,
    finalUrl: steps.at(-1) ?? url,
    redirects: Math.max(0, steps.length - 1),
    received: 0,
  };
}

/** Checks every step of a call, and stops it where it is not allowed to go. */
function guard(plain: boolean, step: (url: URL) => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const url = new URL(options.path, String(options.origin));
    step(url);
    const problem = notAllowed(url, plain);
    if (problem === undefined) return dispatch(options, handler);
    handler.onResponseError?.(undefined as never, problem);
    return true;
  };
}

function certificatesIn(file: string): string[] {
  try {
    const text = readFileSync(file, "utf8");
    new X509Certificate(text);
    return [text];
  } catch (reason) {
    const message = `${file} is not valid: ${(reason as Error).message}.`;
    throw new HttpProblem(HttpExit.CA_FILE, "ca-file", message, "Check the path. It must be a PEM file.");
  }
}

function systemCertificates(): string[] {
  const { getCACertificates } = process.getBuiltinModule("node:tls");
  return [...getCACertificates("default"), ...getCACertificates("system")];
}
