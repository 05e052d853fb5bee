// The key (an age identity) that opens the local secrets: in the desktop keyring, or in a
// file of the data directory (spec 4.2).
//   S1. An existing key file is used, and otherwise the keyring. A user who moves the
//       key to the file has chosen the file.
//   S2. A new key is created only if there are no secrets and no tokens that need the old one.
//   S3. The key is stored safely (read back from the keyring, or flushed to disk) before anything is encrypted with it.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { readSecretConfig } from "./config.ts";
import { readOwn, writeOwn } from "./files.ts";
import { fromKeyring, intoKeyring, keyringIsOff } from "./keyring.ts";
import { withLock } from "./lock.ts";

export interface KeyDeps {
  home: string;
  /** CURLEW_KEYRING=off, or `keyring: off` in config.yaml. */
  keyringOff: boolean;
  warn(warning: Failure): void;
}

/** Failures: config-*. */
export async function keyDepsOf(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
  warn: KeyDeps["warn"],
): Promise<Result<KeyDeps, Failure>> {
  const config = await readSecretConfig(home);
  return config.ok ? ok({ home, keyringOff: keyringIsOff(environment) || config.value.keyringOff, warn }) : config;
}

export interface StoreKey {
  /** `AGE-SECRET-KEY-1…`. */
  identity: string;
  where: "keyring" | "file";
}

const SERVICE = "curlew";
const IDENTITY = /^AGE-SECRET-KEY-1[A-Z0-9]+$/;

/** The key of existing secrets. Failures: `secret-store-key-missing`, `secret-store-damaged`. */
export async function findKey(deps: KeyDeps): Promise<Result<StoreKey, Failure>> {
  const kept = keyInFile(deps);
  if (!kept.ok || kept.value !== undefined) return kept as Result<StoreKey, Failure>;
  const asked = await keyInKeyring(deps);
  if (asked.ok && asked.value !== undefined) return ok({ identity: asked.value, where: "keyring" });
  return err(keyMissing(deps, asked.ok ? "it has none" : asked.error));
}

/** The key for new secrets: an existing one if there is any, otherwise a new one. */
export async function makeKey(deps: KeyDeps): Promise<Result<StoreKey, Failure>> {
  const kept = keyInFile(deps);
  if (!kept.ok || kept.value !== undefined) return kept as Result<StoreKey, Failure>;
  const asked = await keyInKeyring(deps);
  if (asked.ok && asked.value !== undefined) return ok({ identity: asked.value, where: "keyring" });
  const { generateX25519Identity } = await import("age-encryption");
  const identity = await generateX25519Identity();
  if (asked.ok && (await intoKeyring(SERVICE, accountOf(deps.home), identity)).ok)
    return ok({ identity, where: "keyring" });
  writeOwn(keyFile(deps.home), Buffer.from(`${identity}\n`));
  return ok({ identity, where: "file" });
}

/**
 * For other files that use the key of the local secrets. Failures as above,
 * `secret-store-busy`. Throws the system's error.
 */
export async function keyForStores(deps: KeyDeps): Promise<Result<StoreKey, Failure>> {
  if (isInUse(deps.home)) return findKey(deps);
  const lock = { waitMs: limits.storeBusyMs, busy: storeIsBusy };
  return withLock(join(deps.home, "secrets.lock"), lock, () => (isInUse(deps.home) ? findKey : makeKey)(deps));
}

/** S2: whether there is a file that only the existing key can open. */
export function isInUse(home: string): boolean {
  if (existsSync(join(home, "secrets.age"))) return true;
  try {
    return readdirSync(join(home, "tokens")).some((name) => name.endsWith(".age"));
  } catch {
    return false;
  }
}

export const storeIsBusy = failureOf("secret-store-busy", () => [
  `Another process has been changing the local secrets for more than ${limits.storeBusyMs / 1000} s.`,
  "Try again when it has ended.",
]);

function keyFile(home: string): string {
  return join(home, "secrets.key");
}

/** Each data directory has its own key. */
function accountOf(home: string): string {
  return `secrets of ${home}`;
}

function keyInFile({ home, warn }: KeyDeps): Result<StoreKey | undefined, Failure> {
  const text = readOwn(keyFile(home), warn)?.toString("latin1").trim();
  if (text === undefined) return ok(undefined);
  if (IDENTITY.test(text)) return ok({ identity: text, where: "file" });
  return err({
    code: "secret-store-damaged",
    message: `${keyFile(home)} is damaged: it contains no key.`,
    hint: "Restore it from a backup. Without it, Curlew can't read the local secrets.",
  });
}

async function keyInKeyring({ home, keyringOff }: KeyDeps): Promise<Result<string | undefined, string>> {
  if (keyringOff) return err("it is switched off");
  const found = await fromKeyring(SERVICE, accountOf(home));
  if (!found.ok || found.value === undefined || IDENTITY.test(found.value)) return found;
  return ok(undefined);
}

const keyMissing = failureOf("secret-store-key-missing", ({ home }: KeyDeps, why: string) => [
  `Curlew can't get the key of the local secrets: there is no ${keyFile(home)}, and the desktop keyring is not available (${why}).`,
  `If you saved the secrets with a keyring, use them in a desktop session. If the key is lost, remove ${join(home, "secrets.age")} and set them again.`,
]);
