// An `auth:` entry of an oauth2 type with its templates filled in: where a token comes from, and which
// client requests it (spec 2.7, 3.6).
//   G1. URLs use https, or http on this machine, and contain no user name, password, or fragment.
//   G2. Two entries are the same if all fields are equal. Without the client's secret, no
//       one gets the token it was used for.

import { createHmac } from "node:crypto";
import { type Failure, failureOf } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { keyFor } from "../home-key.ts";

const GRANT_TYPES = [
  "oauth2-client-credentials",
  "oauth2-refresh",
  "oauth2-device",
  "oauth2-authorization-code",
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

export interface Grant {
  /** For display: the entry's name, or otherwise its type. */
  name: string;
  type: GrantType;
  issuer?: string;
  tokenUrl?: string;
  deviceUrl?: string;
  authorizationUrl?: string;
  /** On 127.0.0.1 or localhost. Without a port, or with port 0, any free port is used. */
  redirectUrl?: string;
  clientId: string;
  clientSecret?: string;
  /** For `oauth2-refresh`: the initial refresh token. */
  refreshToken?: string;
  scope?: string;
  audience?: string;
  resource?: string;
  body: "form" | "json";
  /** Absent: as the issuer requires. Otherwise `post` with a secret and `none` without. */
  clientAuth?: "basic" | "post" | "none";
}

export function isGrantType(type: string | undefined): type is GrantType {
  return (GRANT_TYPES as readonly (string | undefined)[]).includes(type);
}

/** Whether a person must sign in for the first token. */
export function needsPerson({ type }: Pick<Grant, "type">): boolean {
  return type === "oauth2-device" || type === "oauth2-authorization-code";
}

const ADDRESSES = ["issuer", "tokenUrl", "deviceUrl", "authorizationUrl", "redirectUrl"] as const;
const NEEDED: Record<GrantType, readonly (keyof Grant)[]> = {
  "oauth2-client-credentials": ["clientId", "clientSecret"],
  "oauth2-refresh": ["clientId", "refreshToken"],
  "oauth2-device": ["clientId"],
  "oauth2-authorization-code": ["clientId"],
};

/** `fields`: as in the document, with templates filled in. Failures `auth-empty`, `auth-value`, `auth-not-https`. */
export function grantOf(name: string | undefined, fields: Readonly<Record<string, string>>): Result<Grant, Failure> {
  const type = fields.type as GrantType;
  const { body = "form" } = fields;
  const grant = { ...fields, name: name ?? type, type, body } as Grant;
  const empty = NEEDED[type].find((field) => (grant[field] ?? "") === "");
  if (empty !== undefined) return err(emptyField(grant, empty));
  for (const [field, text] of Object.entries(fields)) {
    if (/[\r\n\0]/.test(text)) return err(unsafe(grant, field, "a newline or a NUL character"));
    if (!text.isWellFormed()) return err(unsafe(grant, field, "half a character"));
  }
  for (const field of ADDRESSES) {
    const problem = grant[field] === undefined ? undefined : addressProblem(grant, field, grant[field]);
    if (problem !== undefined) return err(problem);
  }
  return ok(grant);
}

/** Texts that must always be masked. */
export function secretsOfGrant({ clientId, clientSecret, refreshToken }: Grant): string[] {
  const basic = clientSecret === undefined ? [] : [clientSecret, `${clientId}:${clientSecret}`];
  return [...basic, ...(refreshToken === undefined ? [] : [refreshToken])];
}

/**
 * G2: 32 hexadecimal digits that reveal nothing about the fields without the data
 * directory's key. Failures `home-key-*`.
 */
export function idOfGrant(grant: Grant, home: string): Result<string, Failure> {
  const key = keyFor("tokens", home);
  if (!key.ok) return key;
  const { name: _, ...fields } = grant;
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return ok(createHmac("sha256", key.value).update(JSON.stringify(sorted)).digest("hex").slice(0, 32));
}

export function isLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** The host of the token endpoint, for display. */
export function hostOf({ tokenUrl, issuer }: Grant): string {
  return new URL(tokenUrl ?? issuer ?? "https://unknown.invalid").host;
}

/** G1. The URL may contain values, so only its host is shown. */
function addressProblem(grant: Grant, field: string, text: string): Failure | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return notHttps(grant, field, "is not a URL");
  if (url.username !== "" || url.password !== "") return notHttps(grant, field, "contains a user name or a password");
  if (url.hash !== "") return notHttps(grant, field, "contains a fragment (#)");
  if (field === "redirectUrl")
    return url.protocol === "http:" && isLoopback(url)
      ? undefined
      : notHttps(grant, field, "must be an http URL of this machine, such as http://127.0.0.1:8976/callback");
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return undefined;
  return notHttps(grant, field, `begins with ${url.protocol}//`);
}

const notHttps = failureOf("auth-not-https", ({ name }: Grant, field: string, what: string) => [
  `The ${field} of the auth "${name}" ${what}. Nothing was sent.`,
  "Curlew requests tokens only by https, or by http on this machine.",
]);

const emptyField = failureOf("auth-empty", ({ name }: Grant, field: string) => [
  `The ${field} of the auth "${name}" is empty.`,
  "Set the secret or variable in it.",
]);

const unsafe = failureOf("auth-value", ({ name }: Grant, field: string, what: string) => [
  `The ${field} of the auth "${name}" contains ${what}, which is not allowed there.`,
  "Check the source of the value. A file often ends with a newline that is not part of the secret.",
]);
