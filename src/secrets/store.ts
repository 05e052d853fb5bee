// The local secrets: a file in the data directory, encrypted with age (spec 4.2).
//   L1. `secrets.age` is replaced as a whole (files.ts F1). A file that cannot be read is never overwritten.
//   L2. Processes that change the file at the same time lose nothing: they use a lock that the
//       system releases when its holder dies.
//   L3. Values are decrypted only for a run that uses them or to change the file, and are stored nowhere else.
// Deliberately absent: a password for each use. Anyone who can read the data directory and the
// keyring as this user can read the secrets.

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { homeTrouble, openHome, readOwn, removeHalfWritten, writeOwn } from "./files.ts";
import { findKey, isInUse, type KeyDeps, makeKey, type StoreKey } from "./store-key.ts";

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
    return await withLock(deps.home, () => changeLocked(deps, work));
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
  const secrets = await decrypted(bytes, key.value, deps.home);
  return secrets.ok ? ok({ secrets: secrets.value, key: key.value }) : secrets;
}

/** L2: an exclusive SQLite transaction on an empty file, which is never written to. */
async function withLock<T>(home: string, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  const { DatabaseSync } = await import("node:sqlite");
  const file = join(home, "secrets.lock");
  closeSync(openSync(file, "a", 0o600));
  const lock = new DatabaseSync(file, { timeout: limits.storeBusyMs });
  try {
    try {
      lock.exec("BEGIN EXCLUSIVE");
    } catch (reason) {
      if ((reason as { errcode?: number }).errcode !== SQLITE_BUSY) throw reason;
      return err(busy());
    }
    return await work();
  } finally {
    lock.close();
  }
}

const SQLITE_BUSY = 5;

async function encrypted(text: string, { identity }: StoreKey): Promise<Uint8Array> {
  const { Encrypter, identityToRecipient } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  return encrypter.encrypt(text);
}

async function decrypted(bytes: Uint8Array, key: StoreKey, home: string): Promise<Result<StoredSecret[], Failure>> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addIdentity(key.identity);
  try {
    const content = JSON.parse(await decrypter.decrypt(bytes, "text"));
    if (content?.version === 1 && Array.isArray(content.secrets) && content.secrets.every(isStored))
      return ok(content.secrets);
    return err(damaged(home, "it was written by a newer version, or by something else"));
  } catch (reason) {
    if (/no identity matched/.test((reason as Error).message)) return err(wrongKey(home, key));
    return err(damaged(home, "its bytes are not what was written"));
  }
}

function isStored(each: unknown): each is StoredSecret {
  const { name, value, setAt } = (each ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof value === "string" && typeof setAt === "string";
}

function storeFile(home: string): string {
  return join(home, "secrets.age");
}

function damaged(home: string, how: string): Failure {
  return {
    code: "secret-store-damaged",
    message: `The local secrets in ${storeFile(home)} cannot be read: ${how}. Nothing was changed.`,
    hint: "Bring the file back from a backup, or move it away and set the secrets again.",
  };
}

function wrongKey(home: string, { where }: StoreKey): Failure {
  const key = where === "file" ? join(home, "secrets.key") : "the key in the desktop keyring";
  return {
    code: "secret-store-wrong-key",
    message: `${key} does not open ${storeFile(home)}: one of the two was replaced, or the beginning of the file is damaged.`,
    hint: "Bring back the one that belongs to the other, or move both away and set the secrets again.",
  };
}

function full(): Failure {
  return {
    code: "secret-store-full",
    message: `The local secrets would take more than ${limits.secretStoreBytesMax} bytes together.`,
    hint: '"curlew secrets list" names them, "curlew secrets rm NAME" removes one.',
  };
}

function busy(): Failure {
  return {
    code: "secret-store-busy",
    message: `Another process has been changing the local secrets for more than ${limits.storeBusyMs / 1000} s.`,
    hint: "Try again when it has ended.",
  };
}

function unreadable(home: string, reason: unknown): Failure {
  const code = (reason as NodeJS.ErrnoException).code;
  return {
    code: "secret-store-unreadable",
    message: `The local secrets in ${home} cannot be read or written: ${code ?? (reason instanceof Error ? reason.message : "unknown reason")}.`,
    hint: "Check that the folder belongs to you and that the disk is not full.",
  };
}
