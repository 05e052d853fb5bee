// sessions: who may call (spec 4.3 S4, S9, S15, S17): the server's own token, session tokens of browsers, one-time codes of login links.
//   T1. Tokens have 256 bits and are kept as keyed hashes; they are compared in constant time.
//   T2. A code is good once, for a short time (one-time.ts). A session is good until it is given back or the server stops:
//      what was begun with it (a stream of events, a call that waits) ends then, too.
//   T4. A code for a download opens one output, once, and nothing else: it stands in an address, where a token never does.
//   T3. Failed logins are counted over all callers; beyond a number nobody logs in for a while. Calls with a token are not held up by it.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Right } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { OneTime, taken } from "./one-time.ts";

export const ALL_RIGHTS: readonly Right[] = ["read", "run", "submit", "approve", "admin"];

export interface Caller {
  rights: readonly Right[];
  /** Of a session: how it is named to give it back. */
  session?: string;
  /** Aborted when the session is over. */
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
  /** For `server.json`: all rights. */
  readonly token = secret();
  private readonly key = randomBytes(32);
  private readonly own: Buffer;
  private readonly sessions = new Map<string, Entry>();
  private readonly codes: OneTime<readonly Right[]>;
  /** T4. */
  readonly downloads: OneTime<Download>;
  private failures: number[] = [];
  private readonly nowMs: () => number;

  /** `nowMs`: any clock that goes forward. */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.own = this.digest(this.token);
    const kind = { nowMs, secret, digest: (text: string) => this.digest(text) };
    this.codes = new OneTime({ ...kind, most: limits.loginCodesMax, goodMs: limits.loginCodeMs });
    this.downloads = new OneTime({ ...kind, most: limits.downloadCodesMax, goodMs: limits.downloadCodeMs });
  }

  /** Whom this token belongs to. */
  callerOf(token: string): Caller | undefined {
    const digest = this.digest(token);
    if (timingSafeEqual(digest, this.own)) return { rights: ALL_RIGHTS };
    const found = taken(this.sessions, digest);
    return found && { rights: found.rights, session: digest.toString("hex"), over: found.over.signal };
  }

  /** A one-time code for a login link. */
  newCode(rights: readonly Right[] = ALL_RIGHTS): string {
    return this.codes.give(rights);
  }

  /** T2, T3. The session for a code, or why not; `afterMs`: when the next try is taken. */
  login(code: string): { token: string; rights: readonly Right[] } | "wrong" | { afterMs: number } {
    const now = this.nowMs();
    this.failures = this.failures.filter((at) => at > now - limits.loginFailuresMs);
    if (this.failures.length >= limits.loginFailuresMax)
      return { afterMs: this.failures[0]! + limits.loginFailuresMs - now };
    const rights = this.codes.take(code);
    if (rights === undefined) {
      this.failures.push(now);
      return "wrong";
    }
    const token = secret();
    const session = this.digest(token);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size < limits.sessionsMax) break;
      this.giveBack(oldest);
    }
    this.sessions.set(session.toString("hex"), { digest: session, rights, over: new AbortController() });
    return { token, rights };
  }

  giveBack(session: string): void {
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
