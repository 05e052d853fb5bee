// auth: the credentials of a call (spec 3.6, 2.7). A node's `auth:` is in a 0600 file of the attempt, named by
// CURLEW_HTTP_AUTH.
//   A1. A node's credentials are sent without --auth, as with curl. --auth NAME checks that the node uses that entry.
//   A2. Credentials are never arguments: `bearer=VAR` names an environment variable.
//   A4. A node's credentials go only to the hosts of its entry (spec 8.4).
//   A3. After a 401 they are read again: a node's token may have been renewed, and a token of config.yaml is replaced.

import { appendFileSync, readFileSync } from "node:fs";
import { authProblem, type CurlAuth } from "../../process/curl-config.ts";
import { matchesHost } from "../../workflow/auth-hosts.ts";
import type { Header } from "./headers.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The contents of a node's file. */
interface NodeAuth {
  /** Name of the entry in the workflow's `auth:`. An entry inside a node has no name. */
  name?: string;
  auth: CurlAuth;
  /** The only hosts that it may be sent to. Absent: no limit. */
  hosts?: string[];
}

export interface SignedIn {
  /** The default header of the call. A header of that name set by the author replaces it. */
  first: Header;
  /** The header to send now, in place of `first`. */
  header: Header;
  /** A header with another token than the last one, or undefined. */
  renewed(): Promise<Header | undefined>;
}

/** Undefined without credentials, or if those of the node may not be sent to that host (A4). */
export async function signIn(word: string | undefined, env: Env, url: URL): Promise<SignedIn | undefined> {
  if (word?.includes("=") !== true && isElsewhere(env, url)) return undefined;
  let auth = await authOf(word, env);
  if (auth === undefined) return undefined;
  const first = headerFor(auth);
  const renewed = async (): Promise<Header | undefined> => {
    if (auth?.type !== "bearer") return undefined;
    const next = await authOf(word, env, auth.token);
    if (next?.type !== "bearer" || next.token === auth.token) return undefined;
    auth = next;
    return headerFor(next);
  };
  return { first, header: first, renewed };
}

/** Reports to the node that the call goes without its credentials. */
function isElsewhere(env: Env, { hostname }: URL): boolean {
  const hosts = readNodeAuth(env)?.hosts;
  if (hosts === undefined || matchesHost(hostname.toLowerCase(), hosts)) return false;
  try {
    if (env.CURLEW_HTTP)
      appendFileSync(`${env.CURLEW_HTTP}.${process.pid}`, `\u001eW\u001f${hostname}\u001e`, { mode: 0o600 });
  } catch {
    // The call does not depend on the report.
  }
  return true;
}

/** `rejected`: the token that a server answered with 401. */
async function authOf(word: string | undefined, env: Env, rejected?: string): Promise<CurlAuth | undefined> {
  const ofNode = readNodeAuth(env);
  if (word === undefined) return ofNode?.auth;
  if (word.includes("=")) return fromEnvironment(word, env);
  if (ofNode !== undefined && (ofNode.name === undefined || ofNode.name === word)) return ofNode.auth;
  if (ofNode !== undefined || env.CURLEW_RUN_ID !== undefined)
    throw usage(
      "auth-unknown",
      `--auth ${word}: ${ofNode === undefined ? "This node has no credentials." : `This node signs in by "${ofNode.name}".`}`,
      `Write auth: ${word} on the node, and the entry under auth: of the workflow.`,
    );
  const { configuredAuth } = await import("./auth-config.ts");
  const found = await configuredAuth(word, env, rejected);
  if (found.ok) return found.value;
  throw usage(found.error.code, found.error.message, found.error.hint);
}

function readNodeAuth(env: Env): NodeAuth | undefined {
  if (!env.CURLEW_HTTP_AUTH) return undefined;
  try {
    return JSON.parse(readFileSync(env.CURLEW_HTTP_AUTH, "utf8"));
  } catch {
    const message = "The credentials of this node can't be read, because its attempt is over.";
    throw new HttpProblem(HttpExit.READ, "auth-gone", message, "Make the call before the command ends.");
  }
}

const FORMS =
  "--auth bearer=TOKEN, basic=USER,PASSWORD or header:X-API-Key=API_KEY; each word after = is the name of a variable";

function fromEnvironment(word: string, env: Env): CurlAuth {
  const [, kind = "", name, variables = ""] = /^([a-z]+)(?::([^=]+))?=(.*)$/.exec(word) ?? [];
  const [value = "", password, ...more] = variables.split(",").map((one) => variable(one, env));
  if (more.length === 0 && kind === "basic" && name === undefined && password !== undefined)
    return { type: "basic", username: value, password };
  if (password === undefined && kind === "bearer" && name === undefined) return { type: "bearer", token: value };
  if (password === undefined && kind === "header" && name !== undefined) return { type: "header", name, value };
  throw usage("bad-auth", "--auth does not name a way to sign in.", FORMS);
}

function variable(name: string, env: Env): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw usage("bad-auth", "--auth does not name a variable after =.", FORMS);
  const value = env[name];
  if (value !== undefined) return value;
  const help = `In a node: env: { inherit: [${name}] }, or secrets.`;
  throw usage("auth-variable-missing", `The variable ${name}, which --auth names, is not set.`, help);
}

function headerFor(auth: CurlAuth): Header {
  const problem = authProblem(auth);
  if (problem !== undefined) throw usage(problem.code, problem.message, problem.hint);
  const authorization = (value: string): Header => ({ name: "Authorization", value, secret: true });
  if (auth.type === "bearer") return authorization(`Bearer ${auth.token}`);
  if (auth.type === "basic")
    return authorization(`Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString("base64")}`);
  if (auth.type === "header") return { name: auth.name, value: auth.value, secret: true };
  throw usage("auth-netrc", "curlew http does not read .netrc.", "Use curl, or auth: { type: basic }.");
}
