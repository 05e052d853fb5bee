// secret-values: values that are a secret as a whole: of a Variable with `secret: true`, and of what it takes its value from (spec 1.2, 4.2).
//   H1. From the moment such a value is known it is masked in everything that comes later; only its sealed form is kept.
//   H2. What a command prints for a secret Variable reaches no disk and no screen: it stays in memory until it is sealed. Its stderr
//       is held back until then, as the secret may stand in it.
// Deliberately absent: which nodes these are (workflow/graph-secrets.ts).

import { readFileSync } from "node:fs";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { OutputTransform } from "../process/output.ts";
import { MASK } from "../secrets/masker.ts";
import { secretParts } from "../secrets/parts.ts";
import type { NodeContext } from "./context.ts";
import { type RunFiles, textOf, trailingBreak, unsealed } from "./values.ts";

type SecretContext = Pick<NodeContext, "path" | "files" | "masker">;

/** Failure `secret-too-large`. What is empty hides nothing. */
export function hide(bytes: Uint8Array, { path, files }: Omit<SecretContext, "masker">): Result<Value, Failure> {
  if (bytes.length === 0) return ok(EMPTY);
  const parts = partsOf(bytes);
  if (parts === undefined) return err(tooLarge(path));
  files.learn(parts);
  return ok({ text: MASK, sealed: files.seal(bytes, "secret") });
}

/** Any value as a secret one. `strict`: it was called a secret and must be one. Failures `secret-too-large`, `secret-too-short`. */
export async function hideValue(
  value: Value,
  context: SecretContext,
  strict: boolean,
): Promise<Result<Value, Failure>> {
  const bytes = await bytesOf(value, context.files);
  if (!bytes.ok) return bytes.error.code === "value-too-large" ? err(tooLarge(context.path)) : bytes;
  if (strict && bytes.value.length > 0 && partsOf(bytes.value)?.length === 0) return err(tooShort(context.path));
  return hide(bytes.value, context);
}

/** Undefined when they are too many to be masked. */
function partsOf(bytes: Uint8Array): readonly string[] | undefined {
  if (bytes.length > limits.secretOutputBytesMax) return undefined;
  const parts = secretParts(Buffer.from(bytes).toString("utf8"));
  const total = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return total > limits.secretBytesMax || parts.length > limits.secretPartsMax ? undefined : parts;
}

async function bytesOf(value: Value, files: RunFiles): Promise<Result<Uint8Array, Failure>> {
  const exact = unsealed(value, files);
  if (exact !== undefined) return ok(exact);
  if ("file" in value && value.bytes <= limits.secretOutputBytesMax)
    return ok(readFileSync(files.path(value.file)).subarray(0, value.bytes));
  const text = await textOf(value, files, limits.secretOutputBytesMax);
  return text.ok ? ok(Buffer.from(text.value)) : text;
}

// — commands —

export interface SecretOutput {
  transform(stream: "stdout" | "stderr"): OutputTransform;
  /** Printed to stdout. */
  readonly bytes: number;
  /** More than a secret may have: `tooMuch` was called. */
  readonly isTooMuch: boolean;
  /** Once the command has ended: its output without one trailing line break (1.2). Failure `secret-too-large`. */
  value(): Result<Value, Failure>;
}

/** H2. `tooMuch` is called once when it prints more than a secret may have: nothing of it is kept then. */
export function secretOutput(context: SecretContext, tooMuch: () => void): SecretOutput {
  const chunks: Uint8Array[] = [];
  let bytes = 0;

  const stdout: OutputTransform = {
    push(chunk) {
      if (bytes <= limits.secretOutputBytesMax) chunks.push(Uint8Array.from(chunk));
      const before = bytes;
      bytes += chunk.length;
      if (before <= limits.secretOutputBytesMax && bytes > limits.secretOutputBytesMax) {
        chunks.length = 0;
        tooMuch();
      }
      return NOTHING;
    },
    end() {
      if (bytes <= limits.secretOutputBytesMax) context.files.learn(partsOf(withoutBreak(Buffer.concat(chunks))) ?? []);
      return NOTHING;
    },
  };
  return {
    transform: (stream) => (stream === "stdout" ? stdout : heldBack(context)),
    get bytes() {
      return bytes;
    },
    get isTooMuch() {
      return bytes > limits.secretOutputBytesMax;
    },
    value() {
      if (bytes > limits.secretOutputBytesMax) return err(tooLarge(context.path));
      return hide(withoutBreak(Buffer.concat(chunks)), context);
    },
  };
}

/** Of more than a limit the end is kept: that is where the reason of a failure stands. */
function heldBack({ masker }: SecretContext): OutputTransform {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let dropped = 0;
  return {
    push(chunk) {
      held.push(Uint8Array.from(chunk));
      bytes += chunk.length;
      while (bytes - (held[0]?.length ?? 0) >= limits.secretStderrBytesMax) {
        const first = held.shift()!.length;
        bytes -= first;
        dropped += first;
      }
      return NOTHING;
    },
    end() {
      const stream = masker.stream();
      const all = Buffer.concat(held);
      held = [];
      // A line that was cut may begin in the middle of a secret.
      const whole = dropped === 0 ? all : all.subarray(all.indexOf(10) + 1);
      const text = Buffer.concat([stream.push(whole), stream.end()]);
      return dropped === 0 ? text : Buffer.concat([Buffer.from(`… ${dropped} bytes left out …\n`), text]);
    },
  };
}

const NOTHING = new Uint8Array(0);

function withoutBreak(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - trailingBreak(bytes));
}

function tooLarge(path: string): Failure {
  return {
    code: "secret-too-large",
    message: `The value of "${path}" is to be a secret and is too large to be masked: a secret may have ${limits.secretBytesMax} bytes, and JSON with secrets in it ${limits.secretOutputBytesMax} bytes and ${limits.secretPartsMax} strings.`,
    hint: "Let the command print the token alone, or select it with output.select.",
  };
}

function tooShort(path: string): Failure {
  return {
    code: "secret-too-short",
    message: `The value of "${path}" has fewer than ${limits.secretBytesMin} bytes: it could not be masked without masking ordinary words.`,
    hint: "See what the node before it printed; take out secret: true if it is no secret.",
  };
}
