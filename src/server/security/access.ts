// Checks how the server may be reached (spec 4.3 S1): only from this machine, unless the user explicitly confirms more.
//   X1. Listening beyond loopback, or a public URL, requires `--auth token` and encryption: TLS in this server, or
//       https at the reverse proxy that the public URL names.
// Pure.

import type { Failure } from "../../base/failure.ts";

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
