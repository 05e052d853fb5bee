// secret-output: handles the output of a command whose stdout is a secret as a whole, in the runner (spec 1.2, 4.2).
//   S1. Its stdout never reaches a disk or a screen: it stays in memory until it is sealed. Its stderr is held back
//       until then, because it may contain the secret.
//   S2. From the end of its output on, the secret is masked in everything else.

import { limits } from "../../base/limits.ts";
import { trailingBreak } from "../../base/value.ts";
import { secretParts } from "../../secrets/derived-secrets.ts";
import type { Masker } from "../../secrets/masker.ts";
import type { OutputTransform } from "../output.ts";
import type { SecretPrinted } from "./orders.ts";

export interface SecretOutput {
  transform(stream: "stdout" | "stderr"): OutputTransform;
  /** Call it once the command has ended. */
  printed(): SecretPrinted;
}

/** `tooMuch` is called once if it prints more than a secret may have. Nothing of it is kept then. */
export function secretOutput(masker: Masker, tooMuch: () => void): SecretOutput {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const fits = (): boolean => bytes <= limits.secretOutputBytesMax;

  const stdout: OutputTransform = {
    push(chunk) {
      const before = fits();
      bytes += chunk.length;
      if (fits()) chunks.push(Uint8Array.from(chunk));
      else if (before) {
        chunks.length = 0;
        tooMuch();
      }
      return NO_BYTES;
    },
    end() {
      if (fits()) masker.learn(partsOf(withoutBreak(Buffer.concat(chunks))) ?? []);
      return NO_BYTES;
    },
  };
  return {
    transform: (stream) => (stream === "stdout" ? stdout : heldBack(masker)),
    printed: () => (fits() ? { bytes, tooMuch: false, printed: Buffer.concat(chunks) } : { bytes, tooMuch: true }),
  };
}

/** If there is too much, the end is kept, because that is where the reason of a failure is. */
function heldBack(masker: Masker): OutputTransform {
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
      return NO_BYTES;
    },
    end(cut) {
      const stream = masker.stream();
      const all = Buffer.concat(held);
      held = [];
      // A line that was cut may start in the middle of a secret.
      const whole = dropped === 0 ? all : all.subarray(all.indexOf(10) + 1);
      const text = Buffer.concat([stream.push(whole), stream.end(cut)]);
      return dropped === 0 ? text : Buffer.concat([Buffer.from(`… ${dropped} bytes left out …\n`), text]);
    },
  };
}

const NO_BYTES = new Uint8Array(0);

/** Undefined if there are too many to mask. */
export function partsOf(bytes: Uint8Array): readonly string[] | undefined {
  if (bytes.length > limits.secretOutputBytesMax) return undefined;
  const parts = secretParts(Buffer.from(bytes).toString("utf8"));
  const total = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return total > limits.secretBytesMax || parts.length > limits.secretPartsMax ? undefined : parts;
}

export function withoutBreak(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - trailingBreak(bytes));
}
