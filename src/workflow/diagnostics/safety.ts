// diagnostics/safety: findings about what commands do: what a person will be asked, curl as it is often misused, secrets that others can read.

import type { Diagnostic } from "../diagnostic.ts";
import { type At, error, said, warning } from "./base.ts";

/** `reasons`: sentences of safety/asks.ts. */
export function asksApproval(at: At, reasons: readonly string[]): Diagnostic {
  return warning(
    at,
    "asks-approval",
    `A person will be asked before this runs. ${reasons.join(" ")}`,
    "If that is meant, set needsUserApproval: true. safetyLevel: advanced asks nobody; it is for trusted endpoints.",
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
    "Nothing ends this call when the server does not answer.",
    "Add --max-time 30, or timeout: 60s to the node or under defaults.",
  );
}

export function curlUnseen(at: At, how: string): Diagnostic {
  return warning(
    at,
    "curl-unseen",
    `Curlew cannot see this call: ${how}.`,
    "Write curl alone. Its status, httpErrors and Retry-After are known of calls that are seen.",
  );
}

export function curlRetryInPipe(at: At, where: "pipe" | "captured" | "node" | "file"): Diagnostic {
  const reader = { pipe: "the next command", captured: "the variable", node: "the node's value", file: "the file" }[
    where
  ];
  return warning(
    at,
    "curl-retry-in-pipe",
    `With --retry, what the failed attempts answered reaches ${reader} too, in front of the good answer.`,
    "Let Curlew repeat the node (retry: { maxAttempts: 3 }), or write the answer to a file first: --output.",
  );
}

export function curlInsecure(at: At, word: string): Diagnostic {
  return warning(
    at,
    "curl-insecure",
    `With ${said(word)} anybody on the way can answer in the server's place.`,
    "Give the certificate of its authority: --cacert FILE.",
  );
}

/** `signIn`: of curl, the `auth:` that says the same; empty when none does. */
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
    `U+${code} is not seen, and the command may read as another than the one that runs.`,
    `Leave it out. Where a text needs it, write it by its code: $'\\u${code.toLowerCase()}'.`,
  );
}

export function httpUrl(at: At, address: string, noScheme: boolean): Diagnostic {
  return warning(
    at,
    "http-url",
    noScheme
      ? `${said(address)} does not say https://, and a client may call it in the clear.`
      : `${said(address)} is not https: others can read and change the call.`,
    "Write https:// if the server has it.",
  );
}

export function httpNotAllowed(at: At, address: string, noScheme: boolean): Diagnostic {
  return error(
    at,
    "http-not-allowed",
    noScheme
      ? `${said(address)} does not say https://, and a client may call it in the clear.`
      : `${said(address)} is not https, and this document lets nothing out in the clear.`,
    noScheme
      ? "Write https:// in front of it."
      : "Write https://. egress: any in the document allows others; addresses of this machine are always allowed.",
  );
}

export function httpLedAway(at: At, seen: string): Diagnostic {
  return error(
    at,
    "http-not-allowed",
    `"${said(seen)}" leads a call in the clear away from this machine, and this document lets nothing out in the clear.`,
    "Call the server itself by https://. egress: any in the document allows others.",
  );
}

export function curlConfigBypassed(at: At, seen: string): Diagnostic {
  return error(
    at,
    "curl-config-bypassed",
    `"${said(seen)}" would take back what keeps curl to https.`,
    "Remove it, or set egress: any in the document if calls in the clear are meant.",
  );
}

/** `isError`: the run would refuse it. */
export function curlNextForgets(at: At, seen: string, what: "https" | "auth", isError: boolean): Diagnostic {
  return (isError ? error : warning)(
    at,
    "curl-next-forgets",
    what === "auth"
      ? `After "${said(seen)}" curl forgets how this node signs in: the call is made without it.`
      : `After "${said(seen)}" curl forgets what keeps it to https.`,
    `Call curl a second time in the place of ${said(seen)}${what === "auth" ? "" : ", or write --proto =https after it"}.`,
  );
}

export function arithmeticOnOutput(at: At, name: string): Diagnostic {
  const source = `$${said(name)}`;
  return warning(
    at,
    "arithmetic-on-output",
    `${source} is what a command printed, and arithmetic runs commands that stand in its text.`,
    `Compare with [ "${source}" -gt 0 ], or look first: case ${source} in ''|*[!0-9]*) exit 1;; esac`,
  );
}

export function unquotedVariable(at: At, name: string, from: string | undefined): Diagnostic {
  return (from === undefined ? warning : error)(
    at,
    "unquoted-variable",
    `$${said(name)} is split at its blanks and its * and ? are file names: ${from === undefined ? "one value may become several arguments" : `${said(from)} would choose how many arguments there are, and options among them`}.`,
    `Write "$${said(name)}".`,
  );
}

/** `isForeign`: a model or a delivery wrote it; then it is an error (4.2). */
export function untrustedHost(at: At, name: string, from: string, isForeign: boolean): Diagnostic {
  return (isForeign ? error : warning)(
    at,
    "untrusted-host",
    `${said(name)} would choose which server is asked, and it is ${said(from)}.`,
    "Write the host yourself, or say which hosts may be asked: egress: { allow: [api.example.com] }. With needsUserApproval: true a person looks at it each time.",
  );
}

export function untrustedEvaluated(at: At, name: string, program: string, from: string): Diagnostic {
  return error(
    at,
    "untrusted-evaluated",
    `${said(program)} would run ${said(name)} as a program, and that is ${said(from)}.`,
    "Hand it over as data: an argument, or standard input. A program that a person is to see each time is a node of its own: content: ${1}, with needsUserApproval: true.",
  );
}

/** `sandbox`: fields that would keep the command to what it needs. */
export function unseenCommand(at: At, path: string, sandbox: string | undefined): Diagnostic {
  return warning(
    at,
    "unseen-command",
    `Nobody here has seen and approved the command of "${said(path)}" yet: a person will be asked before it runs.`,
    sandbox === undefined
      ? "curlew trust shows it and asks."
      : `curlew trust shows it and asks. A sandbox that may fit, under data: ${said(sandbox)}`,
  );
}
