// The first check of each request, before anything else looks at it (spec 4.3 S2, S3, S5).
//   G1. There is exactly one Host header, with one of the server's names. A foreign name that resolves here (DNS
//       rebinding) is rejected, and the response does not list the server's names, because that page could read them.
//   G2. If there is an Origin, it must be one of the server's after parsing. `null` and
//       others are rejected for every method.
//   G3. If there is a Sec-Fetch-Site, it must be `same-origin` or `none`. Its absence
//       proves nothing: the token is what counts.
//   G4. The request target is a path. Absolute URLs, `*`, and backslashes are rejected.
// Pure: takes what the socket received and returns a rejection or undefined (test/server/security.test.ts).

import type { ProblemCode } from "../../api/problems.ts";

export interface Asked {
  method: string;
  target: string;
  /** Names and values alternate, as received. */
  rawHeaders: readonly string[];
}

/** The server's names in lowercase: hosts with any non-default port, origins with their scheme. */
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
    return { code: "bad-request", detail: "The request's target is not a path." };
  const [host, ...moreHosts] = valuesOf("host", rawHeaders);
  // G1
  if (host === undefined || moreHosts.length > 0 || !names.hosts.has(host.toLowerCase()))
    return { code: "wrong-host", detail: "Use the URL that the server printed when it started." };
  // G2
  const [origin, ...moreOrigins] = valuesOf("origin", rawHeaders);
  if (origin !== undefined && (moreOrigins.length > 0 || !isOurs(origin, names)))
    return { code: "foreign-origin", detail: "The request's Origin is not this server." };
  // G3
  const foreign = valuesOf("sec-fetch-site", rawHeaders).some((site) => site !== "same-origin" && site !== "none");
  return foreign ? { code: "foreign-origin", detail: "The request comes from another site." } : undefined;
}

/** All values of a header, which may occur more than once. */
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
