// Codes for login links and downloads that work once, for a short time (spec 4.3 S4).
//   C1. A code has 256 bits, is stored as a keyed hash, and is compared in constant time.
//   C2. A code is removed when it is used, whatever the outcome. Beyond `most`, the oldest code is removed.

import { timingSafeEqual } from "node:crypto";

export interface OneTimeOptions {
  most: number;
  goodMs: number;
  /** A monotonic clock. */
  nowMs(): number;
  digest(text: string): Buffer;
  secret(): string;
}

export class OneTime<For> {
  readonly #codes = new Map<string, { digest: Buffer; what: For; untilMs: number }>();
  readonly #options: OneTimeOptions;

  constructor(options: OneTimeOptions) {
    this.#options = options;
  }

  /** Creates a code for `what`. */
  give(what: For): string {
    const { secret, digest, most, goodMs, nowMs } = this.#options;
    const code = secret();
    const hash = digest(code);
    keepNewest(this.#codes, most);
    this.#codes.set(hash.toString("hex"), { digest: hash, what, untilMs: nowMs() + goodMs });
    return code;
  }

  /** C2. The value that the code was created for. */
  take(code: string): For | undefined {
    const digest = this.#options.digest(code);
    const found = taken(this.#codes, digest);
    this.#codes.delete(digest.toString("hex"));
    return found === undefined || found.untilMs < this.#options.nowMs() ? undefined : found.what;
  }
}

/** The lookup reveals nothing about stored codes, because it uses a keyed hash. */
export function taken<E extends { digest: Buffer }>(table: ReadonlyMap<string, E>, digest: Buffer): E | undefined {
  const found = table.get(digest.toString("hex"));
  return found !== undefined && timingSafeEqual(found.digest, digest) ? found : undefined;
}

function keepNewest(table: Map<string, unknown>, most: number): void {
  for (const key of table.keys()) {
    if (table.size < most) return;
    table.delete(key);
  }
}
