// curl: writes the configuration that a command's curl reads from CURL_HOME (spec 4.2 "HTTPS only", "Off the command
// line").
//   K1. Calls use https, and http only for a loopback URL. With `advanced` or `egress: any` curl is not restricted.
//   K2. Credentials are only in a 0600 file of the attempt. It is removed when the attempt ends, or when its run is
//       resumed.
//   K3. Without credentials, attempts of a run with the same settings share one file.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { ok, type Result } from "../../base/result.ts";
import { type CurlAuth, type CurlConfig, curlConfigText } from "../../process/curl-config.ts";
import type { Grant } from "../../secrets/tokens/grant.ts";
import { allowsPlain, curlNeedsPlainHttp, isLoopbackUrl, schemeOf } from "../../shell/safety/index.ts";
import type { CliNode, Workflow } from "../../workflow/model.ts";
import { entryOf, signInOf } from "../auth.ts";
import type { NodeContext } from "../context.ts";
import type { RunFiles } from "../values.ts";
import { authHosts } from "./auth-hosts.ts";

export interface CurlSettings {
  protocols: CurlConfig["protocols"];
  auth: CurlAuth | undefined;
  /** How to get a token when the command starts. The token becomes `auth`. */
  grant?: Grant;
  /** The only hosts that the credentials may be sent to. Absent: no limit. */
  hosts?: string[];
}

/** Files written for one attempt. */
export interface WrittenCurl {
  /** For the command's environment. */
  variables: Record<string, string>;
  /** Files that the command must be able to read. */
  files: string[];
  /** Files to remove when the attempt has ended. */
  ofAttempt: string[];
}

/** Prefix of the names of attempts' folders. */
export const OF_ATTEMPT = "auth-";

/**
 * curl's settings for this node. Credentials in them are masked from now on. Failures: `auth-*`, and those of
 * templates.
 */
export async function curlSettings(
  node: CliNode,
  context: NodeContext,
  values: Iterable<string>,
  home: string,
): Promise<Result<CurlSettings, Failure>> {
  const signIn = await signInOf(node, context, home);
  if (!signIn.ok) return signIn;
  const protocols = protocolsOf(node, context.workflow, [...values]);
  if (signIn.value === undefined) return ok({ protocols, auth: undefined });
  const hosts = await authHosts(node, context, home);
  return hosts.ok ? ok({ protocols, auth: undefined, ...signIn.value, hosts: hosts.value }) : hosts;
}

/**
 * `env`: the command's environment. `stem`: names the attempt. `userFile`: the user's .curlrc, if the command can see
 * it.
 */
export function writeCurl(
  settings: CurlSettings,
  given: {
    env: Readonly<Record<string, string>>;
    files: RunFiles;
    stem: string;
    userFile: string | undefined;
    proxy: string | undefined;
  },
): WrittenCurl {
  const { auth, hosts } = settings;
  const { userFile } = given;
  const main = writeConfig({ ...settings, userFile, proxy: given.proxy }, given, given.stem);
  if (main === undefined) return { variables: {}, files: [], ofAttempt: [] };
  const limited = auth === undefined ? undefined : hosts;
  const without =
    limited === undefined
      ? undefined
      : writeConfig({ ...settings, auth: undefined, userFile, proxy: given.proxy }, given, `${given.stem}.bare`);
  const netrc = auth?.type === "netrc" ? [auth.file ?? join(given.env.HOME ?? homedir(), ".netrc")] : [];
  const written = without === undefined ? [main] : [main, without];
  return {
    variables: { CURL_HOME: main.folder, ...(limited === undefined ? {} : limitOf(limited, auth!, without?.folder)) },
    files: [
      ...written.map(({ folder }) => join(folder, ".curlrc")),
      ...(userFile === undefined ? [] : [userFile]),
      ...netrc.filter((path) => existsSync(path)),
    ],
    ofAttempt: written.flatMap(({ folder, ofAttempt }) => (ofAttempt ? folder : [])),
  };
}

/** Undefined if there is nothing to configure. `stem` names the folder of a file for one attempt. */
function writeConfig(
  config: CurlConfig,
  { files }: { files: RunFiles },
  stem: string,
): { folder: string; ofAttempt: boolean } | undefined {
  const text = curlConfigText(config);
  if (text === "") return undefined;
  const ofAttempt = config.auth !== undefined || config.proxy !== undefined;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const folder = files.path(ofAttempt ? `${OF_ATTEMPT}${stem}` : `curl-${digest}`);
  if (ofAttempt || !files.has(`curl-${digest}/.curlrc`)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, ".curlrc"), text, { mode: 0o600 });
  }
  return { folder, ofAttempt };
}

/**
 * For the front of curl (process/http-observer/curl-front.ts), which calls without the credentials where a URL leads to
 * another host. `CURLEW_AUTH_KEEPS`: a redirect takes the header along, because curl drops only Authorization.
 */
function limitOf(hosts: readonly string[], auth: CurlAuth, without: string | undefined): Record<string, string> {
  const keeps = auth.type === "header" && !/^authorization$/i.test(auth.name);
  return {
    CURLEW_AUTH_HOSTS: hosts.join(" "),
    ...(without === undefined ? {} : { CURLEW_AUTH_WITHOUT: without }),
    ...(keeps ? { CURLEW_AUTH_KEEPS: "1" } : {}),
  };
}

/** Files with the credentials of one attempt, as absolute paths. */
export function authFiles(files: RunFiles, stem: string): string[] {
  const folder = files.path(`${OF_ATTEMPT}${stem}`);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** K2: paths of all attempts' credentials in the folder of a run. Absolute paths. */
export function authFilesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => (name.startsWith(OF_ATTEMPT) ? [join(folder, name)] : []));
}

/**
 * Reports the first node that cannot sign in as configured, before anything runs. Failures: `auth-unknown`,
 * `auth-config`, `config-*`.
 */
export async function unknownAuth(workflow: Workflow, home: string): Promise<Failure | undefined> {
  for (const node of workflow.nodes) {
    const entry =
      node.type === "cli" && node.data.auth !== undefined ? await entryOf(node, workflow, home) : ok(undefined);
    if (!entry.ok) return entry.error;
  }
  return undefined;
}

/** K1. */
function protocolsOf(node: CliNode, workflow: Workflow, values: readonly string[]): CurlConfig["protocols"] {
  if (allowsPlain(node.data, workflow)) return undefined;
  const { content } = node.data;
  if (!curlNeedsPlainHttp(content, values) && !callsLoopbackWithoutScheme(content, values)) return "https";
  const isMixed = /\bhttps:\/\//i.test(content) || values.some((value) => /^\s*https:\/\//i.test(value));
  return isMixed ? "mixed" : "with-http";
}

/** `curl localhost:8080`: curl assumes http if the URL has no scheme. */
function callsLoopbackWithoutScheme(text: string, values: readonly string[]): boolean {
  const lines = text.replaceAll(/\\\r?\n/g, " ").split("\n");
  const calls = lines.filter((line) => /\bcurl\b/.test(line)).join("\n");
  if (calls === "") return false;
  if (/(?<![\w.:/@-])(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?=[\s/"'?;|&)]|$)/im.test(calls)) return true;
  return values.some((value) => value.length < 2_048 && schemeOf(value) === undefined && isLoopbackUrl(value));
}
