// guards: checks a value before the command starts, and explains why it can't be used at its position (spec 4.1,
// "Guards").
//   G1. A value is never changed to fit. It is rejected with a suggestion.
//   G2. No message contains the value itself, because it may be a secret.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { isLoopbackUrl } from "../safety/addresses.ts";
import type { Dialect, Guard, Use } from "./types.ts";

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
    return {
      code: "value-nul",
      message: `${name} holds a NUL character, which no variable or argument can carry.`,
      hint: "Hand it over by stdin, or as a file: |file.",
    };
  if (!value.isWellFormed()) return notUtf8(name);
  for (const guard of use.guards) {
    const failure = check(name, guard, value, isEmpty, allowsPlain);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

export function notUtf8(name: string): Failure {
  return {
    code: "value-encoding",
    message: `${name} is not valid UTF-8 text, which no variable or argument carries unchanged.`,
    hint: "Hand it over by stdin, or as a file: |file.",
  };
}

/** For a value that is too large for its position. */
export function tooLargeForArgument(name: string, bytes: number): Failure {
  return {
    code: "value-oversize",
    message: `${name} has ${bytes} bytes; one argument or variable of a command may have ${limits.exportedValueBytesMax}.`,
    hint: "Hand it over by stdin (stdin: { source: parent-index, parentIndex: 0 }), or as a file: |file.",
  };
}

export function tooLargeTogether(bytes: number): Failure {
  return {
    code: "value-oversize",
    message: `The values of this command have ${bytes} bytes together; a command may have ${limits.exportedTotalBytesMax} of arguments and variables.`,
    hint: "Hand the large ones over by stdin, or as files: |file.",
  };
}

function check(
  name: string,
  guard: Guard,
  value: string,
  isEmpty: (variable: string) => boolean,
  allowsPlain: boolean,
): Failure | undefined {
  switch (guard.kind) {
    case "int":
      if (isInteger(value)) return undefined;
      return {
        code: "value-not-integer",
        message: `${name} stands in arithmetic and is not a whole number there.`,
        hint: "Give a number without leading zeros, or write |int.",
      };
    case "leading-dash":
      if (!value.startsWith("-") || isNegativeNumber(value) || !guard.after.every(isEmpty)) return undefined;
      return {
        code: "value-leading-dash",
        message: `${name} begins an argument and its value begins with a dash, so the command would read it as an option.`,
        hint: "Put -- before it if the command knows that, or write |arg if an option is meant.",
      };
    case "echo-option":
      if (!/^-[neE]+$/.test(value)) return undefined;
      return {
        code: "value-leading-dash",
        message: `${name} would be an option of echo.`,
        hint: `Write printf '%s\\n' ${name}.`,
      };
    case "json-string":
      if (JSON.stringify(value).slice(1, -1) === value) return undefined;
      return {
        code: "value-json-string",
        message: `${name} stands inside a JSON string and holds characters that need escaping there.`,
        hint: 'Take the quotes off and write |json: {"q": ${name|json}}.',
      };
    case "at-file":
      return namesFile(guard.bare, value)
        ? {
            code: "value-at-file",
            message: `${name} would be read as the name of a file by ${guard.client ?? "curl"} ${guard.option}.`,
            hint:
              guard.client === undefined
                ? "Use --data-raw or --form-string, write name=${…}, or send it by stdin with -d @-."
                : "Send it by stdin with -d @- or --json @-.",
          }
        : undefined;
    case "pipe":
      if (!/^\s*(?:\||\+?[<>])|\|\s*$/.test(value)) return undefined;
      return {
        code: "value-pipe",
        message: `${name} would be run as a command, or written to, by ${guard.program}: it begins or ends with one of | < >.`,
        hint: `Feed the file to it: cat -- ${name} | ${guard.program} …`,
      };
    case "header":
      if (!/[\r\n]/.test(value)) return undefined;
      return {
        code: "value-header",
        message: `${name} holds a line break, which would start another header after ${guard.client ?? "curl"} ${guard.option}.`,
        hint: "Remove the line break where the value is made.",
      };
    case "url":
      return checkUrl(name, guard.part, value, allowsPlain);
  }
}

/**
 * A value in a variable of the author's (env.static, exposeParents) that the shell reads as arithmetic. An empty one
 * counts as 0.
 */
export function guardCounted(name: string, dialect: Dialect, value: string): Failure | undefined {
  const text = value.trim();
  if (text === "" || isInteger(text) || (dialect === "zsh" && DECIMAL.test(text))) return undefined;
  return {
    code: "value-not-integer",
    message: `$${name} is used in arithmetic, where the shell would run commands in its text, and its value is not a whole number.`,
    hint: `Check it first: case $${name} in ''|*[!0-9]*) echo "not a number" >&2; exit 1;; esac`,
  };
}

/** zsh accepts decimals; bash and dash report a syntax error. */
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

function isInteger(value: string): boolean {
  return /^-?(0|[1-9][0-9]{0,18})$/.test(value) && fits64(value);
}

function fits64(value: string): boolean {
  const number = BigInt(value);
  return number >= -(2n ** 63n) + 1n && number < 2n ** 63n;
}

function isNegativeNumber(value: string): boolean {
  return /^-([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(value);
}

function namesFile(bare: "marks" | "no-equals" | "any-at", value: string): boolean {
  if (/^[@<]/.test(value)) return true;
  if (bare === "no-equals") return value !== "" && !value.includes("=");
  if (bare === "any-at") return value.split("=", 1)[0]?.includes("@") === true;
  return false;
}

function checkUrl(
  name: string,
  part: "whole" | "base" | "host" | "path" | "query",
  value: string,
  allowsPlain: boolean,
): Failure | undefined {
  if (part === "whole" || part === "base") return checkWholeUrl(name, value, allowsPlain);
  if (part === "host") {
    if (/^[A-Za-z0-9._~-]*(:[0-9]+)?$/.test(value)) return undefined;
    return {
      code: "value-url",
      message: `${name} stands in the host of a URL and is no host name.`,
      hint: "A host is letters, digits, dots and dashes, and perhaps a port.",
    };
  }
  const allowed =
    part === "path" ? /^(?:[A-Za-z0-9._~/-]|%[0-9A-Fa-f]{2})*$/ : /^(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*$/;
  if (!allowed.test(value))
    return {
      code: "value-url",
      message: `${name} stands in a URL and holds characters that mean something else there.`,
      hint: `Write ${name.replace(/\}$/, "|uri}")}, which encodes them.`,
    };
  if (part === "path" && value.split("/").some((piece) => /^(\.|%2[eE]){1,2}$/.test(piece))) {
    return {
      code: "value-url",
      message: `${name} stands in the path of a URL and would lead out of it with "..".`,
      hint: "Write |uri if the dots and slashes belong to a name.",
    };
  }
  return undefined;
}

function checkWholeUrl(name: string, value: string, allowsPlain: boolean): Failure | undefined {
  const refuse = (what: string): Failure => ({
    code: "value-url",
    message: `${name} is the address of a request and ${what}.`,
    hint: "Give a full https:// address; loopback addresses may be http://.",
  });
  if (!/^https?:\/\//i.test(value)) return refuse("does not begin with https://");
  if (/[\s{}\\"<>^`|\u0000-\u0020\u007f]/.test(value)) return refuse("holds characters that no address has");
  const authority = /^https?:\/\/([^/?#]*)/i.exec(value)?.[1] ?? "";
  if (authority.includes("@")) return refuse("holds a user name or password");
  const loopback = isLoopbackUrl(value);
  if (/[[\]]/.test(loopback ? value.slice(value.indexOf(authority) + authority.length) : value))
    return refuse("holds brackets, which curl expands");
  if (/^http:/i.test(value) && !loopback && !allowsPlain) return refuse("is not https");
  return undefined;
}
