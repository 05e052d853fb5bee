// sealed: a value with a secret in it, encrypted for a file of its run (spec 4.2): AES-256-GCM with a key of the run's own.
//   E1. What was sealed opens only in the same run and under the same name: both are part of what is authenticated.
//   E2. What does not open says nothing about why: a changed byte, another run, another home look alike.
//   E3. No nonce is used twice with a key: it is random, and the key is for one run.
// Deliberately absent: where the files are, and when they go (the engine's business).
//
// A file is: version (1), kind (1: a secret itself, 0: a text with secrets in it), nonce (12), tag (16), then the encrypted bytes.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 2 + NONCE_BYTES + TAG_BYTES;

/** `secret`: whoever opens it masks it from then on. `text`: those in it are kept beside it. */
export type SealedKind = "secret" | "text";

export interface Sealer {
  seal(name: string, bytes: Uint8Array, kind: SealedKind): Buffer;
  /** Undefined when it was not sealed under this name in this run and home, or was changed since. */
  open(name: string, sealed: Uint8Array): { kind: SealedKind; bytes: Buffer } | undefined;
}

/** `key`: `keyFor("sealed-values", home)`. */
export function createSealer(key: Uint8Array, run: string): Sealer {
  const own = Buffer.from(hkdfSync("sha256", key, run, "sealed values of a run", 32));
  const context = (head: Uint8Array, name: string): Buffer => Buffer.concat([head, Buffer.from(`${run} ${name}`)]);
  return {
    seal(name, bytes, kind) {
      const head = Buffer.from([VERSION, kind === "secret" ? 1 : 0]);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", own, nonce);
      cipher.setAAD(context(head, name));
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]);
    },
    open(name, sealed) {
      if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) return undefined;
      const head = sealed.subarray(0, 2);
      const decipher = createDecipheriv("aes-256-gcm", own, sealed.subarray(2, 2 + NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(context(head, name));
      decipher.setAuthTag(sealed.subarray(2 + NONCE_BYTES, HEAD_BYTES));
      try {
        const bytes = Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
        return { kind: head[1] === 1 ? "secret" : "text", bytes };
      } catch {
        return undefined;
      }
    },
  };
}
