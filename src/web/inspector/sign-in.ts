// sign-in: writes how a command signs in (`auth`): the node's own credential, or an entry of the workflow. Pure.
//   S1. A credential is a secret, which the workflow names. Its name comes from the host of the command, or the entry.
//   S2. Another choice takes out what the one before added: secrets that nothing names any more, and an entry that is
//       not filled in. So you can walk through the choices with the arrow keys.

import { brandOf } from "../../workflow/import/pasted.ts";
import { setDocumentField } from "../document/edits.ts";
import { isMapValue } from "../document/equal.ts";
import { applied, getIn, nodeOf, nodesOf, setIn, together } from "../document/plain.ts";
import type { Edit, Plain } from "../document/types.ts";
import { withSecrets } from "../editor/curl.ts";
import { setFields } from "./edits.ts";

export const OAUTH = "oauth2-client-credentials";

export const SIGN_INS: Readonly<Record<string, string>> = {
  bearer: "Bearer token",
  basic: "User name and password",
  header: "A key in a header",
  [OAUTH]: "OAuth 2.0, client credentials",
  netrc: "From ~/.netrc",
};

/** The fields that these types need. The type itself is chosen above them. */
export const SIGN_IN_LABELS = {
  type: "",
  token: "Token",
  username: "User name",
  password: "Password",
  name: "Header",
  value: "Value",
  tokenUrl: "Token URL",
  clientId: "Client ID",
  clientSecret: "Client secret",
};

/** Fields that are added with one press. */
export const OFFERED: Readonly<Record<string, readonly string[]>> = { [OAUTH]: ["scope", "audience", "clientAuth"] };

export type SignInChoice = { type: string } | { name: string };

/** Chooses the node's own type, an entry by its name, or none with an empty name. OAuth 2.0 becomes an entry. */
export function chooseForNode(id: string, choice: SignInChoice): Edit {
  return {
    label: "Sign in",
    apply(plain, doc) {
      const { auth: before, content } = nodeOf(plain, id)?.data ?? {};
      const host = /https?:\/\/([^/\s"'?#:]+)/.exec(String(content))?.[1] ?? "";
      const brand = brandOf(host);
      const type = "type" in choice ? choice.type : undefined;
      const isShared = type === OAUTH;
      const name = isShared ? freeName(plain, brand.toLowerCase()) : "name" in choice ? choice.name : "";
      const own = type === undefined || isShared ? undefined : credential(type, brand);
      const auth = own ?? (name === "" ? undefined : name);
      const edits = [
        ...(isShared ? [withEntry(name, credential(type, brand))] : []),
        setFields(id, { auth }, ""),
        withoutUnfilled(before),
      ];
      return together("", [...edits, keepingSecrets(plain)]).apply(plain, doc);
    },
  };
}

/** Adds an entry of the workflow, gives it another type, or removes it. */
export function chooseForEntry(name: string, type: string | undefined): Edit {
  const brand = name.toUpperCase().replace(/\W+/g, "_");
  const label = type === undefined ? `Remove the sign-in ${name}` : `Sign in with ${name}`;
  const edit = withEntry(name, type === undefined ? undefined : credential(type, brand));
  return { label, apply: (plain, doc) => together("", [edit, keepingSecrets(plain)]).apply(plain, doc) };
}

/** S1. */
function credential(type: string, brand: string): Record<string, string> {
  const secret = (word: string) => `\${${`${brand}_${word}`.replace("API_API", "API")}}`;
  if (type === "bearer") return { type, token: secret("TOKEN") };
  if (type === "basic") return { type, username: "", password: secret("PASSWORD") };
  if (type === "header") return { type, name: "X-Api-Key", value: secret("API_KEY") };
  if (type === OAUTH) return { type, tokenUrl: "", clientId: "", clientSecret: secret("CLIENT_SECRET") };
  return { type };
}

function freeName({ auth }: Plain, wanted: string): string {
  const taken = isMapValue(auth) ? auth : {};
  let name = wanted;
  for (let at = 2; Object.hasOwn(taken, name); at += 1) name = `${wanted}_${at}`;
  return name;
}

function withEntry(name: string, entry: Record<string, string> | undefined): Edit {
  return setDocumentField(["auth", name], entry);
}

/** S2. */
function withoutUnfilled(before: unknown): Edit {
  return {
    label: "",
    apply(plain, doc) {
      const isLeft = typeof before === "string" && getIn(plain, ["auth", before, "tokenUrl"]) === "";
      if (!isLeft || nodesOf(plain).some(({ data }) => data?.auth === before)) return applied(plain);
      return withEntry(before, undefined).apply(plain, doc);
    },
  };
}

/** Names the secrets that are new since `before`, and drops those that only it used (S2). */
function keepingSecrets(before: Plain): Edit {
  return {
    label: "",
    apply(plain, doc) {
      const [used, usedBefore] = [namesIn(plain), namesIn(before)];
      const added = [...used].filter((name) => !usedBefore.has(name));
      const known: unknown[] = Array.isArray(plain.secrets) ? plain.secrets : [];
      const kept = known.filter((name) => used.has(String(name)) || !usedBefore.has(String(name)));
      if (kept.length === known.length && added.length === 0) return applied(plain);
      const next = setIn(plain, ["secrets"], kept.length === 0 ? undefined : kept) as Plain;
      return added.length === 0 ? applied(next) : withSecrets(added).apply(next, doc);
    },
  };
}

function namesIn({ auth, nodes, ...rest }: Plain): Set<string> {
  const { secrets: _, ...others } = rest;
  const text = JSON.stringify([auth, nodes, others]);
  return new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
}
