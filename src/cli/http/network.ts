// network: one request and its answer, over undici: TLS, HTTP/1.1 and HTTP/2, proxies, time limits (spec 3.6).
//   N1. Certificates are always checked. Whose word counts: --cacert, else CURL_CA_BUNDLE or SSL_CERT_FILE, else those that Node.js
//       brings, and the system's when these do not suffice: reading those takes longer than many a call.
//   N2. Whatever goes wrong is an `HttpProblem` with curl's exit code.
//   N3. TLS 1.3 tells what it holds of a client's certificate when the handshake is over, and undici then says only that the other side
//       closed: the alert itself is kept of each connection, and is the reason.

import type { KeyObject } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Dispatcher } from "undici";
import { explain, explainAlert, explainByProxy, first, type Stage, UNKNOWN_ISSUER } from "./explain.ts";
import { HttpExit, HttpProblem } from "./problem.ts";
import { proxyFor } from "./proxies.ts";

export interface NetworkSettings {
  cacert: string | undefined;
  cert: string | undefined;
  key: string | undefined;
  http11: boolean;
  connectMs: number;
  /** Of one request with its whole answer. */
  maxMs: number | undefined;
  idleMs: number;
  bytesMax: number | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Request {
  method: string;
  url: URL;
  headers: readonly (readonly [string, string])[];
  body: Buffer | Readable | undefined;
}

export interface Response {
  status: number;
  statusText: string;
  /** Names in lower case, in the order in which they came. */
  headers: readonly (readonly [string, string])[];
  header(name: string): string | undefined;
  body: Readable;
  /** `1.1` or `2`. */
  version: string;
  /** For errors while the body is read. Answers with an `HttpProblem`. */
  explain(reason: unknown): HttpProblem;
  /** Bytes of the body that were taken. */
  received: number;
  /** Whoever takes the body takes no more (`--max-filesize`). */
  bytesMax: number | undefined;
  /** Redirects led to another host, which nobody signs in at. */
  elsewhere?: boolean;
  /** Why it could not be taken. */
  failed: HttpProblem | undefined;
  /** The body is not wanted, or has ended: its time limit ends too. */
  done(): void;
}

export interface Network {
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
}

type Client = typeof import("./client.ts");

export function openNetwork(settings: NetworkSettings): Network {
  const given = givenCertificates(settings);
  const lines = new Map<string, Dispatcher>();
  let withSystem = false;
  let version = "1.1";
  let alert: NodeJS.ErrnoException | undefined;
  subscribe("undici:client:connected", (message) => {
    const { socket } = message as { socket?: TLSSocket };
    version = socket?.alpnProtocol === "h2" ? "2" : "1.1";
    alert = undefined;
    socket?.once("error", (error: NodeJS.ErrnoException) => {
      if (/^ERR_SSL_\w+_ALERT_/.test(error.code ?? "")) alert = error;
    });
  });

  const line = (client: Client, url: URL): Dispatcher => {
    const proxy = proxyFor(url, settings.env);
    const key = `${withSystem} ${proxy?.href ?? ""}`;
    let found = lines.get(key);
    if (found === undefined) {
      found = dispatcher(client, proxy, settings, { ...given, ...(withSystem ? { ca: everyCertificate() } : {}) });
      lines.set(key, found);
    }
    return found;
  };

  const send = async (request: Request): Promise<Response> => {
    const client = await import("./client.ts");
    const once = request.body !== undefined && !Buffer.isBuffer(request.body);
    // A body that cannot be sent twice leaves no second chance.
    if (once && given.ca === undefined && request.url.protocol === "https:") withSystem = true;
    try {
      return await sendOnce(client, line(client, request.url), request, settings, () => version);
    } catch (reason) {
      const heals = given.ca === undefined && !withSystem && UNKNOWN_ISSUER.has(first(reason).code ?? "");
      if (!heals) throw explained(reason, request.url, settings, alert);
      withSystem = true;
    }
    try {
      return await sendOnce(client, line(client, request.url), request, settings, () => version);
    } catch (reason) {
      throw explained(reason, request.url, settings, alert);
    }
  };

  return {
    send,
    close: async () => {
      await Promise.all([...lines.values()].map((one) => one.destroy()));
    },
  };
}

/** Behind a proxy the only connection is to that one. */
function explained(
  reason: unknown,
  url: URL,
  { env }: NetworkSettings,
  alert: NodeJS.ErrnoException | undefined,
): HttpProblem {
  if (alert !== undefined && !(reason instanceof HttpProblem)) return explainAlert(alert, url.host);
  const proxy = proxyFor(url, env);
  return proxy === undefined ? explain(reason, url.host, "waiting") : explainByProxy(reason, url.host, proxy.host);
}

interface Certificates {
  ca?: string | string[];
  cert?: string;
  key?: string;
}

function givenCertificates({ cacert, cert, key, env }: NetworkSettings): Certificates {
  const file = cacert ?? (env.CURL_CA_BUNDLE || env.SSL_CERT_FILE || undefined);
  return {
    ...(file === undefined ? {} : { ca: readPem(file, HttpExit.CA_FILE, "The CA bundle", "certificate") }),
    ...(cert === undefined ? {} : clientOf(cert, key ?? cert)),
  };
}

/** What the handshake would end with, in words, before anything is sent. */
function clientOf(certFile: string, keyFile: string): Certificates {
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  const cert = readPem(certFile, HttpExit.CLIENT_CERTIFICATE, "The client certificate", "certificate");
  const key = readPem(keyFile, HttpExit.CLIENT_CERTIFICATE, "The client's key", "private key");
  const problem = (message: string, help: string): HttpProblem =>
    new HttpProblem(HttpExit.CLIENT_CERTIFICATE, "ca-file", `${message}: ${keyFile}.`, help);
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key))
    throw problem(
      "The client's key is encrypted",
      "Give it without a passphrase, in a file that you alone may read: openssl pkey -in FILE -out PLAIN.",
    );
  let own: KeyObject;
  try {
    own = createPrivateKey(key);
  } catch {
    throw problem(
      "The client's key holds a private key that cannot be read",
      "Check it: openssl pkey -in FILE -check.",
    );
  }
  if (!new X509Certificate(cert).checkPrivateKey(own))
    throw problem("The client's key is not that of its certificate", "Check that --cert and --key belong together.");
  return { cert, key };
}

const PEM = {
  certificate: /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END/,
  "private key": /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
};

/** What TLS would pass over in silence is said here. */
function readPem(file: string, exit: number, what: string, holds: keyof typeof PEM): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (reason) {
    throw new HttpProblem(
      exit,
      "ca-file",
      `${what} cannot be read: ${(reason as Error).message}.`,
      "Check the path and its permissions.",
    );
  }
  const found = PEM[holds].test(text);
  if (found && (holds === "private key" || isCertificate(text))) return text;
  throw new HttpProblem(
    exit,
    "ca-file",
    `${what} holds ${found ? `a ${holds} that cannot be read` : `no ${holds}`}: ${file}.`,
    `It must be a PEM file: -----BEGIN ${holds.toUpperCase()}-----.`,
  );
}

/** The first of them: one that is damaged further on signs nothing, and the others count. */
function isCertificate(pem: string): boolean {
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** The module of TLS is not loaded for calls of this machine itself. */
function everyCertificate(): string[] {
  const { getCACertificates } = process.getBuiltinModule("node:tls");
  return [...getCACertificates("default"), ...getCACertificates("system")];
}

function dispatcher(client: Client, proxy: URL | undefined, settings: NetworkSettings, tls: Certificates): Dispatcher {
  const allowH2 = !settings.http11;
  const connect = { ...tls, timeout: settings.connectMs, allowH2, preferH2: allowH2, autoSelectFamily: true };
  const common = {
    allowH2,
    headersTimeout: settings.idleMs,
    bodyTimeout: settings.idleMs,
    maxHeaderSize: 65_536,
  };
  if (proxy === undefined) return new client.Agent({ ...common, connect });
  // Of undici's, that SOCKS is new in it: nothing that a caller of ours could act on.
  if (proxy.protocol.startsWith("socks")) process.removeAllListeners("warning");
  const { cert: _, key: __, ...proxyTls } = connect;
  return new client.ProxyAgent({
    ...common,
    uri: proxy.href,
    requestTls: connect,
    proxyTls: { ...proxyTls, allowH2: false },
    proxyTunnel: false,
  } as never);
}

async function sendOnce(
  client: Client,
  line: Dispatcher,
  { method, url, headers, body }: Request,
  { maxMs, bytesMax }: NetworkSettings,
  version: () => string,
): Promise<Response> {
  const limit = timeLimit(maxMs, url.host);
  let stage: Stage = "waiting";
  try {
    const answer = await new Promise<Dispatcher.ResponseData>((resolve, reject) => {
      const options = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers: headers.flat(),
        ...(body === undefined ? {} : { body }),
        signal: limit.signal ?? null,
      };
      client.request.call(line, options, (reason, data) => (reason === null ? resolve(data) : reject(reason)));
    });
    stage = "partial";
    const all = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name.toLowerCase(), String(one)] as const),
    );
    return {
      status: answer.statusCode,
      statusText: answer.statusText ?? "",
      headers: all,
      header: (name) => all.find(([one]) => one === name)?.[1],
      body: answer.body,
      version: version(),
      explain: (reason) => limit.reason() ?? explain(reason, url.host, stage),
      received: 0,
      bytesMax,
      failed: undefined,
      done: limit.clear,
    };
  } catch (reason) {
    limit.clear();
    throw limit.reason() ?? reason;
  }
}

function timeLimit(maxMs: number | undefined, host: string) {
  if (maxMs === undefined) return { signal: undefined, reason: () => undefined, clear: () => {} };
  const control = new AbortController();
  let over: HttpProblem | undefined;
  const timer = setTimeout(() => {
    over = new HttpProblem(
      HttpExit.TIMEOUT,
      "timeout",
      `The call took longer than --max-time: ${host}.`,
      "Raise --max-time, or check whether the service is slow.",
    );
    control.abort(over);
  }, maxMs);
  return { signal: control.signal, reason: () => over, clear: () => clearTimeout(timer) };
}
