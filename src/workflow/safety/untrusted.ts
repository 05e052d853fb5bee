// safety/untrusted: values that nobody vouches for, among the arguments of a call that changes something (spec 4.2).
//   U1. Standard input and |file are the safe way and never ask: the value is data there.
//   U2. Whatever the guards of templates make sure of: the value is one word with exactly its bytes. This asks whether it is meant.
//   U3. What signs a call in never asks: a token that the run fetched is a command's output by nature (mission, section 5), and behind
//       `Authorization:` or -u it decides nothing but who is asking.

import { curlCalls } from "./curl.ts";
import { deletes } from "./deletes.ts";
import { changes, requestsOf } from "./requests.ts";
import type { Call } from "./script.ts";
import { headOf, type Term, textOf, valuesIn } from "./terms.ts";

/** Programs that change files by their arguments, for the page. */
export const CHANGING: ReadonlySet<string> = new Set([
  "rm",
  "rmdir",
  "unlink",
  "mv",
  "cp",
  "dd",
  "ln",
  "install",
  "chmod",
  "chown",
  "truncate",
  "rsync",
  "scp",
  "kill",
  "pkill",
]);

/** Programs that put on this machine, or start, what a word names, by their verbs. */
export const FETCHING: Readonly<Record<string, RegExp>> = {
  npm: /^(?:install|i|add|update|up)$/,
  pnpm: /^(?:install|i|add|update|up)$/,
  yarn: /^(?:add|upgrade)$/,
  bun: /^(?:install|i|add)$/,
  pip: /^install$/,
  pip3: /^install$/,
  pipx: /^install$/,
  uv: /^(?:install|add)$/,
  poetry: /^add$/,
  gem: /^install$/,
  cargo: /^(?:install|add)$/,
  go: /^(?:install|get)$/,
  apt: /^install$/,
  "apt-get": /^install$/,
  dnf: /^install$/,
  apk: /^add$/,
  brew: /^install$/,
  docker: /^(?:run|create|pull)$/,
  podman: /^(?:run|create|pull)$/,
  helm: /^(?:install|upgrade)$/,
  kubectl: /^(?:run|create|apply|debug)$/,
};

export function untrustedArgument(call: Call): { at: Term; name: string; from: string; what: string } | undefined {
  const what = changeOf(call);
  if (what === undefined) return undefined;
  const signs = credentialWords(call);
  for (const word of [...call.args, ...call.wrappers.flatMap(({ own }) => own)]) {
    if (signs.has(word)) continue;
    for (const { name, meaning, filter } of valuesIn(word))
      if (meaning.untrusted !== undefined && filter !== "file")
        return { at: word, name, from: meaning.untrusted, what };
  }
  return undefined;
}

const CREDENTIAL_OPTIONS: ReadonlySet<string> = new Set(["user", "proxy-user", "oauth2-bearer"]);
const CREDENTIAL_HEADER = /^(?:(?:proxy-)?authorization|(?:[\w-]+-)?(?:api-?key|token)):/i;

/** U3: the words of a curl call that say who is asking. */
function credentialWords(call: Call): ReadonlySet<Term> {
  if (call.name !== "curl") return new Set();
  const options = curlCalls(call.args).flatMap((one) => one.options);
  const signing = options.filter(
    ({ name, value }) =>
      CREDENTIAL_OPTIONS.has(name) ||
      (name === "header" && value !== undefined && CREDENTIAL_HEADER.test(headOf(value))),
  );
  return new Set(signing.flatMap(({ at, value }) => (value === undefined ? [at] : [at, value])));
}

function changeOf(call: Call): string | undefined {
  const request = requestsOf(call).find(changes);
  if (request !== undefined)
    return request.method === undefined
      ? `${request.client} sends a request`
      : `${request.client} sends ${request.method}`;
  if (call.name !== undefined && CHANGING.has(call.name)) return `${call.name} changes files`;
  return fetches(call) ?? deletes(call)?.says;
}

/** `python3 -m pip` is pip. */
function fetches({ name, args }: Call): string | undefined {
  const words = args.map((word) => textOf(word) ?? "");
  const program = /^python[0-9.]*$/.test(name ?? "") && words[0] === "-m" ? words.shift() && words.shift() : name;
  const verbs = program !== undefined && Object.hasOwn(FETCHING, program) ? FETCHING[program] : undefined;
  const verb = words.find((word) => verbs?.test(word));
  return verb === undefined ? undefined : `${program} ${verb} brings what runs here`;
}
