// diagnostics/safety: findings about commands: those that need approval, common misuse of curl, secrets that others can
// read.

import type { Diagnostic } from "../diagnostic.ts";
import { type At, error, said, warning } from "./base.ts";

/** `reasons`: sentences from safety/asks.ts. */
export function asksApproval(at: At, reasons: readonly string[]): Diagnostic {
  return warning(
    at,
    "asks-approval",
    `This command needs approval before it runs. ${reasons.join(" ")}`,
    "If that is meant, set needsUserApproval: true. With safetyLevel: advanced it runs without approval; use that for trusted endpoints.",
  );
}

export function curlNoFail(at: At): Diagnostic {
  return warning(
    at,
    "curl-no-fail",
    "curl exits 0 when the server answers with an error (4xx, 5xx).",
    "Add --fail-with-body, set httpErrors: fail, or look at the status: --write-out '%{http_code}'.",
  );
}

export function curlNoTimeLimit(at: At): Diagnostic {
  return warning(
    at,
    "curl-no-time-limit",
    "This curl call has no time limit.",
    "Add --max-time 30, or timeout: 60s to the node or under defaults.",
  );
}

export function curlRetryInPipe(at: At): Diagnostic {
  return warning(
    at,
    "curl-retry-in-pipe",
    "With --retry, curl prints the answers of failed attempts in front of the good one.",
    "Let Curlew repeat the node (retry: { maxAttempts: 3 }), or write the answer to a file first: --output.",
  );
}

export function curlInsecure(at: At, word: string): Diagnostic {
  return warning(
    at,
    "curl-insecure",
    `${said(word)} turns off certificate checks, so someone on the network could impersonate the server.`,
    "Name the certificate of its authority: --cacert FILE.",
  );
}

/** `signIn`: for curl, the equivalent `auth:`, or an empty string. */
export function secretOnCommandLine(at: At, name: string, program: string, signIn: string | undefined): Diagnostic {
  const help =
    signIn === undefined
      ? "Hand it over by stdin, or under env.static if the program reads it there."
      : signIn === ""
        ? "Set auth: on the node, or hand it over by stdin: --header @- reads headers, --config - reads options such as user."
        : `Take it out of the command and write on the node: ${signIn}`;
  return warning(
    at,
    "secret-on-command-line",
    `${said(name)} is a secret, and every program of this machine can read the command line of ${said(program)}.`,
    help,
  );
}

export function secretTraced(at: At): Diagnostic {
  return warning(
    at,
    "secret-traced",
    "This prints every command with its values, and secrets are among them.",
    "Leave it out, or switch it off with set +x around the lines that use secrets.",
  );
}

export function hiddenCharacter(at: At, code: string): Diagnostic {
  return warning(
    at,
    "hidden-character",
    `U+${code} is invisible, and the command may read as another than the one that runs.`,
    `Remove it. Where a text needs it, write its code: $'\\u${code.toLowerCase()}'.`,
  );
}

export function httpUrl(at: At, address: string, noScheme: boolean): Diagnostic {
  return warning(
    at,
    "http-url",
    noScheme
      ? `${said(address)} does not begin with https://, so a client may call it by http.`
      : `${said(address)} is not https: others can read and change the call.`,
    "Write https:// if the server has it.",
  );
}

export function httpNotAllowed(at: At, address: string, noScheme: boolean): Diagnostic {
  return error(
    at,
    "http-not-allowed",
    noScheme
      ? `${said(address)} does not begin with https://, so a client may call it by http.`
      : `${said(address)} is not https, and this document allows https only.`,
    noScheme
      ? "Write https:// in front of it."
      : "Write https://. egress: any in the document allows http; URLs of this machine are always allowed.",
  );
}

export function curlConfigBypassed(at: At, seen: string): Diagnostic {
  return error(
    at,
    "curl-config-bypassed",
    `"${said(seen)}" removes the setting that keeps curl to https.`,
    "Remove it, or set egress: any in the document if http is meant.",
  );
}

export function curlNextForgets(at: At, seen: string): Diagnostic {
  return error(
    at,
    "curl-next-forgets",
    `After "${said(seen)}" curl forgets its configuration, which allows https only.`,
    `Call curl a second time in the place of ${said(seen)}, or write --proto =https after it.`,
  );
}

export function arithmeticOnOutput(at: At, name: string): Diagnostic {
  const source = `$${said(name)}`;
  return warning(
    at,
    "arithmetic-on-output",
    `${source} is what a command printed, and arithmetic runs commands in its text.`,
    `Compare with [ "${source}" -gt 0 ], or look first: case ${source} in ''|*[!0-9]*) exit 1;; esac`,
  );
}

export function unquotedVariable(at: At, name: string): Diagnostic {
  return warning(
    at,
    "unquoted-variable",
    `$${said(name)} is split at its blanks, and its * and ? stand for file names: one value may become several arguments.`,
    `Write "$${said(name)}".`,
  );
}

export function unseenCommand(at: At, path: string): Diagnostic {
  return warning(
    at,
    "unseen-command",
    `No one here has approved the command of "${said(path)}" yet: it needs approval before it runs.`,
    "curlew trust shows it and asks.",
  );
}
