// check/auth: an `auth:` entry has a kind that exists, and the fields of that kind (spec 2.7).

import { badAuth, unknownAuth } from "../diagnostics/node.ts";
import { didYouMean, listed } from "../nearest.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";

/** Fields of each kind; those with a question mark may be left out. */
export const AUTH_FIELDS: Record<string, readonly string[]> = {
  bearer: ["token"],
  basic: ["username", "password"],
  header: ["name", "value"],
  netrc: ["file?"],
  "oauth2-client-credentials": ["tokenUrl", "clientId", "clientSecret", "scope?", "audience?", "body?"],
  "oauth2-refresh": ["tokenUrl", "clientId", "refreshToken", "clientSecret?", "scope?", "audience?", "body?"],
  "oauth2-device": ["deviceUrl", "tokenUrl", "clientId", "clientSecret?", "scope?", "audience?", "body?"],
  "oauth2-authorization-code": [
    "authorizationUrl",
    "tokenUrl",
    "clientId",
    "clientSecret?",
    "scope?",
    "audience?",
    "redirectUrl?",
    "body?",
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
  const known = ["type", ...fields.map((field) => field.replace("?", ""))];
  for (const field of Object.keys(auth))
    if (!known.includes(field) && !field.startsWith("x-"))
      check.report(
        badAuth(
          check.at([...path, field], "key"),
          `An auth of type ${type} has no field "${field}".${didYouMean(field, known)}`,
          `It has ${listed(known, 20)}.`,
        ),
      );
  if (auth.body !== undefined && known.includes("body") && auth.body !== "json" && auth.body !== "form")
    check.report(badAuth(check.at([...path, "body"]), `"body" cannot be "${auth.body}".`, "It is json or form."));
}
