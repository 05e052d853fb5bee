// How the server may be reached, and under which names (spec 4.3 S1, S2): only from this machine, unless the user
// explicitly confirms more.
//   X1. Listening beyond loopback, or a public URL, requires `--auth token` and encryption: TLS in this server, or
//       https at the reverse proxy that the public URL names.
//   E1. On loopback its names are 127.0.0.1, localhost, and [::1], each with the port. Otherwise: the value of `--host`,
//       and the public URL.
//   E2. A server that listens on all addresses accepts each IP address of the machine and its host name.
// Pure.

import type { Failure } from "../../base/failure.ts";
import type { Names } from "./gate.ts";

export interface AccessOptions {
  host?: string;
  /** `token`: the user accepts that everyone who can reach the server and has a link or token can use it. */
  auth?: "token";
  tls?: unknown;
  publicUrl?: string;
}

/** Why the server must not start like this. Failures: `bad-public-url`, `host-needs-auth`, `host-needs-tls`. */
export function accessProblem({ host, auth, tls, publicUrl }: AccessOptions): Failure | undefined {
  const outside = publicUrl === undefined ? undefined : URL.parse(publicUrl);
  if (publicUrl !== undefined && (outside === null || outside === undefined || !isBareOrigin(outside)))
    return {
      code: "bad-public-url",
      message: `"${publicUrl}" is not valid. It must be https:// and a host, without a path.`,
      hint: "Example: --public-url https://curlew.example.com",
    };
  const isOpen = (host !== undefined && !isLoopback(host)) || outside !== undefined;
  if (!isOpen) return undefined;
  const where = outside?.origin ?? host;
  if (auth !== "token")
    return {
      code: "host-needs-auth",
      message: `Everyone who can reach ${where} could try to log in. The server needs your consent for that.`,
      hint: "Add --auth token. Then everyone needs a login link or the token of server.json.",
    };
  if (tls === undefined && outside?.protocol !== "https:")
    return {
      code: "host-needs-tls",
      message: `On ${where}, others on the network could read tokens.`,
      hint: "Set a certificate with --tls-cert and --tls-key, or the https URL of your reverse proxy with --public-url.",
    };
  return undefined;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function isBareOrigin(url: URL): boolean {
  return (
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === ""
  );
}

export interface NameOptions {
  host?: string;
  port: number;
  tls?: unknown;
  publicUrl?: string;
  /** This machine's names, for E2. */
  machine: { name: string; addresses: readonly string[] };
}

/** `url`: for programs on this machine. `shown`: for people. */
export function namesOf({ host, port, tls, publicUrl, machine }: NameOptions): Names & { url: string; shown: string } {
  const scheme = tls === undefined ? "http" : "https";
  const origins = calledAs(host, machine).flatMap((name) => URL.parse(`${scheme}://${name}:${port}`)?.origin ?? []);
  const url = origins.find((origin) => origin === `${scheme}://127.0.0.1:${port}`) ?? origins[0]!;
  if (publicUrl !== undefined) origins.unshift(new URL(publicUrl).origin);
  return {
    url,
    shown: origins[0]!,
    hosts: new Set(origins.map((origin) => new URL(origin).host)),
    origins: new Set(origins),
  };
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

function calledAs(host: string | undefined, { name, addresses }: NameOptions["machine"]): string[] {
  if (host === undefined) return LOOPBACK;
  if (host !== "0.0.0.0" && host !== "::") return [bracketed(host)];
  return [name, ...addresses.map(bracketed), ...LOOPBACK];
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
