// auth: who sends the request (spec 3.6, 2.7). A node's `auth:` reaches `curlew http` as it reaches curl: in a 0600 file of the attempt,
// whose path stands in CURLEW_HTTP_AUTH (nodes/curl.ts).
//   W1. A node's credentials are sent without being asked for, as curl sends them; --auth NAME makes sure that it is those.
//   W2. No credential is an argument. `bearer=VAR` names a variable of the environment.
//   W3. After a 401 they are looked for again: a node's may have been renewed since, and a token of config.yaml is dropped for another.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { authProblem, type CurlAuth } from "../../process/curl-config.ts";
import type { SignedIn } from "./call.ts";
import type { Header } from "./headers.ts";
import { netrcLogin } from "./netrc.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What a node hands over. */
export interface HandedAuth {
  /** Of the document's `auth:`; absent when it stands on the node itself. */
  name?: string;
  auth: CurlAuth;
}

/** The header that signs a call to this host in; undefined: nobody signs in. */
export async function signIn(word: string | undefined, url: URL, env: Env): Promise<SignedIn | undefined> {
  const auth = await authOf(word, env);
  const first = auth === undefined ? undefined : checkedHeader(auth, url);
  if (auth === undefined || first === undefined) return undefined;
  let known: CurlAuth = auth;
  const again = async (): Promise<Header | undefined> => {
    const next = known.type === "bearer" ? await authOf(word, env, known.token) : undefined;
    if (next === undefined || (next.type === "bearer" && known.type === "bearer" && next.token === known.token))
      return undefined;
    known = next;
    return checkedHeader(next, url);
  };
  return { first, header: first, again };
}

function checkedHeader(auth: CurlAuth, url: URL): Header | undefined {
  const problem = authProblem(auth);
  if (problem !== undefined) throw usage(problem.code, problem.message, problem.hint);
  return headerFor(auth, url);
}

/** W3. `refused`: the token that a server said 401 to. */
async function authOf(word: string | undefined, env: Env, refused?: string): Promise<CurlAuth | undefined> {
  const handed = handedAuth(env);
  if (word === undefined) return handed?.auth;
  if (word.includes("=")) return fromEnvironment(word, env);
  if (handed !== undefined && (handed.name === undefined || handed.name === word)) return handed.auth;
  if (handed !== undefined)
    throw unknown(word, `This node signs in by "${handed.name}".`, `Write auth: ${word} on the node.`);
  if (env.CURLEW_RUN_ID !== undefined)
    throw unknown(
      word,
      "This node was given no credentials.",
      `Write auth: ${word} on the node, and the entry under auth: of the document.`,
    );
  const { configuredAuth } = await import("./auth-config.ts");
  const found = await configuredAuth(word, env, refused);
  if (found.ok) return found.value;
  throw usage(found.error.code, found.error.message, found.error.hint);
}

function unknown(word: string, message: string, help: string): HttpProblem {
  return usage("auth-unknown", `--auth ${word}: ${message}`, help);
}

function handedAuth(env: Env): HandedAuth | undefined {
  const file = env.CURLEW_HTTP_AUTH;
  if (!file) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as HandedAuth;
  } catch {
    throw new HttpProblem(
      HttpExit.READ,
      "auth-gone",
      "The credentials of this node cannot be read any more: its attempt is over.",
      "Make the call before the command ends.",
    );
  }
}

const FORMS =
  "--auth bearer=TOKEN, basic=USER,PASSWORD or header:X-API-Key=API_KEY; each word after = is the name of a variable";

/** W2. */
function fromEnvironment(word: string, env: Env): CurlAuth {
  const [, kind = "", header, names = ""] = /^([a-z]+)(?::([^=]+))?=(.*)$/.exec(word) ?? [];
  const values = names.split(",").map((name) => variable(name, env));
  const [one = "", two] = values;
  if (kind === "bearer" && header === undefined && values.length === 1) return { type: "bearer", token: one };
  if (kind === "basic" && header === undefined && two !== undefined && values.length === 2)
    return { type: "basic", username: one, password: two };
  if (kind === "header" && header !== undefined && values.length === 1)
    return { type: "header", name: header, value: one };
  throw usage("bad-auth", "--auth names no way to sign in.", FORMS);
}

function variable(name: string, env: Env): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw usage("bad-auth", "--auth names no variable after =.", FORMS);
  const value = env[name];
  if (value !== undefined) return value;
  throw usage(
    "auth-variable-missing",
    `The variable ${name}, which --auth names, is not set.`,
    `In a node: env: { inherit: [${name}] }, or secrets.`,
  );
}

function headerFor(auth: CurlAuth, url: URL): Header | undefined {
  const authorization = (value: string): Header => ({ name: "Authorization", value, secret: true });
  switch (auth.type) {
    case "bearer":
      return authorization(`Bearer ${auth.token}`);
    case "basic":
      return authorization(basic(auth.username, auth.password));
    case "header":
      return { name: auth.name, value: auth.value, secret: true };
    case "netrc": {
      const login = netrcLogin(auth.file ?? join(homedir(), ".netrc"), url.hostname);
      return login === undefined ? undefined : authorization(basic(login.login, login.password));
    }
  }
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
