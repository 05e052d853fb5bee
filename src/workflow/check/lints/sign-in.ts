// safety/lints/sign-in: suggests the `auth:` that replaces a secret on curl's command line (spec 4.2, "offers it as a
// fix-it").
//   F1. Offered only if the result means the same: the whole header or user, from references that `auth:` can name.

import type { Call, Term } from "../../../shell/safety/index.ts";
import { curlCalls } from "../../../shell/safety/index.ts";

const CHARS_MAX = 200;

/**
 * `auth: { type: bearer, token: "${TOKEN}" }`; undefined if there is no equivalent. `exported`: names of env.static,
 * which auth cannot use.
 */
export function signInFor(call: Call, word: Term, exported: ReadonlySet<string>): string | undefined {
  if (call.name !== "curl") return undefined;
  const [only, ...more] = curlCalls(call.args);
  if (only === undefined || more.length > 0) return undefined;
  const option = only.options.find(({ at, value }) => at === word || value === word);
  const text = option?.value === undefined ? undefined : templateOf(option.value, exported);
  if (text === undefined || text.length > CHARS_MAX) return undefined;
  if (option?.name === "header") return ofHeader(text);
  return option?.name === "user" ? ofUser(text) : undefined;
}

/** The word as a template of the workflow; undefined if it depends on the shell. */
function templateOf({ pieces }: Term, exported: ReadonlySet<string>): string | undefined {
  let text = "";
  for (const { text: written, value, dynamic } of pieces) {
    if (dynamic !== undefined) return undefined;
    if (value === undefined) text += written ?? "";
    else {
      const root = /^\$\{([A-Za-z_]\w*)/.exec(value.name)?.[1];
      if (root === undefined || exported.has(root)) return undefined;
      text += value.name;
    }
  }
  return text;
}

function ofHeader(text: string): string | undefined {
  const [, name = "", value = ""] = /^([A-Za-z0-9-]+):\s*(.+)$/.exec(text) ?? [];
  if (name === "") return undefined;
  const [, token] = /^authorization$/i.test(name) ? (/^Bearer\s+(\S+)$/i.exec(value) ?? []) : [];
  if (token !== undefined) return `auth: { type: bearer, token: ${JSON.stringify(token)} }`;
  return `auth: { type: header, name: ${name}, value: ${JSON.stringify(value)} }`;
}

function ofUser(text: string): string | undefined {
  const [, user, password] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (user === undefined) return undefined;
  return `auth: { type: basic, username: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }`;
}
