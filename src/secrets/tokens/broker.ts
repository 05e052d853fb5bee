// Shares each token among all runs of a data directory, and renews it before it expires (spec 3.6, ADR 50).
//   B1. A token is requested once at a time in the whole data directory. Other callers get the same result.
//   B2. A token is on disk before it is used, so the successor of a single-use refresh token is never only in memory.
//   B3. A refresh is recorded before it is sent. If its response is lost and the server then rejects the old refresh
//       token, the failure says so.
//   B4. Time counts from before the request was sent. If the clock is set back, tokens count as expired.
//   B5. If an early renewal fails, the token that is still valid remains in use.
//   B6. A rejected refresh token is not sent again by every caller: for a while, they get the same failure.

import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { keyDepsOf } from "../store-key.ts";
import { askClientCredentials, askRefresh, type IssuedToken, serverOf } from "./ask.ts";
import { type Asking, type Environment, type NoToken, refusal, runEnded, Trouble } from "./endpoint.ts";
import { isFresh, renewAtOf } from "./fresh.ts";
import { type Grant, hostOf, idOfGrant, needsPerson } from "./grant.ts";
import { type KeptToken, type TokenFiles, tokenFiles } from "./kept.ts";

export interface BrokerDeps {
  home: string;
  environment: Environment;
  warn(warning: Failure): void;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

export interface Asked {
  grant: Grant;
  /** Masks the secrets in a text. */
  mask(text: string): string;
  /** Receives each token before it is used in any way. */
  learn(secrets: string[]): void;
  /** Ends this caller's wait. Requests that others wait for continue. */
  signal?: AbortSignal | undefined;
}

export interface Token {
  access: string;
  /** Whether the token was just requested. */
  isNew: boolean;
  /** When to renew it, by this machine's clock. Absent if the server gave no expiry. */
  renewAtMs?: number;
}

export interface Broker {
  /** Failures: auth-*, secret-store-*, home-key-*. */
  token(asked: Asked): Promise<Result<Token, NoToken>>;
  /** Call this if a server answered 401: the token is no longer used. A newer one is kept. */
  refused(asked: Pick<Asked, "grant">, access: string): Promise<Result<void, Failure>>;
  /** Whether a person must sign in to get a token. */
  wantsLogin(grant: Grant): Promise<Result<boolean, Failure>>;
  /** Stores the tokens of a login. */
  keep(grant: Grant, given: IssuedToken, askedAtMs: number): Promise<Result<void, Failure>>;
}

export async function createBroker(deps: BrokerDeps): Promise<Result<Broker, Failure>> {
  const keys = await keyDepsOf(deps.home, deps.environment, deps.warn);
  if (!keys.ok) return keys;
  const files = tokenFiles(keys.value);
  /** B1, in this process. */
  const atWork = new Map<string, Promise<Result<Brought, NoToken>>>();
  return ok({
    async token(asked) {
      const id = idOfGrant(asked.grant, deps.home);
      if (!id.ok) return id;
      const kept = await files.read(id.value);
      if (!kept.ok) return kept;
      if (kept.value !== undefined && isFresh(kept.value, deps.nowMs()))
        return ok(learnToken({ kept: kept.value, isNew: false }, asked));
      let work = atWork.get(id.value);
      if (work === undefined) {
        work = files.locked(id.value, () => renewed(id.value, asked, files, deps));
        atWork.set(id.value, work);
        void work.finally(() => atWork.delete(id.value));
      }
      const brought = await orStopped(work, asked);
      return brought.ok ? ok(learnToken(brought.value, asked)) : brought;
    },
    async refused({ grant }, access) {
      const id = idOfGrant(grant, deps.home);
      if (!id.ok) return id;
      return files.locked(id.value, async () => {
        const kept = await files.read(id.value);
        if (!kept.ok || kept.value?.access !== access) return kept.ok ? ok(undefined) : kept;
        return files.write(id.value, { ...kept.value, access: "" });
      });
    },
    async wantsLogin(grant) {
      if (!needsPerson(grant)) return ok(false);
      const id = idOfGrant(grant, deps.home);
      if (!id.ok) return id;
      const kept = await files.read(id.value);
      if (!kept.ok) return kept;
      return ok(kept.value === undefined || (kept.value.refresh === undefined && !isFresh(kept.value, deps.nowMs())));
    },
    async keep(grant, given, askedAtMs) {
      const id = idOfGrant(grant, deps.home);
      if (!id.ok) return id;
      return files.locked(id.value, () => files.write(id.value, keptOf(grant, given, askedAtMs)));
    },
  });
}

/** All stored tokens that can be opened, whatever their state. Others are ignored. */
export async function keptTokens(deps: Pick<BrokerDeps, "home" | "environment">): Promise<string[]> {
  const keys = await keyDepsOf(deps.home, deps.environment, () => {});
  if (!keys.ok) return [];
  const files = tokenFiles(keys.value);
  const kept = await Promise.all(files.ids().map((id) => files.read(id)));
  return kept.flatMap((read) => (read.ok && read.value !== undefined ? secretsOfToken(read.value) : []));
}

function secretsOfToken({ access, refresh }: IssuedToken): string[] {
  return [access, ...(refresh === undefined ? [] : [refresh])];
}

interface Brought {
  kept: KeptToken;
  isNew: boolean;
}

/** Passes the token to `learn` for every caller, including those that waited for another caller's request. */
function learnToken({ kept, isNew }: Brought, asked: Asked): Token {
  const { access, obtainedAtMs, expiresAtMs } = kept;
  asked.learn(secretsOfToken(kept));
  const renewAt = expiresAtMs === undefined ? {} : { renewAtMs: renewAtOf(obtainedAtMs, expiresAtMs) };
  return { access, isNew, ...renewAt };
}

function orStopped<T>(work: Promise<Result<T, NoToken>>, { signal, grant }: Asked): Promise<Result<T, NoToken>> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(err(runEnded(grant)));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The caller holds the lock. Another process may have renewed the token in the meantime. */
async function renewed(
  id: string,
  asked: Asked,
  files: TokenFiles,
  deps: BrokerDeps,
): Promise<Result<Brought, NoToken>> {
  const read = await files.read(id);
  if (!read.ok) return read;
  const kept = read.value;
  if (kept !== undefined && isFresh(kept, deps.nowMs())) return ok({ kept, isNew: false });
  const { grant, mask } = asked;
  const asking: Asking = { grant, mask, environment: deps.environment };
  try {
    const given =
      grant.type === "oauth2-client-credentials"
        ? await first(asking, deps)
        : await refreshedBy(id, kept, asking, files, deps);
    if (!given.ok) return given;
    asked.learn(secretsOfToken(given.value));
    const written = await files.write(id, given.value);
    return written.ok ? ok({ kept: given.value, isNew: true }) : written;
  } catch (reason) {
    if (!(reason instanceof Trouble)) throw reason;
    const stillGood = kept !== undefined && isGood(kept, deps.nowMs()) && PASSING.has(reason.failure.code);
    return stillGood ? ok({ kept, isNew: false }) : err(reason.failure);
  }
}

/** B5: failures that do not mean that the token is invalid. */
const PASSING = new Set([
  "auth-unreachable",
  "auth-certificate",
  "auth-unavailable",
  "auth-not-json",
  "auth-slow-down",
]);

function isGood({ access, obtainedAtMs, expiresAtMs }: KeptToken, nowMs: number): boolean {
  return (
    access !== "" &&
    obtainedAtMs <= nowMs + limits.tokenClockSlackMs &&
    expiresAtMs !== undefined &&
    nowMs < expiresAtMs
  );
}

async function first(asking: Asking, deps: BrokerDeps): Promise<Result<KeptToken, Failure>> {
  const server = await serverOf(asking);
  const askedAtMs = deps.nowMs();
  return ok(keptOf(asking.grant, await askClientCredentials(server), askedAtMs));
}

/** B2, B3. */
async function refreshedBy(
  id: string,
  kept: KeptToken | undefined,
  asking: Asking,
  files: TokenFiles,
  deps: BrokerDeps,
): Promise<Result<KeptToken, Failure>> {
  const { grant } = asking;
  if (isRefused(kept, deps.nowMs())) return err(refusal({ error: "invalid_grant" }, undefined, asking));
  const refresh = kept?.refresh ?? grant.refreshToken;
  if (refresh === undefined)
    return err(
      loginNeeded(
        grant,
        kept === undefined ? "no one has signed in yet" : "the token has expired, and the server sent no refresh token",
      ),
    );
  const server = await serverOf(asking);
  const since = kept?.refreshingSinceMs;
  const askedAtMs = deps.nowMs();
  const begun = await files.write(id, {
    ...(kept ?? keptOf(grant, { access: "" }, 0)),
    refreshingSinceMs: since ?? askedAtMs,
  });
  if (!begun.ok) return begun;
  try {
    return ok(keptOf(grant, await askRefresh(server, refresh), askedAtMs, refresh));
  } catch (reason) {
    if (!(reason instanceof Trouble) || reason.error === undefined) throw reason;
    // The server has responded, so what happened to the refresh token is known.
    if (reason.error !== "invalid_grant") {
      if (since === undefined) await files.write(id, { ...(kept ?? keptOf(grant, { access: "" }, 0)) });
      throw reason;
    }
    return invalid(id, kept, since, reason, grant, files, deps);
  }
}

/** The refresh token is no longer valid. */
async function invalid(
  id: string,
  kept: KeptToken | undefined,
  since: number | undefined,
  reason: Trouble,
  grant: Grant,
  files: TokenFiles,
  deps: BrokerDeps,
): Promise<Result<KeptToken, Failure>> {
  const { refresh: _, refreshingSinceMs: __, ...rest } = kept ?? keptOf(grant, { access: "" }, 0);
  const written = await files.write(id, { ...rest, access: "", refusedAtMs: deps.nowMs() });
  if (!written.ok) return written;
  if (since !== undefined) return err(refreshLost(grant, since));
  return needsPerson(grant)
    ? err(loginNeeded(grant, "the server no longer renews the login (invalid_grant)"))
    : err(reason.failure);
}

/** B6. Does not apply to logins, which have no refresh token left to send. */
function isRefused(kept: KeptToken | undefined, nowMs: number): boolean {
  if (kept?.refusedAtMs === undefined || needsPerson(kept)) return false;
  const ago = nowMs - kept.refusedAtMs;
  return ago >= 0 && ago < limits.tokenRefusedMs;
}

function keptOf(grant: Grant, given: IssuedToken, askedAtMs: number, refreshBefore?: string): KeptToken {
  const refresh = given.refresh ?? refreshBefore;
  const scope = given.scope ?? grant.scope;
  return {
    version: 1,
    name: grant.name,
    type: grant.type,
    host: hostOf(grant),
    clientId: grant.clientId,
    scope,
    access: given.access,
    obtainedAtMs: askedAtMs,
    expiresAtMs: given.expiresInSeconds === undefined ? undefined : askedAtMs + given.expiresInSeconds * 1_000,
    refresh,
  };
}

const loginNeeded = failureOf("auth-login-needed", (grant: Grant, why: string) => [
  `Someone must sign in for the auth "${grant.name}": ${why}.`,
  `Run: curlew auth login ${grant.name} FILE (without FILE for an entry of config.yaml)`,
]);

function refreshLost(grant: Grant, sinceMs: number): Failure {
  const again = needsPerson(grant)
    ? `Sign in again: curlew auth login ${grant.name} FILE`
    : "Give the auth entry a new refreshToken.";
  return {
    code: "auth-refresh-lost",
    message: `Curlew can't renew the token of the auth "${grant.name}": a renewal at ${new Date(sinceMs).toISOString()} was interrupted before Curlew recorded the response, and the server no longer accepts the old refresh token.`,
    hint: again,
  };
}
