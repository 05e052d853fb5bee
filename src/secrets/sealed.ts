// Encrypts a value that contains a secret, for a file of its run (spec 4.2): AES-256-GCM with a key for that run.
//   E1. A sealed value opens only in the same run and under the same name, because both are authenticated.
//   E2. If it does not open, the cause is not revealed: a changed byte, another run,
//       and another data directory look alike.
//   E3. Nonces are random, and a key is used for one run only, so no nonce is used twice with a key.
//
// File format: version (1 byte), kind (1 byte; 1: a secret, 0: a text containing secrets),
// nonce (12), tag (16), encrypted bytes.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 2 + NONCE_BYTES + TAG_BYTES;

/** `secret`: the whole value is masked once it is opened. `text`: the secrets in it are stored beside it. */
export type SealedKind = "secret" | "text";

export interface Sealer {
  seal(name: string, bytes: Uint8Array, kind: SealedKind): Buffer;
  /** Undefined if it was sealed under another name, run, or data directory, or was changed. */
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
