// secret-values: values that are secret as a whole: of a Variable with `secret: true`, and its source (spec 1.2, 4.2).
//   H1. As soon as such a value is known it is masked in everything that comes later, and only its sealed form is kept.

import { readFileSync } from "node:fs";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { SecretPrinted } from "../process/runner/orders.ts";
import { partsOf, withoutBreak } from "../process/runner/secret-output.ts";
import { MASK } from "../secrets/masker.ts";
import type { NodeContext } from "./context.ts";
import { type RunFiles, unsealed, valueText } from "./values.ts";

type SecretContext = Pick<NodeContext, "path" | "files" | "masker">;

/** Failure: `secret-too-large`. An empty value is not a secret. */
export function sealText(bytes: Uint8Array, { path, files }: Omit<SecretContext, "masker">): Result<Value, Failure> {
  if (bytes.length === 0) return ok(EMPTY);
  const parts = partsOf(bytes);
  if (parts === undefined) return err(tooLarge(path));
  files.learn(parts);
  return ok({ text: MASK, sealed: files.seal(bytes, "secret") });
}

/**
 * Makes any value a secret. `strict`: the author declared it, so it must be usable. Failures: `secret-too-large`,
 * `secret-too-short`.
 */
export function hideValue(value: Value, context: SecretContext, strict: boolean): Result<Value, Failure> {
  const bytes = bytesOf(value, context.files);
  if (!bytes.ok) return bytes.error.code === "value-too-large" ? err(tooLarge(context.path)) : bytes;
  if (strict && bytes.value.length > 0 && partsOf(bytes.value)?.length === 0) return err(tooShort(context.path));
  return sealText(bytes.value, context);
}

function bytesOf(value: Value, files: RunFiles): Result<Uint8Array, Failure> {
  const exact = unsealed(value, files);
  if (exact !== undefined) return ok(exact);
  if ("file" in value && value.bytes <= limits.secretOutputBytesMax)
    return ok(readFileSync(files.path(value.file)).subarray(0, value.bytes));
  const text = valueText(value, files, limits.secretOutputBytesMax);
  return text.ok ? ok(Buffer.from(text.value)) : text;
}

/** A command's output as a secret, without one trailing newline (1.2). Failure: `secret-too-large`. */
export function printedSecret(printed: SecretPrinted, context: SecretContext): Result<Value, Failure> {
  const { tooMuch, sealed } = printed;
  const bytes = sealed === undefined ? printed.printed : context.files.unseal(sealed);
  return tooMuch || bytes === undefined ? err(tooLarge(context.path)) : sealText(withoutBreak(bytes), context);
}

const tooLarge = failureOf("secret-too-large", (path: string) => [
  `The value of "${path}" is too large for a secret. The limit is ${limits.secretBytesMax} bytes, or for JSON ${limits.secretOutputBytesMax} bytes and ${limits.secretPartsMax} strings.`,
  "Print only the token, or select it with output.select.",
]);
const tooShort = failureOf("secret-too-short", (path: string) => [
  `The value of "${path}" has fewer than ${limits.secretBytesMin} bytes. Curlew can't mask so short a value without masking ordinary words.`,
  "Check what the node before it printed. If it is not a secret, remove secret: true.",
]);
