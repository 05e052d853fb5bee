// check/auth: checks that an `auth:` entry has a known type and the fields of that type (spec 2.7).

import { hostsOf, isHostName } from "../auth-hosts.ts";
import { badAuth, unknownAuth } from "../diagnostics/node.ts";
import { didYouMean, listed } from "../nearest.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";

const OAUTH = ["issuer?", "scope?", "audience?", "resource?", "body?", "clientAuth?"];

/** URLs that the issuer's metadata provides (RFC 8414). Without `issuer` they are required. */
const ADDRESSES = ["tokenUrl", "deviceUrl", "authorizationUrl"];

/** Fields with a fixed set of literal values. */
const WORDS: Record<string, readonly string[]> = { body: ["json", "form"], clientAuth: ["basic", "post", "none"] };

/** Fields of each type; those with a question mark are optional. */
export const AUTH_FIELDS: Record<string, readonly string[]> = {
  bearer: ["token"],
  basic: ["username", "password"],
  header: ["name", "value"],
  netrc: ["file?"],
  "oauth2-client-credentials": ["tokenUrl?", "clientId", "clientSecret", ...OAUTH],
  "oauth2-refresh": ["tokenUrl?", "clientId", "refreshToken", "clientSecret?", ...OAUTH],
  "oauth2-device": ["deviceUrl?", "tokenUrl?", "clientId", "clientSecret?", ...OAUTH],
  "oauth2-authorization-code": [
    "authorizationUrl?",
    "tokenUrl?",
    "clientId",
    "clientSecret?",
    "redirectUrl?",
    ...OAUTH,
  ],
};

export function checkAuth(auth: string | Record<string, string>, path: Path, check: Check): void {
  if (typeof auth === "string") {
    const known = Object.keys(check.workflow.auth ?? {});
    if (!known.includes(auth)) check.report(unknownAuth(check.at(path), auth, known));
    return;
  }
  const kinds = Object.keys(AUTH_FIELDS);
  const { type } = auth;
  if (type === undefined) {
    check.report(
      badAuth(check.at(path, "key"), 'This auth does not say its "type".', `Types are ${listed(kinds, 20)}.`),
    );
    return;
  }
  const fields = Object.hasOwn(AUTH_FIELDS, type) ? AUTH_FIELDS[type] : undefined;
  if (fields === undefined) {
    check.report(
      badAuth(
        check.at([...path, "type"]),
        `There is no auth type "${type}".${didYouMean(type, kinds)}`,
        `Types are ${listed(kinds, 20)}.`,
      ),
    );
    return;
  }
  for (const field of fields)
    if (!field.endsWith("?") && auth[field] === undefined)
      check.report(badAuth(check.at([...path, "type"]), `An auth of type ${type} needs "${field}".`));
  if (fields.includes("issuer?") && auth.issuer === undefined)
    for (const field of ADDRESSES)
      if (fields.includes(`${field}?`) && auth[field] === undefined)
        check.report(
          badAuth(check.at([...path, "type"]), `An auth of type ${type} needs "${field}", or "issuer" to find it by.`),
        );
  for (const field of [...fields, ...ADDRESSES])
    if (auth[field] === "" && field !== "password")
      check.report(badAuth(check.at([...path, field]), `"${field}" is empty.`));
  for (const name of hostsOf(auth.hosts))
    if (!isHostName(name))
      check.report(
        badAuth(
          check.at([...path, "hosts"]),
          `"${name}" is not the name of a host.`,
          'Write names without scheme, port and path: hosts: [api.example.com, "*.example.org"].',
        ),
      );
  const known = ["type", "hosts", ...fields.map((field) => field.replace("?", ""))];
  for (const field of Object.keys(auth))
    if (!known.includes(field) && !field.startsWith("x-"))
      check.report(
        badAuth(
          check.at([...path, field], "key"),
          `An auth of type ${type} has no field "${field}".${didYouMean(field, known)}`,
          `It has ${listed(known, 20)}.`,
        ),
      );
  for (const [field, words] of Object.entries(WORDS)) {
    const value = auth[field];
    if (value !== undefined && known.includes(field) && !words.includes(value))
      check.report(
        badAuth(
          check.at([...path, field]),
          `"${field}" cannot be "${value}".`,
          `It is ${words.slice(0, -1).join(", ")} or ${words.at(-1)}.`,
        ),
      );
  }
}
