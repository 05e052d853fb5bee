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
const AUTH_FIELDS: Record<string, readonly string[]> = {
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

/** `field`: absent for a problem of the whole entry. `isKey`: the name of the field is wrong, not its value. */
interface AuthProblem {
  field?: string;
  isKey?: true;
  message: string;
  help?: string;
}

/** The problems of an entry in a workflow or in config.yaml. */
export function authProblems(auth: Readonly<Record<string, string>>): AuthProblem[] {
  const kinds = Object.keys(AUTH_FIELDS);
  const types = `Types are ${listed(kinds, 20)}.`;
  const { type } = auth;
  if (type === undefined) return [{ message: 'This auth does not say its "type".', help: types }];
  const fields = Object.hasOwn(AUTH_FIELDS, type) ? AUTH_FIELDS[type] : undefined;
  if (fields === undefined)
    return [{ field: "type", message: `There is no auth type "${type}".${didYouMean(type, kinds)}`, help: types }];
  const problems: AuthProblem[] = [];
  for (const field of fields)
    if (!field.endsWith("?") && auth[field] === undefined)
      problems.push({ field: "type", message: `An auth of type ${type} needs "${field}".` });
    else if (ADDRESSES.includes(field.slice(0, -1)) && (auth.issuer ?? auth[field.slice(0, -1)]) === undefined) {
      const message = `An auth of type ${type} needs "${field.slice(0, -1)}", or "issuer" to find it by.`;
      problems.push({ field: "type", message });
    }
  for (const name of hostsOf(auth.hosts))
    if (!isHostName(name))
      problems.push({ field: "hosts", message: `"${name}" is not the name of a host.`, help: HOSTS });
  const known = ["type", "hosts", ...fields.map((field) => field.replace("?", ""))];
  for (const [field, value] of Object.entries(auth)) {
    const words = WORDS[field];
    if (value === "" && field !== "password" && (fields.includes(field) || ADDRESSES.includes(field)))
      problems.push({ field, message: `"${field}" is empty.` });
    if (!known.includes(field) && !field.startsWith("x-")) {
      const message = `An auth of type ${type} has no field "${field}".${didYouMean(field, known)}`;
      problems.push({ field, isKey: true, message, help: `It has ${listed(known, 20)}.` });
    } else if (words !== undefined && known.includes(field) && !words.includes(value)) {
      const help = `It is ${words.slice(0, -1).join(", ")} or ${words.at(-1)}.`;
      problems.push({ field, message: `"${field}" cannot be "${value}".`, help });
    }
  }
  return problems;
}

const HOSTS = 'Write names without scheme, port and path: hosts: [api.example.com, "*.example.org"].';

export function checkAuth(auth: string | Record<string, string>, path: Path, check: Check): void {
  if (typeof auth === "string") {
    const known = Object.keys(check.workflow.auth ?? {});
    if (!known.includes(auth)) check.report(unknownAuth(check.at(path), auth, known));
    return;
  }
  for (const { field, isKey, message, help } of authProblems(auth)) {
    const what = isKey || field === undefined ? "key" : "value";
    check.report(badAuth(check.at(field === undefined ? path : [...path, field], what), message, help));
  }
}
