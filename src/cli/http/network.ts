// network: sends one request and follows redirects, over undici's proxy agent and interceptors (spec 3.6).
//   N1. Certificates are always checked: against --cacert, CURL_CA_BUNDLE or SSL_CERT_FILE, otherwise against Node.js's
//       own. The system's are used only if those fail, because reading them takes longer than most calls.
//   N2. A redirect never leads to http on another machine, and no secret header goes to another host.
//   N3. Every failure is an `HttpProblem` with curl's exit code.

import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Dispatcher } from "undici";
import { limits } from "../../base/limits.ts";
import { type Body, cannotSendAgain } from "./body.ts";
import { explain, innermost } from "./failure.ts";
import { type Header, notAllowed } from "./headers.ts";
import { countOf, type HttpOptions, sizeOf, timeOf } from "./options.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Request {
  method: string;
  url: URL;
  headers: readonly Header[];
  body: Body;
}

export interface Response {
  status: number;
  statusText: string;
  /** `1.1` or `2`. */
  version: string;
  /** Lowercase names, in the order received. */
  headers: readonly (readonly [string, string])[];
  /** Decompressed. */
  body: Readable & { dump?: (options: { limit: number }) => Promise<void> };
  /** The URL after redirects, and their number. */
  finalUrl: URL;
  redirects: number;
  /** Bytes of the body received so far. */
  received: number;
  bytesMax: number;
  /** Explains errors that occur while the body is read. */
  explain(reason: unknown): HttpProblem;
}

export interface Network {
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
}

type Client = typeof import("./client.ts").client;

export function openNetwork(options: HttpOptions, env: Env, plain: boolean): Network {
  const given = certificates(options, env);
  const redirectsMax = countOf("--max-redirs", options.maxRedirs) ?? limits.httpRedirectsMax;
  const maxMs = timeOf("--max-time", options.maxTime);
  const connectMs = timeOf("--connect-timeout", options.connectTimeout) ?? limits.httpConnectMs;
  const bytesMax = sizeOf("--max-filesize", options.maxFilesize) ?? Number.POSITIVE_INFINITY;
  let agent: Dispatcher | undefined;
  let steps: URL[] = [];
  let version = "1.1";
  subscribe("undici:client:connected", (message) => {
    const { socket } = message as { socket?: TLSSocket };
    version = socket?.alpnProtocol === "h2" ? "2" : "1.1";
  });

  const open = (client: Client, more: object): Dispatcher => {
    const allowH2 = options.http11 !== true;
    const connect = { ...given, ...more, timeout: connectMs, allowH2, preferH2: allowH2, autoSelectFamily: true };
    const idleMs = Math.max(limits.httpIdleMs, maxMs ?? 0);
    const settings = {
      allowH2,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      maxHeaderSize: 65_536,
      connect,
      requestTls: connect,
      proxyTls: { ca: connect.ca, timeout: connectMs },
      proxyTunnel: false,
      ...proxiesOf(env),
    };
    return new client.EnvHttpProxyAgent(settings as never).compose(
      guard(plain, (url) => void steps.push(url)),
      client.redirect({ maxRedirections: redirectsMax, throwOnMaxRedirect: true }),
      client.decompress({ skipErrorResponses: false }),
    );
  };

  const sendOnce = async (client: Client, { method, url, headers, body }: Request): Promise<Response> => {
    steps = [];
    const answer = await new Promise<Dispatcher.ResponseData>((resolve, reject) => {
      const request = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers: sentHeaders(headers, body),
        body: body.open(),
        signal: maxMs === undefined ? null : AbortSignal.timeout(maxMs),
        stripHeadersOnCrossOriginRedirect: headers.flatMap(({ name, secret }) => (secret ? [name] : [])),
      };
      client.request.call(agent!, request, (reason, data) => (reason === null ? resolve(data) : reject(reason)));
    });
    const all = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name.toLowerCase(), String(one)] as const),
    );
    const [finalUrl = url] = steps.slice(-1);
    const unfollowed = [301, 302, 303, 307, 308].includes(answer.statusCode) && answer.headers.location;
    if (unfollowed && redirectsMax > 0 && body.length === undefined) throw cannotSendAgain();
    return {
      status: answer.statusCode,
      statusText: answer.statusText ?? "",
      version,
      headers: all,
      body: answer.body,
      finalUrl,
      redirects: Math.max(0, steps.length - 1),
      received: 0,
      bytesMax,
      explain: (reason) => explain(reason, finalUrl, true),
    };
  };

  const send = async (request: Request): Promise<Response> => {
    const { client } = await import("./client.ts");
    const https = request.url.protocol === "https:" && given.ca === undefined;
    // A streamed body cannot be sent again.
    const first = agent === undefined;
    agent ??= open(client, https && request.body.length === undefined ? systemCertificates() : {});
    try {
      return await sendOnce(client, request);
    } catch (reason) {
      const untrusted = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(innermost(reason).code ?? "");
      if (!first || !https || !untrusted) throw explain(reason, steps.at(-1) ?? request.url, false);
    }
    agent = open(client, systemCertificates());
    try {
      return await sendOnce(client, request);
    } catch (reason) {
      throw explain(reason, steps.at(-1) ?? request.url, false);
    }
  };
  return { send, close: async () => agent?.destroy() };
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

/** undici reads NO_PROXY itself. */
function proxiesOf(env: Env): { httpProxy: string; httpsProxy: string } {
  const all = env.all_proxy || env.ALL_PROXY;
  return {
    httpProxy: proxyUrl(env.http_proxy || all),
    httpsProxy: proxyUrl(env.https_proxy || env.HTTPS_PROXY || all),
  };
}

function proxyUrl(text: string | undefined): string {
  if (!text) return "";
  const url = URL.parse(text.includes("://") ? text.replace(/^socks5h:/, "socks5:") : `http://${text}`);
  if (url !== null && url.hostname !== "" && /^(?:https?|socks5?):$/.test(url.protocol)) return url.href;
  throw new HttpProblem(
    HttpExit.PROXY,
    "bad-proxy",
    "The proxy in the environment is not a URL of a proxy.",
    "Check HTTPS_PROXY, http_proxy and ALL_PROXY: http://HOST:PORT, https:// or socks5://.",
  );
}

/** A header is bytes, and a value is UTF-8 text. */
function sentHeaders(headers: readonly Header[], { length }: Body): string[] {
  const all = headers.flatMap(({ name, value }) => [name, Buffer.from(value, "utf8").toString("latin1")]);
  return length === undefined || length === 0 ? all : [...all, "content-length", String(length)];
}

interface Certificates {
  ca?: string | string[];
  cert?: string;
  key?: string;
}

function certificates({ cacert, cert, key }: HttpOptions, env: Env): Certificates {
  const file = cacert ?? (env.CURL_CA_BUNDLE || env.SSL_CERT_FILE || undefined);
  const found: Certificates = {};
  if (file !== undefined) found.ca = readPem(file, HttpExit.CA_FILE, "CERTIFICATE");
  if (cert !== undefined) {
    found.cert = readPem(cert, HttpExit.CLIENT_CERTIFICATE, "CERTIFICATE");
    found.key = readPem(key ?? cert, HttpExit.CLIENT_CERTIFICATE, "PRIVATE KEY");
    try {
      const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
      const fits = new X509Certificate(found.cert).checkPrivateKey(createPrivateKey(found.key));
      if (!fits) throw new Error("the key does not belong to the certificate");
    } catch (reason) {
      throw unusable(HttpExit.CLIENT_CERTIFICATE, `${cert} and ${key ?? cert}`, (reason as Error).message);
    }
  }
  return found;
}

function readPem(file: string, exit: number, holds: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
    if (!new RegExp(`-----BEGIN (?:[A-Z0-9]+ )*${holds}-----`).test(text)) throw new Error(`it holds no ${holds}`);
    if (exit === HttpExit.CA_FILE) new (process.getBuiltinModule("node:crypto").X509Certificate)(text);
  } catch (reason) {
    throw unusable(exit, file, (reason as Error).message);
  }
  return text;
}

function unusable(exit: number, file: string, why: string): HttpProblem {
  return new HttpProblem(exit, "ca-file", `${file} cannot be used: ${why}.`, "Check the path; it must be a PEM file.");
}

function systemCertificates(): { ca: string[] } {
  const { getCACertificates } = process.getBuiltinModule("node:tls");
  return { ca: [...getCACertificates("default"), ...getCACertificates("system")] };
}
