// The local secrets: a file in the data directory, encrypted with age (spec 4.2).
//   L1. `secrets.age` is replaced as a whole (files.ts F1). A file that cannot be read is never overwritten.
//   L2. Processes that change the file at the same time lose nothing: they use a lock that the
//       system releases when its holder dies.
//   L3. Values are decrypted only for a run that uses them or to change the file, and are stored nowhere else.
// There is no password for each use. Anyone who can read the data directory and the keyring as this user can read the
// secrets.

import { join } from "node:path";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { decrypted, encrypted } from "./age.ts";
import { homeTrouble, openHome, readOwn, removeHalfWritten, writeOwn } from "./files.ts";
import { withLock } from "./lock.ts";
import { findKey, isInUse, type KeyDeps, makeKey, type StoreKey, storeIsBusy } from "./store-key.ts";

export interface StoredSecret {
  name: string;
  value: string;
  /** When it was set, in ISO 8601. */
  setAt: string;
}

export interface LocalSecrets {
  secrets: readonly StoredSecret[];
  /** Where the key is. Absent if there are no local secrets. */
  key?: StoreKey["where"];
}

/** Empty if the file does not exist. Failures: secret-store-*. */
export async function readSecrets(deps: KeyDeps): Promise<Result<LocalSecrets, Failure>> {
  try {
    const trouble = homeTrouble(deps.home);
    if (trouble !== undefined) return err(trouble);
    const bytes = readOwn(storeFile(deps.home), deps.warn);
    if (bytes === undefined) return ok({ secrets: [] });
    const known = await opened(bytes, deps);
    return known.ok ? ok({ secrets: known.value.secrets, key: known.value.key.where }) : known;
  } catch (reason) {
    return err(unreadable(deps.home, reason));
  }
}

/** Adds or replaces a secret. The caller has checked its name and value. Failures: secret-store-*. */
export function setSecret(secret: StoredSecret, deps: KeyDeps): Promise<Result<LocalSecrets, Failure>> {
  return change(deps, (secrets) => [...secrets.filter(({ name }) => name !== secret.name), secret]);
}

/** Returns whether it existed. Failures: secret-store-*. */
export async function removeSecret(name: string, deps: KeyDeps): Promise<Result<boolean, Failure>> {
  let wasThere = false;
  const changed = await change(deps, (secrets) => {
    const rest = secrets.filter((each) => each.name !== name);
    wasThere = rest.length < secrets.length;
    return wasThere ? rest : undefined;
  });
  return changed.ok ? ok(wasThere) : changed;
}

type Change = (secrets: readonly StoredSecret[]) => readonly StoredSecret[] | undefined;

async function change(deps: KeyDeps, work: Change): Promise<Result<LocalSecrets, Failure>> {
  try {
    const trouble = openHome(deps.home);
    if (trouble !== undefined) return err(trouble);
    const lock = { waitMs: limits.storeBusyMs, busy: storeIsBusy };
    return await withLock(join(deps.home, "secrets.lock"), lock, () => changeLocked(deps, work));
  } catch (reason) {
    return err(unreadable(deps.home, reason));
  }
}

async function changeLocked(deps: KeyDeps, work: Change): Promise<Result<LocalSecrets, Failure>> {
  const file = storeFile(deps.home);
  removeHalfWritten(file);
  const bytes = readOwn(file, deps.warn);
  const before = bytes === undefined ? undefined : await opened(bytes, deps);
  if (before?.ok === false) return before;
  const secrets = work(before?.value.secrets ?? []);
  if (secrets === undefined) return ok({ secrets: [] });
  const key = before === undefined ? await (isInUse(deps.home) ? findKey : makeKey)(deps) : ok(before.value.key);
  if (!key.ok) return key;
  const text = JSON.stringify({ version: 1, secrets });
  if (Buffer.byteLength(text) > limits.secretStoreBytesMax) return err(full());
  writeOwn(file, await encrypted(text, key.value));
  return ok({ secrets, key: key.value.where });
}

interface Opened {
  secrets: StoredSecret[];
  key: StoreKey;
}

async function opened(bytes: Uint8Array, deps: KeyDeps): Promise<Result<Opened, Failure>> {
  const key = await findKey(deps);
  if (!key.ok) return key;
  const secrets = await secretsIn(bytes, key.value, deps.home);
  return secrets.ok ? ok({ secrets: secrets.value, key: key.value }) : secrets;
}

async function secretsIn(bytes: Uint8Array, key: StoreKey, home: string): Promise<Result<StoredSecret[], Failure>> {
  try {
    const content = await decrypted(bytes, key);
    if (content?.version === 1 && Array.isArray(content.secrets) && content.secrets.every(isStored))
      return ok(content.secrets);
    return err(damaged(home, "a newer version or another program wrote it"));
  } catch (reason) {
    if (/no identity matched/.test((reason as Error).message)) return err(wrongKey(home, key));
    return err(damaged(home, "its content has changed"));
  }
}

function isStored(each: unknown): each is StoredSecret {
  const { name, value, setAt } = (each ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof value === "string" && typeof setAt === "string";
}

function storeFile(home: string): string {
  return join(home, "secrets.age");
}

const damaged = failureOf("secret-store-damaged", (home: string, how: string) => [
  `Curlew can't read the local secrets in ${storeFile(home)}: ${how}. Nothing was changed.`,
  "Restore the file from a backup, or move it away and set the secrets again.",
]);

function wrongKey(home: string, { where }: StoreKey): Failure {
  const key = where === "file" ? join(home, "secrets.key") : "the key in the desktop keyring";
  return {
    code: "secret-store-wrong-key",
    message: `${key} does not open ${storeFile(home)}. One of them was replaced, or the file is damaged.`,
    hint: "Restore the matching one, or move both away and set the secrets again.",
  };
}

const full = failureOf("secret-store-full", () => [
  `Together, the local secrets would have more than ${limits.secretStoreBytesMax} bytes, the limit.`,
  '"curlew secrets list" names them, "curlew secrets rm NAME" removes one.',
]);

function unreadable(home: string, reason: unknown): Failure {
  const code = (reason as NodeJS.ErrnoException).code;
  return {
    code: "secret-store-unreadable",
    message: `Curlew can't read or write the local secrets in ${home}: ${code ?? (reason instanceof Error ? reason.message : "unknown reason")}.`,
    hint: "Check that you own the folder, and that the disk is not full.",
  };
}
