// access: from where the server may be reached (spec 4.3 S1): this machine alone, or more of the world only when that was said twice.
//   X1. Another address than loopback, or a public one in front of it, takes `--auth token` and a protected way: TLS here, or https at
//       the reverse proxy that the public address names.
// Pure.

import type { Failure } from "../../base/failure.ts";

export interface AccessOptions {
  host?: string;
  /** `token`: who starts it knows that everybody who reaches it and has a link or token is let in. */
  auth?: "token";
  tls?: unknown;
  publicUrl?: string;
}

/** Why the server may not be started so. Failures: `bad-public-url`, `host-needs-auth`, `host-needs-tls`. */
export function accessProblem({ host, auth, tls, publicUrl }: AccessOptions): Failure | undefined {
  const outside = publicUrl === undefined ? undefined : URL.parse(publicUrl);
  if (publicUrl !== undefined && (outside === null || outside === undefined || !isBareOrigin(outside)))
    return {
      code: "bad-public-url",
      message: `"${publicUrl}" is no address of a server: https and a host, without a path.`,
      hint: "Such as --public-url https://curlew.example.com",
    };
  const isOpen = (host !== undefined && !isLoopback(host)) || outside !== undefined;
  if (!isOpen) return undefined;
  const where = outside?.origin ?? host;
  if (auth !== "token")
    return {
      code: "host-needs-auth",
      message: `Whoever reaches ${where} could try to log in: the server is opened to others only when that is said.`,
      hint: "Add --auth token. Everybody then needs a login link or the token of server.json.",
    };
  if (tls === undefined && outside?.protocol !== "https:")
    return {
      code: "host-needs-tls",
      message: `On ${where} tokens would travel where others can read them.`,
      hint: "Give a certificate with --tls-cert and --tls-key, or name the https address of the reverse proxy in front with --public-url.",
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
