// gate: what a request must be before anything looks at what it asks for (spec 4.3 S2, S3, S5).
//   G1. Host is exactly one of ours, once. A name that merely leads here (rebinding) is not; it is not told our names either, its page could
//       read them.
//   G2. An Origin is one of ours, exactly, after parsing; `null` and anything else is refused, on every method.
//   G3. Sec-Fetch-Site, where it is there, is `same-origin` or `none`. That it is absent proves nothing: the token does.
//   G4. The target is a path. Absolute addresses, `*` and backslashes are refused.
// Pure (test/server/security.test.ts): what the socket gave goes in, a refusal or nothing comes out.

import type { ProblemCode } from "../../api/problems.ts";

export interface Asked {
  method: string;
  target: string;
  /** Names and values by turns, as they came. */
  rawHeaders: readonly string[];
}

/** Names that the server answers to, lower case: hosts with their port where it is not the scheme's own; origins with their scheme. */
export interface Names {
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
}

export interface Refusal {
  code: ProblemCode;
  detail: string;
}

export function refusalOf({ target, rawHeaders }: Asked, names: Names): Refusal | undefined {
  // G4
  if (!target.startsWith("/") || /[\\\u0000-\u0020\u007f]/.test(target))
    return { code: "bad-request", detail: "The request's target is no path." };
  const [host, ...moreHosts] = valuesOf("host", rawHeaders);
  // G1
  if (host === undefined || moreHosts.length > 0 || !names.hosts.has(host.toLowerCase()))
    return { code: "wrong-host", detail: "Use the address that the server printed when it started." };
  // G2
  const [origin, ...moreOrigins] = valuesOf("origin", rawHeaders);
  if (origin !== undefined && (moreOrigins.length > 0 || !isOurs(origin, names)))
    return { code: "foreign-origin", detail: "The Origin of the request is not this server." };
  // G3
  const foreign = valuesOf("sec-fetch-site", rawHeaders).some((site) => site !== "same-origin" && site !== "none");
  return foreign ? { code: "foreign-origin", detail: "The browser says that another site asks." } : undefined;
}

/** The same header may come again: all its values. */
export function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === name) found.push(rawHeaders[at + 1]!);
  return found;
}

function isOurs(origin: string, names: Names): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin.toLowerCase() && names.origins.has(url.origin);
}
