// The tokens of a data directory, each in its own file, encrypted with the key of the local secrets (spec 3.6, 4.2).
//   T1. `tokens/ID.age` has mode 0600 and is replaced as a whole (files.ts F1). A
//       reader gets the old or the new content.
//   T2. Only one process at a time changes a token, under a lock that the system releases when its holder dies.
//   T3. No new key is created while there is a file that needs the old one.

import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { decrypted, encrypted } from "../age.ts";
import { homeTrouble, openHome, readOwn, removeHalfWritten, writeOwn } from "../files.ts";
import { withLock } from "../lock.ts";
import { type KeyDeps, keyForStores, type StoreKey } from "../store-key.ts";
import type { GrantType } from "./grant.ts";

export interface KeptToken {
  version: 1;
  name: string;
  type: GrantType;
  /** The host that issued it. */
  host: string;
  clientId: string;
  scope?: string;
  /** Empty if it was rejected or not yet issued. */
  access: string;
  obtainedAtMs: number;
  /** Absent if the server gave no expiry. */
  expiresAtMs?: number;
  refresh?: string;
  /** A refresh was started and its response is not on record, so the refresh token may have been used up. */
  refreshingSinceMs?: number;
  /** When the server rejected all refresh tokens there are. */
  refusedAtMs?: number;
}

export interface TokenFiles {
  /** Undefined if no token is stored. Failures: secret-store-*. */
  read(id: string): Promise<Result<KeptToken | undefined, Failure>>;
  /** Call it only while holding the lock. */
  write(id: string, token: KeptToken): Promise<Result<void, Failure>>;
  remove(id: string): void;
  ids(): string[];
  /** Failures: `auth-busy`, secret-store-*, and those of `work`. */
  locked<T>(id: string, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>>;
}

export function tokenFiles(deps: KeyDeps): TokenFiles {
  const folder = join(deps.home, "tokens");
  const file = (id: string): string => join(folder, `${id}.age`);
  const remembered = new Map<string, { seen: string; token: KeptToken }>();
  let key: StoreKey | undefined;

  async function keyOf(): Promise<Result<StoreKey, Failure>> {
    if (key !== undefined) return ok(key);
    const found = await keyForStores(deps);
    if (found.ok) key = found.value;
    return found;
  }

  return {
    read: (id) =>
      guarded(deps, async () => {
        const trouble = homeTrouble(deps.home);
        if (trouble !== undefined) return err(trouble);
        const seen = fileMark(file(id));
        if (seen === undefined) return ok(undefined);
        const cached = remembered.get(id);
        if (cached?.seen === seen) return ok(cached.token);
        const bytes = readOwn(file(id), deps.warn);
        if (bytes === undefined) return ok(undefined);
        const found = await keyOf();
        if (!found.ok) return found;
        const token = await opened(bytes, found.value, file(id));
        if (token.ok) remembered.set(id, { seen, token: token.value });
        return token;
      }),
    write: (id, token) =>
      guarded(deps, async () => {
        const found = await keyOf();
        if (!found.ok) return found;
        removeHalfWritten(file(id));
        writeOwn(file(id), await encrypted(JSON.stringify(token), found.value));
        return ok(undefined);
      }),
    remove: (id) => rmSync(file(id), { force: true }),
    ids: () => {
      try {
        return readdirSync(folder).flatMap((name) => /^([0-9a-f]{32})\.age$/.exec(name)?.[1] ?? []);
      } catch {
        return [];
      }
    },
    locked: (id, work) =>
      guarded(deps, async () => {
        const trouble = openHome(deps.home);
        if (trouble !== undefined) return err(trouble);
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return withLock(join(folder, `${id}.lock`), { waitMs: limits.tokenBusyMs, busy }, work);
      }),
  };
}

/** Identifies the file's content, because a file is never changed in place. */
function fileMark(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}

async function opened(bytes: Uint8Array, key: StoreKey, file: string): Promise<Result<KeptToken, Failure>> {
  try {
    const token = await decrypted(bytes, key);
    if (token?.version === 1 && typeof token.access === "string" && typeof token.obtainedAtMs === "number")
      return ok(token);
  } catch {
    // Handled below: the exact problem does not matter.
  }
  return err({
    code: "auth-token-damaged",
    message: `Curlew can't read the token in ${file}. The file or the key of the local secrets has changed, or a newer version wrote it.`,
    hint: `Remove the file (${dirname(file)} contains only tokens). The next run requests another token, or says how to sign in.`,
  });
}

async function guarded<T>(deps: KeyDeps, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  try {
    return await work();
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code === undefined) throw reason;
    return err({
      code: "secret-store-unreadable",
      message: `Curlew can't read or write the tokens in ${deps.home}: ${code}.`,
      hint: "Check that you own the folder, and that the disk is not full.",
    });
  }
}

const busy = failureOf("auth-busy", () => [
  `Another process has been requesting the same token for more than ${limits.tokenBusyMs / 1000} s.`,
  "Try again when it has ended. It may be suspended (Ctrl-Z).",
]);
