// Checks the names and values of secrets (spec 4.2).
//   V1. A value is text without NUL, at most limits.secretBytesMax bytes. Other values could
//       not be passed to a command unchanged.

import type { Failure } from "../base/failure.ts";
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
    return err(
      unusable(`${whose} is not text in UTF-8.`, "Save it as base64, and decode it in the command that needs it."),
    );
  }
  return ok(text.replace(/\r?\n$/, ""));
}

/** Failures: `secret-unusable`, `secret-too-short`. */
export function checkSecretValue(value: string, whose: string): Failure | undefined {
  const bytes = Buffer.byteLength(value);
  if (bytes > limits.secretBytesMax)
    return unusable(`${whose} has ${bytes} bytes; ${limits.secretBytesMax} is the most a secret can have.`);
  if (value.includes("\0"))
    return unusable(
      `${whose} contains a NUL character, which no environment variable can hold.`,
      "Save it as base64, and decode it in the command that needs it.",
    );
  return tooShort(new Map([["", value]])).length > 0 ? secretTooShort(whose) : undefined;
}

function unusable(message: string, hint?: string): Failure {
  return { code: "secret-unusable", message, hint };
}

/** Masking a secret of a few characters would also mask ordinary words, so it is rejected (4.2). */
function secretTooShort(whose: string): Failure {
  return {
    code: "secret-too-short",
    message: `${whose} has fewer than ${limits.secretBytesMin} bytes: it could not be masked without masking ordinary words.`,
    hint: "Give it a longer value, or remove it from `secrets` if it is not a secret.",
  };
}
