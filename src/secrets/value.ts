// Checks the names and values of secrets (spec 4.2).
//   V1. A value is text without NUL, at most limits.secretBytesMax bytes. Other values could
//       not be passed to a command unchanged.

import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { tooShort } from "./masker.ts";

export function isSecretName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name.length <= limits.idCharsMax;
}

/**
 * Decodes bytes and removes one trailing newline. `whose` starts the sentence of a failure. Failures:
 * `secret-unusable`.
 */
export function secretText(bytes: Uint8Array, whose: string): Result<string, Failure> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return err(unusable(`${whose} is not UTF-8 text.`, "Save it as base64, and decode it in the command."));
  }
  return ok(text.replace(/\r?\n$/, ""));
}

/** Failures: `secret-unusable`, `secret-too-short`. */
export function checkSecretValue(value: string, whose: string): Failure | undefined {
  const bytes = Buffer.byteLength(value);
  if (bytes > limits.secretBytesMax)
    return unusable(`${whose} has ${bytes} bytes. The limit for a secret is ${limits.secretBytesMax}.`);
  if (value.includes("\0"))
    return unusable(
      `${whose} contains a NUL character, which is not allowed in environment variables.`,
      "Save it as base64, and decode it in the command.",
    );
  return tooShort(new Map([["", value]])).length > 0 ? secretTooShort(whose) : undefined;
}

function unusable(message: string, hint?: string): Failure {
  return { code: "secret-unusable", message, hint };
}

/** Masking a secret of a few characters would also mask ordinary words, so it is rejected (4.2). */
const secretTooShort = failureOf("secret-too-short", (whose: string) => [
  `${whose} has fewer than ${limits.secretBytesMin} bytes. Curlew can't mask so short a value without masking ordinary words.`,
  "Use a longer value. If it is not a secret, remove it from `secrets`.",
]);
