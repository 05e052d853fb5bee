// sign-in: writes how a command signs in (`auth`): the node's own credential, or an entry of the workflow. Pure.
//   S1. A credential is a secret, named after the host of the command or the entry. The workflow declares it while
//       something names it, so you can walk through the choices with the arrow keys.

import { brandOf } from "../../workflow/import/pasted.ts";
import { isMapValue } from "../document/equal.ts";
import {
  applied,
  freeName,
  getIn,
  nodeOf,
  nodesOf,
  type PlainNode,
  setIn,
  withHead,
  withNodes,
} from "../document/plain.ts";
import type { Edit, Plain } from "../document/types.ts";

export const OAUTH = "oauth2-client-credentials";

export const SIGN_INS: Readonly<Record<string, string>> = {
  bearer: "Bearer token",
  basic: "User name and password",
  header: "A key in a header",
  [OAUTH]: "OAuth 2.0, client credentials",
  netrc: "From ~/.netrc",
};

/** The node's own type, or the name of an entry, or none. OAuth 2.0 becomes an entry. */
export function chooseForNode(id: string, { type, name }: { type?: string; name?: string }): Edit {
  return signingIn("Sign in", (plain) => {
    const { auth: before, content } = nodeOf(plain, id)?.data ?? {};
    const brand = brandOf(/https?:\/\/([^/\s"'?#:]+)/.exec(String(content))?.[1] ?? "");
    const entry = type === OAUTH ? freeName(brand.toLowerCase(), new Set(Object.keys(entriesOf(plain)))) : name;
    const auth = type === undefined || type === OAUTH ? entry || undefined : credential(type, brand);
    const own = withNodes(plain, (node) =>
      node.id === id ? (setIn(node, ["data", "auth"], auth, 1) as PlainNode) : node,
    );
    const next = type === OAUTH ? withEntry(own, entry!, credential(type, brand)) : own;
    const isLeft = typeof before === "string" && getIn(next, ["auth", before, "tokenUrl"]) === "";
    const isUsed = nodesOf(next).some(({ data }) => data?.auth === before);
    return isLeft && !isUsed ? withEntry(next, before, undefined) : next;
  });
}

/** Adds an entry of the workflow, gives it another type, or removes it. */
export function chooseForEntry(name: string, type: string | undefined): Edit {
  const brand = name.toUpperCase().replace(/\W+/g, "_");
  const label = type === undefined ? `Remove the sign-in ${name}` : `Sign in with ${name}`;
  return signingIn(label, (plain) => withEntry(plain, name, type === undefined ? undefined : credential(type, brand)));
}

/** S1. */
function signingIn(label: string, change: (plain: Plain) => Plain): Edit {
  return {
    label,
    apply(before) {
      const plain = change(before);
      const [was, is] = [namesIn(before), namesIn(plain)];
      const known: unknown[] = Array.isArray(plain.secrets) ? plain.secrets : [];
      const kept = known.filter((name) => is.has(String(name)) || !was.has(String(name)));
      const secrets = [...kept, ...[...is].filter((name) => !was.has(name) && !kept.includes(name))];
      return applied(withHead(plain, "secrets", secrets.length === 0 ? undefined : secrets));
    },
  };
}

function namesIn({ secrets: _, ...others }: Plain): Set<string> {
  return new Set([...JSON.stringify(others).matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
}

function credential(type: string, brand: string): Plain {
  const secret = (word: string) => `\${${`${brand}_${word}`.replace("API_API", "API")}}`;
  if (type === "bearer") return { type, token: secret("TOKEN") };
  if (type === "basic") return { type, username: "", password: secret("PASSWORD") };
  if (type === "header") return { type, name: "X-Api-Key", value: secret("API_KEY") };
  if (type === OAUTH) return { type, tokenUrl: "", clientId: "", clientSecret: secret("CLIENT_SECRET") };
  return { type };
}

function withEntry(plain: Plain, name: string, entry: Plain | undefined): Plain {
  const { [name]: _, ...others } = entriesOf(plain);
  const auth = entry === undefined ? others : { ...entriesOf(plain), [name]: entry };
  return withHead(plain, "auth", Object.keys(auth).length === 0 ? undefined : auth);
}

const entriesOf = ({ auth }: Plain): Plain => (isMapValue(auth) ? auth : {});
