// Decides who may call (spec 4.3 S4, S9, S15, S17): the server's own token, session
// tokens of browsers, codes of login links.
//   T1. Tokens have 256 bits, are stored as keyed hashes, and are compared in constant time.
//   T2. A code works once, for a short time, and is removed by any attempt to use it. A session lasts until logout or until the server stops. Its
//       open streams and waiting calls end with it.
//   T3. Failed logins are counted over all callers. After too many, logins are blocked for a
//       while. Calls with a token still work.
//   T4. A download code gives access to one output, once. It is part of a URL, where a token must never be.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Right } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { Recent } from "../../base/recent.ts";

const ALL_RIGHTS: readonly Right[] = ["read", "run", "submit", "approve", "admin"];

export interface Caller {
  rights: readonly Right[];
  /** The id of the session, used to end it. */
  session?: string;
  /** Aborted when the session ends. */
  over?: AbortSignal;
}

/** One output of an attempt. */
export interface Download {
  id: string;
  path: string;
  n: string;
  stream: string;
}

interface Entry {
  digest: Buffer;
  rights: readonly Right[];
  over: AbortController;
}

export class Sessions {
  /** For `server.json`. It has all rights. */
  readonly token = secret();
  private readonly key = randomBytes(32);
  private readonly own: Buffer;
  private readonly sessions = new Map<string, Entry>();
  private readonly codes: OneTime<readonly Right[]>;
  /** T4. */
  readonly downloads: OneTime<Download>;
  private failures: number[] = [];
  private readonly nowMs: () => number;

  /** `nowMs`: a monotonic clock. */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.own = this.digest(this.token);
    const common = { nowMs, secret, digest: (text: string) => this.digest(text) };
    this.codes = new OneTime({ ...common, most: limits.loginCodesMax, validMs: limits.loginCodeMs });
    this.downloads = new OneTime({ ...common, most: limits.downloadCodesMax, validMs: limits.downloadCodeMs });
  }

  /** The caller that this token belongs to. */
  callerOf(token: string): Caller | undefined {
    const digest = this.digest(token);
    if (timingSafeEqual(digest, this.own)) return { rights: ALL_RIGHTS };
    const found = entryOf(this.sessions, digest);
    return found && { rights: found.rights, session: digest.toString("hex"), over: found.over.signal };
  }

  /** A one-time code for a login link. */
  newCode(rights: readonly Right[] = ALL_RIGHTS): string {
    return this.codes.create(rights);
  }

  /** T2, T3. A session for the code, or the reason for refusing it. `afterMs`: how long logins are blocked. */
  login(code: string): { token: string; rights: readonly Right[] } | "wrong" | { afterMs: number } {
    const now = this.nowMs();
    this.failures = this.failures.filter((at) => at > now - limits.loginFailuresMs);
    if (this.failures.length >= limits.loginFailuresMax)
      return { afterMs: this.failures[0]! + limits.loginFailuresMs - now };
    const rights = this.codes.redeem(code);
    if (rights === undefined) {
      this.failures.push(now);
      return "wrong";
    }
    const token = secret();
    const session = this.digest(token);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size < limits.sessionsMax) break;
      this.endSession(oldest);
    }
    this.sessions.set(session.toString("hex"), { digest: session, rights, over: new AbortController() });
    return { token, rights };
  }

  endSession(session: string): void {
    this.sessions.get(session)?.over.abort();
    this.sessions.delete(session);
  }

  private digest(text: string): Buffer {
    return createHmac("sha256", this.key).update(text).digest();
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

interface OneTimeOptions {
  most: number;
  validMs: number;
  /** A monotonic clock. */
  nowMs(): number;
  digest(text: string): Buffer;
  secret(): string;
}

class OneTime<For> {
  readonly #codes: Recent<{ digest: Buffer; value: For; untilMs: number }>;
  readonly #options: OneTimeOptions;

  constructor(options: OneTimeOptions) {
    this.#options = options;
    this.#codes = new Recent(options.most);
  }

  /** Creates a code for a value. Beyond `most`, the oldest code is removed. */
  create(value: For): string {
    const { secret, digest, validMs, nowMs } = this.#options;
    const code = secret();
    const hash = digest(code);
    this.#codes.set(hash.toString("hex"), { digest: hash, value, untilMs: nowMs() + validMs });
    return code;
  }

  /** The value that the code was created for. */
  redeem(code: string): For | undefined {
    const digest = this.#options.digest(code);
    const found = entryOf(this.#codes, digest);
    this.#codes.delete(digest.toString("hex"));
    return found === undefined || found.untilMs < this.#options.nowMs() ? undefined : found.value;
  }
}

/** The lookup reveals nothing about stored codes, because it uses a keyed hash. */
function entryOf<E extends { digest: Buffer }>(table: ReadonlyMap<string, E>, digest: Buffer): E | undefined {
  const found = table.get(digest.toString("hex"));
  return found !== undefined && timingSafeEqual(found.digest, digest) ? found : undefined;
}
