import type { PlainUse } from "../../shell/safety/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type At, error, excerpt, warning } from "./base.ts";

/** `reasons`: sentences from safety/asks.ts. */
export const asksApproval = warning("asks-approval", (reasons: readonly string[]) => [
  `This command needs approval before it runs. ${reasons.join(" ")}`,
  "To ask each time, set needsUserApproval: true. To run without approval, set safetyLevel: advanced, but only for trusted endpoints.",
]);
export const curlNoFail = warning("curl-no-fail", () => [
  "Without --fail-with-body, curl exits with 0 even when the server responds with an error (4xx, 5xx).",
  "Add --fail-with-body, set httpErrors: fail, or check the status: --write-out '%{http_code}'.",
]);
export const failureIgnored = warning("failure-ignored", () => [
  "If this call fails, the script continues, and the node may succeed.",
  "Write set -e as its first line, or flags: { exitOnError: true } on the node.",
]);
export const curlNoTimeLimit = warning("curl-no-time-limit", () => [
  "This curl call has no time limit.",
  "Add --max-time 30, or timeout: 60s to the node or under defaults.",
]);
export const curlRetryInPipe = warning("curl-retry-in-pipe", () => [
  "With --retry, curl prints the responses of failed attempts before the successful one.",
  "Let Curlew retry the node (retry: { maxAttempts: 3 }), or write the response to a file first: --output.",
]);
export const curlInsecure = warning("curl-insecure", (word: string) => [
  `${excerpt(word)} turns off certificate checks, so someone on the network could impersonate the server.`,
  "Name the certificate of its CA: --cacert FILE.",
]);

/** `signIn`: for curl, the equivalent `auth:`, or an empty string. */
export const secretOnCommandLine = warning(
  "secret-on-command-line",
  (name: string, program: string, signIn: string | undefined) => {
    const help =
      signIn === undefined
        ? "Pass it on stdin, or with env.static if the program reads it from there."
        : signIn === ""
          ? "Set auth: on the node, or pass it on stdin: --data-urlencode NAME@- reads a field of a form, --data @- a body, --header @- headers."
          : `Remove it from the command, and write on the node: ${signIn}`;
    return [
      `${excerpt(name)} is a secret, but every program on this machine can read the command line of ${excerpt(program)}.`,
      help,
    ];
  },
);

export const secretTraced = warning("secret-traced", () => [
  "This prints every command with its values, including secrets.",
  "Remove it, or turn it off with set +x around the lines that use secrets.",
]);
export const hiddenCharacter = warning("hidden-character", (code: string) => [
  `U+${code} is invisible, so the command may look different from the one that runs.`,
  `Remove it. If a string needs it, write its code: $'\\u${code.toLowerCase()}'.`,
]);
export const httpUrl = warning("http-url", (address: string, noScheme: boolean) => [
  noScheme
    ? `${excerpt(address)} does not begin with https://, so a client may use http.`
    : `${excerpt(address)} is not https, so others can read and change the call.`,
  "If the server supports it, write https://.",
]);
const httpNotAllowed = error("http-not-allowed", (address: string, noScheme: boolean) => [
  noScheme
    ? `${excerpt(address)} does not begin with https://, so a client may use http.`
    : `${excerpt(address)} is not https, but this workflow allows only https.`,
  noScheme
    ? "Write https:// before it."
    : /^(?!http:)[a-z][a-z0-9+.-]*:/i.test(address)
      ? "To allow other protocols, write egress: any."
      : "Write https://, or allow http with egress: any. URLs of this machine are always allowed.",
]);
const curlConfigBypassed = error("curl-config-bypassed", (seen: string) => [
  `"${excerpt(seen)}" removes the setting that keeps curl to https.`,
  "Remove it, or allow http with egress: any.",
]);
const curlNextForgets = error("curl-next-forgets", (seen: string) => [
  `After "${excerpt(seen)}", curl ignores its configuration, which allows only https.`,
  `Replace ${excerpt(seen)} with a second call of curl, or write --proto =https after it.`,
]);

/** A call that is not https, or a switch that would allow one. */
export function plainRefused(at: At, { kind, seen }: PlainUse): Diagnostic {
  if (kind === "bypass") return curlConfigBypassed(at, seen);
  return kind === "forgets-https" ? curlNextForgets(at, seen) : httpNotAllowed(at, seen, kind === "no-scheme");
}

export const arithmeticOnOutput = warning("arithmetic-on-output", (name: string) => {
  const source = `$${excerpt(name)}`;
  return [
    `${source} is the output of a command, and the shell would run commands inside it here.`,
    `Compare with [ "${source}" -gt 0 ], or check it first: case ${source} in ''|*[!0-9]*) exit 1;; esac`,
  ];
});

export const unquotedVariable = warning("unquoted-variable", (name: string) => [
  `The shell splits $${excerpt(name)} at spaces and expands * and ? in it, so one value may become several arguments.`,
  `Write "$${excerpt(name)}".`,
]);
export const unseenCommand = warning("unseen-command", (path: string) => [
  `The command of "${excerpt(path)}" comes from an import and needs approval before it runs.`,
  "To see and approve it, run: curlew trust",
]);
