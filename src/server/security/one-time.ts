// one-time: codes that are good once, for a short time (spec 4.3 S4): of login links, of downloads.
//   C1. A code has 256 bits and is kept as a keyed hash; it is compared in constant time.
//   C2. Taking a code ends it, whatever comes of it. Beyond `most` the oldest goes.

import { timingSafeEqual } from "node:crypto";

export interface OneTimeOptions {
  most: number;
  goodMs: number;
  /** Any clock that goes forward. */
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

  /** A new code, for this. */
  give(what: For): string {
    const { secret, digest, most, goodMs, nowMs } = this.#options;
    const code = secret();
    const hash = digest(code);
    keepNewest(this.#codes, most);
    this.#codes.set(hash.toString("hex"), { digest: hash, what, untilMs: nowMs() + goodMs });
    return code;
  }

  /** C2. What the code was given for. */
  take(code: string): For | undefined {
    const digest = this.#options.digest(code);
    const found = taken(this.#codes, digest);
    this.#codes.delete(digest.toString("hex"));
    return found === undefined || found.untilMs < this.#options.nowMs() ? undefined : found.what;
  }
}

/** The place in the table tells nothing: it is found by a keyed hash. */
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
