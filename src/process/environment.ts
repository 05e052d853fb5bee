// environment: builds the environment of a command (spec 1.2 `env`, 4.1).
//   V1. It contains only the allowlist, the names that a node inherits, and variables that Curlew sets for it.
//   V2. The map has no prototype, so a workflow cannot add a variable by naming a value `__proto__`.
//   V3. A name with `=` or NUL and a value with NUL are rejected here, before anything is started.

import { isImpossibleName } from "../base/environment-names.ts";
import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";

/** Harmless variables that nearly every program needs. Always passed on. */
const ALLOWED: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TERM",
  "TMPDIR",
  "SSH_AUTH_SOCK",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "FTP_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "ftp_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "CURL_CA_BUNDLE",
  "REQUESTS_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "GIT_SSL_CAINFO",
  "AWS_CA_BUNDLE",
];
const ALLOWED_PREFIXES = ["LC_", "XDG_"];
/** On Windows hardly any program starts without these. */
const ALLOWED_WINDOWS = [
  "SYSTEMROOT",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "USERNAME",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
];

export function isAllowedName(name: string): boolean {
  if (process.platform === "win32") return isAllowedWindows(name.toUpperCase());
  return ALLOWED.includes(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function isAllowedWindows(name: string): boolean {
  return (
    ALLOWED.includes(name) ||
    ALLOWED_WINDOWS.includes(name) ||
    ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix))
  );
}

export interface EnvironmentRequest {
  /** The environment to take from, normally that of the process. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Additional names to inherit, or `true` for all (`env.inherit`). */
  inherit?: boolean | readonly string[] | undefined;
  /** Secrets: inherited only by a name in `inherit`, never by `true`. */
  byName?: ReadonlyMap<string, string> | undefined;
  /** Set on top: `env.static`, parents, Curlew's own variables. */
  set?: Readonly<Record<string, string>> | undefined;
}

/** The environment of one command, in the order given. Failures: `env-name-invalid`, `env-value-nul`. */
export function commandEnvironment(request: EnvironmentRequest): Result<Record<string, string>, Failure> {
  const result: Record<string, string> = Object.create(null);
  const inherited = new Set(Array.isArray(request.inherit) ? request.inherit : []);
  for (const [name, value] of Object.entries(request.environment)) {
    if (value === undefined || isImpossibleName(name)) continue;
    if (request.inherit === true || inherited.has(name) || isAllowedName(name)) result[name] = value;
  }
  for (const name of inherited) {
    const value = request.byName?.get(name);
    if (value !== undefined) result[name] = value;
  }
  for (const [name, value] of Object.entries(request.set ?? {})) {
    if (isImpossibleName(name)) return err(nameInvalid(name));
    if (value.includes("\0")) return err(valueWithNul(name));
    result[name] = value;
  }
  return ok(result);
}

const nameInvalid = failureOf("env-name-invalid", (name: string) => [
  `${JSON.stringify(name)} is not a valid name of an environment variable. It is empty, or contains "=" or a NUL character.`,
  "Use letters, digits, and underscores.",
]);

const valueWithNul = failureOf("env-value-nul", (name: string) => [
  `The value for the environment variable ${name} contains a NUL character, which is not allowed in environment variables.`,
  "Pass the value on stdin or as a file instead.",
]);
