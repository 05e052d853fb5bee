// auth-config: puts `curlew` on the PATH of every command, and passes credentials and the plain-http rule to `curlew
// http` (spec 3.6, 4.2). It is this Curlew with this Node.js, whatever else is installed.
//   O1. Credentials are in a 0600 file of the attempt, in the same folder as curl's (curl.ts K2), never in arguments or
//       variables.
//   O2. One small file per run. No process is started for it.
// A command without PATH does not get one.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { CliNode } from "../../workflow/model.ts";
import type { RunFiles } from "../values.ts";
import { type CurlSettings, OF_ATTEMPT } from "./curl.ts";

export interface WrittenClient {
  /** For the command's environment. */
  variables: Record<string, string>;
  /** Files that the command must be able to read. */
  files: string[];
  /** Files to remove when the attempt has ended. */
  ofAttempt: string[];
}

const FOLDER = "own";
/** In the folder of the attempt's credentials. */
export const CLIENT_FILE = "http.json";

/** `auth`: the same as for curl. `path`: the command's PATH so far. */
export function writeOwnClient(
  node: CliNode,
  { auth, protocols, hosts }: Pick<CurlSettings, "auth" | "protocols" | "hosts">,
  given: { files: RunFiles; stem: string; path: string | undefined },
): WrittenClient {
  const plain = { CURLEW_HTTP_PLAIN: protocols === undefined ? "yes" : "no" };
  const client = program();
  const found: Record<string, string> =
    given.path === undefined ? {} : { PATH: `${frontOf(client, given.files)}${delimiter}${given.path}` };
  const files = [given.files.path(`${FOLDER}/curlew`), process.execPath, packageOf(client)];
  if (auth === undefined) return { variables: { ...plain, ...found }, files, ofAttempt: [] };
  const folder = given.files.path(`${OF_ATTEMPT}${given.stem}`);
  const file = join(folder, CLIENT_FILE);
  const named = typeof node.data.auth === "string" ? { name: node.data.auth } : {};
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ ...named, auth, hosts }), { mode: 0o600 });
  return {
    variables: { ...plain, ...found, CURLEW_HTTP_AUTH: file },
    files: [...files, file],
    ofAttempt: [folder],
  };
}

/** The folder for the PATH. */
function frontOf(client: string, files: RunFiles): string {
  const isWindows = process.platform === "win32";
  const file = files.path(`${FOLDER}/${isWindows ? "curlew.cmd" : "curlew"}`);
  const folder = dirname(file);
  if (existsSync(file)) return folder;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const words = [process.execPath, ...FLAGS, "--", client];
  const text = isWindows
    ? `@${words.map((word) => `"${word}"`).join(" ")} %*\r\n`
    : `#!/bin/sh\nexec ${words.map(quoted).join(" ")} "$@"\n`;
  writeFileSync(file, text, { mode: 0o700 });
  return folder;
}

/** The flags of bin/curlew: a process that knows secrets writes no dumps. */
const FLAGS = [
  "--disable-sigusr1",
  "--no-report-on-signal",
  "--no-report-on-fatalerror",
  "--no-report-uncaught-exception",
];

/** The program beside the bundle, or the source. */
function program(): string {
  const here = dirname(import.meta.filename);
  return import.meta.filename.endsWith(".ts") ? join(here, "../../cli/main.ts") : join(here, "cli.cjs");
}

/** The folder that the program needs: the bundles, or the checkout. */
function packageOf(client: string): string {
  return client.endsWith(".ts") ? join(dirname(client), "../..") : dirname(client);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
