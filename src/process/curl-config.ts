// curl-config: generates a curl configuration: https only, and credentials (spec 4.2, 2.7).
//   U1. The user's own .curlrc comes first and keeps working. Curlew's options come after it.
//   U2. A value is quoted with every character kept. A value that could start another line or header is rejected.
//   U3. Nothing of it is ever an argument or a variable: curl finds the folder by CURL_HOME.
// In curl, `--next` on a command line resets the configuration and `-q` skips it (docs/reference/signing-in.md).

import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Failure, failureOf } from "../base/failure.ts";

export type CurlAuth =
  | { type: "bearer"; token: string }
  | { type: "basic"; username: string; password: string }
  | { type: "header"; name: string; value: string }
  /** `file`: absolute path. Absent: the user's ~/.netrc. */
  | { type: "netrc"; file?: string };

export interface CurlConfig {
  /**
   * `https`: only https. `with-http`: http as well, because a loopback URL is called. `mixed`: the same, but https URLs
   * must not redirect to http. Absent: everything that curl supports.
   */
  protocols?: "https" | "with-http" | "mixed" | undefined;
  /** The user's own file, absolute. */
  userFile?: string | undefined;
  auth?: CurlAuth | undefined;
  /** Replaces any proxy in the user's file. */
  proxy?: string | undefined;
}

/** The text of a `.curlrc`. Empty if there is nothing to configure. */
export function curlConfigText(config: CurlConfig): string {
  const ours = [...protocolLines(config.protocols), ...proxyLines(config.proxy), ...authLines(config.auth)];
  if (ours.length === 0) return "";
  const first = config.userFile === undefined ? [] : [line("config", config.userFile)];
  return `${[...first, ...ours].join("\n")}\n`;
}

/** The configuration file that curl would use, searched in curl's order. Undefined if it does not exist. */
export function userCurlrc(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { CURL_HOME, XDG_CONFIG_HOME, HOME } = env;
  const places = [
    [CURL_HOME, ".curlrc"],
    [XDG_CONFIG_HOME, ".curlrc"],
    [XDG_CONFIG_HOME, "curlrc"],
    [HOME, ".curlrc"],
    ...(XDG_CONFIG_HOME ? [] : [[HOME, ".config/curlrc"]]),
    [HOME ? undefined : homeOfUser(), ".curlrc"],
  ];
  for (const [folder, name] of places) {
    const file = folder ? join(folder, name!) : undefined;
    if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
  }
  return undefined;
}

/** A problem with these credentials. Failures: `auth-value`, `auth-empty`. The message never contains the value. */
export function authProblem(auth: CurlAuth): Failure | undefined {
  const fields = Object.entries(auth).filter(([field]) => field !== "type");
  for (const [field, text] of fields) {
    if (text === "" && field !== "password") return empty(auth.type, field);
    const bad = /[\r\n\0]/.exec(text)?.[0];
    if (bad !== undefined) return unsafe(auth.type, field, `a ${bad === "\0" ? "NUL character" : "line break"}`);
    if (!text.isWellFormed()) return unsafe(auth.type, field, "half a character");
  }
  if (auth.type === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(auth.name))
    return unsafe("header", "name", "a character that is not allowed in a header name");
  if (auth.type === "basic" && auth.username.includes(":")) return unsafe("basic", "username", "a colon");
  return undefined;
}

/** Texts to mask, including what is sent for them. */
export function secretsOfAuth(auth: CurlAuth): string[] {
  switch (auth.type) {
    case "bearer":
      return [auth.token];
    case "basic":
      return [auth.password, `${auth.username}:${auth.password}`];
    case "header":
      return [auth.value];
    case "netrc":
      return [];
  }
}

function protocolLines(protocols: CurlConfig["protocols"]): string[] {
  if (protocols === undefined) return [];
  const allowed = protocols === "https" ? "=https" : "=http,https";
  const lines = [line("proto", allowed), line("proto-redir", protocols === "mixed" ? "=https" : allowed)];
  return protocols === "https" ? [...lines, line("proto-default", "https")] : lines;
}

function proxyLines(proxy: string | undefined): string[] {
  return proxy === undefined ? [] : [line("proxy", proxy), line("noproxy", "")];
}

function authLines(auth: CurlAuth | undefined): string[] {
  switch (auth?.type) {
    case undefined:
      return [];
    case "bearer":
      return [line("oauth2-bearer", auth.token)];
    case "basic":
      return [line("user", `${auth.username}:${auth.password}`)];
    case "header":
      return [line("header", `${auth.name}: ${auth.value}`)];
    case "netrc":
      return [auth.file === undefined ? "netrc" : line("netrc-file", auth.file)];
  }
}

/** U2. In quotes curl knows \\ and \" (and \t, \n, \r, \v, which are not needed here). */
function line(option: string, value: string): string {
  return `${option} = "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

const unsafe = failureOf("auth-value", (type: string, field: string, what: string) => [
  `The ${field} of the ${type} auth contains ${what}, which is not allowed there.`,
  "Check the source of the value. A file often ends with a newline that is not part of the secret.",
]);

const empty = failureOf("auth-empty", (type: string, field: string) => [
  `The ${field} of the ${type} auth is empty.`,
  "Set the secret or variable in it.",
]);
