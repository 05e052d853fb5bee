// guards: checks a value before the command starts, and explains why it can't be used at its position (spec 4.1,
// "Guards").
//   G1. A value is never changed to fit. It is rejected with a suggestion.
//   G2. No message contains the value itself, because it may be a secret.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { isLoopbackUrl } from "../safety/addresses.ts";
import { JSON_STRING } from "../template.ts";
import type { Dialect, Guard, Use } from "./types.ts";

const BY_STDIN = "Hand it over by stdin, or as a file: |file.";

/**
 * Failures `value-nul`, `value-encoding`, `value-not-integer`, `value-leading-dash`, `value-json-string`,
 * `value-at-file`, `value-pipe`, `value-header`, `value-url`. `allowsPlain`: the workflow allows calls by http (egress:
 * any).
 */
export function guardValue(
  name: string,
  use: Use,
  value: string,
  isEmpty: (variable: string) => boolean = () => true,
  allowsPlain = false,
): Failure | undefined {
  if (value.includes("\0"))
    return failure(
      "value-nul",
      `${name} contains a NUL character, which no variable or argument can contain.`,
      BY_STDIN,
    );
  if (!value.isWellFormed()) return notUtf8(name);
  for (const guard of use.guards) {
    const found =
      guard.kind === "url" ? checkUrl(name, guard.part, value, allowsPlain) : check(name, guard, value, isEmpty);
    if (found !== undefined) return found;
  }
  return undefined;
}

function failure(code: string, message: string, hint: string): Failure {
  return { code, message, hint };
}

export function notUtf8(name: string): Failure {
  return failure(
    "value-encoding",
    `${name} is not valid UTF-8 text, which no variable or argument carries unchanged.`,
    BY_STDIN,
  );
}

/** For a value that is too large for its position. */
export function tooLargeForArgument(name: string, bytes: number): Failure {
  return failure(
    "value-oversize",
    `${name} has ${bytes} bytes; one argument or variable of a command may have ${limits.exportedValueBytesMax}.`,
    "Hand it over by stdin (stdin: { source: parent-index, parentIndex: 0 }), or as a file: |file.",
  );
}

export function tooLargeTogether(bytes: number): Failure {
  return failure(
    "value-oversize",
    `The values of this command have ${bytes} bytes together; a command may have ${limits.exportedTotalBytesMax} of arguments and variables.`,
    "Pass the large ones by stdin, or as files: |file.",
  );
}

function check(
  name: string,
  guard: Exclude<Guard, { kind: "url" }>,
  value: string,
  isEmpty: (variable: string) => boolean,
): Failure | undefined {
  const refused = (isRefused: boolean, code: string, message: string, hint: string) =>
    isRefused ? failure(code, `${name} ${message}`, hint) : undefined;
  switch (guard.kind) {
    case "int":
      return refused(
        !isInteger(value),
        "value-not-integer",
        "is used in arithmetic, but is not an integer.",
        "Give a number without leading zeros, or write |int.",
      );
    case "leading-dash":
      return refused(
        value.startsWith("-") && !isNegativeNumber(value) && guard.after.every(isEmpty),
        "value-leading-dash",
        "begins an argument and its value begins with a dash, so the command would read it as an option.",
        "Put -- before it if the command knows that, or write |arg if an option is meant.",
      );
    case "echo-option":
      return refused(
        /^-[neE]+$/.test(value),
        "value-leading-dash",
        "would be an option of echo.",
        `Write printf '%s\\n' ${name}.`,
      );
    case "json-string":
      return refused(
        JSON.stringify(value).slice(1, -1) !== value,
        JSON_STRING.code,
        JSON_STRING.says,
        JSON_STRING.hint,
      );
    case "at-file":
      return refused(
        namesFile(guard.bare, value),
        "value-at-file",
        `would be read as the name of a file by ${guard.client ?? "curl"} ${guard.option}.`,
        guard.client === undefined
          ? "Use --data-raw or --form-string, write name=${…}, or send it by stdin with -d @-."
          : "Send it by stdin with -d @- or --json @-.",
      );
    case "pipe":
      return refused(
        /^\s*(?:\||\+?[<>])|\|\s*$/.test(value),
        "value-pipe",
        `would be run as a command, or written to, by ${guard.program}: it begins or ends with one of | < >.`,
        `Feed the file to it: cat -- ${name} | ${guard.program} …`,
      );
    case "header":
      return refused(
        /[\r\n]/.test(value),
        "value-header",
        `contains a line break, which would start another header after ${guard.client ?? "curl"} ${guard.option}.`,
        "Remove the line break where the value is made.",
      );
  }
}

/**
 * A value in a variable of the author's (env.static, exposeParents) that the shell reads as arithmetic. An empty one
 * counts as 0.
 */
export function guardCounted(name: string, dialect: Dialect, value: string): Failure | undefined {
  const text = value.trim();
  if (text === "" || isInteger(text) || (dialect === "zsh" && DECIMAL.test(text))) return undefined;
  return failure(
    "value-not-integer",
    `$${name} is used in arithmetic, where the shell would run commands inside it, but its value is not an integer.`,
    `Check it first: case $${name} in ''|*[!0-9]*) echo "not a number" >&2; exit 1;; esac`,
  );
}

/** zsh accepts decimals; bash and dash report a syntax error. */
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The shells count with 64 bits. */
function isInteger(value: string): boolean {
  if (!/^-?(0|[1-9][0-9]{0,18})$/.test(value)) return false;
  return BigInt(value) > -(2n ** 63n) && BigInt(value) < 2n ** 63n;
}

function isNegativeNumber(value: string): boolean {
  return /^-([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(value);
}

function namesFile(bare: "marks" | "no-equals" | "any-at", value: string): boolean {
  if (/^[@<]/.test(value)) return true;
  if (bare === "no-equals") return value !== "" && !value.includes("=");
  return bare === "any-at" && value.split("=", 1)[0]?.includes("@") === true;
}

type UrlPart = Extract<Guard, { kind: "url" }>["part"];

function checkUrl(name: string, part: UrlPart, value: string, allowsPlain: boolean): Failure | undefined {
  if (part === "whole" || part === "base") {
    const what = wrongInUrl(value, allowsPlain);
    return what === undefined
      ? undefined
      : failure(
          "value-url",
          `${name} is the address of a request and ${what}.`,
          "Give a full https:// address; loopback addresses may be http://.",
        );
  }
  if (part === "host")
    return /^[A-Za-z0-9._~-]*(:[0-9]+)?$/.test(value)
      ? undefined
      : failure(
          "value-url",
          `${name} is the host of a URL and is not a host name.`,
          `A host is letters, digits, dots and dashes, and perhaps a port. Before a path, write a slash: https://host/${name}`,
        );
  const pieces = part === "query" ? [value] : value.split("/");
  // A colon has no meaning in a path (RFC 3986), but directly after a host it begins a port.
  const isPort = part === "after-base" && pieces[0]?.includes(":") === true;
  if (isPort || !pieces.every((piece) => /^(?:[A-Za-z0-9._~:-]|%[0-9A-Fa-f]{2})*$/.test(piece)))
    return failure(
      "value-url",
      `${name} is part of a URL and contains characters with a special meaning there.`,
      `Write ${name.replace(/\}$/, "|uri}")}, which encodes them.`,
    );
  if (part !== "query" && pieces.some((piece) => /^(\.|%2[eE]){1,2}$/.test(piece)))
    return failure(
      "value-url",
      `${name} is part of the path of a URL and would leave it with "..".`,
      "Write |uri if the dots and slashes belong to a name.",
    );
  return undefined;
}

function wrongInUrl(value: string, allowsPlain: boolean): string | undefined {
  if (!/^https?:\/\//i.test(value)) return "does not begin with https://";
  if (/[\s{}\\"<>^`|\u0000-\u0020\u007f]/.test(value)) return "contains characters that no address has";
  const authority = /^https?:\/\/([^/?#]*)/i.exec(value)?.[1] ?? "";
  if (authority.includes("@")) return "holds a user name or password";
  const loopback = isLoopbackUrl(value);
  if (/[[\]]/.test(loopback ? value.slice(value.indexOf(authority) + authority.length) : value))
    return "holds brackets, which curl expands";
  return /^http:/i.test(value) && !loopback && !allowsPlain ? "is not https" : undefined;
}
