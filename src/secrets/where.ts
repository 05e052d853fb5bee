// Finds the source that would provide each secret, in the order of sources.ts O1, without
// reading its value (spec 2.3, 4.2, ui 6.2).
//   H1. No command is run and no keyring entry is read. Whether they have a value is not known in advance.
//   H2. No value leaves this file. Callers learn only whether a value is empty, and whether it equals a given one.

import type { Failure } from "../base/failure.ts";
import type { Result } from "../base/result.ts";
import { readSecretConfig, type SecretConfig } from "./config.ts";
import { readDotEnv } from "./dotenv.ts";
import { keyringIsOff } from "./keyring.ts";
import { readSecrets } from "./store.ts";

type SourceKind = "environment" | ".env" | "store" | "keychain" | "command";

export interface Whereabouts {
  /** The first source that has it. Absent if no source that can be checked has it. */
  source?: SourceKind;
  stored: boolean;
  /** The environment variable that config.yaml names, if its name differs. */
  variable?: string;
}

export interface WhereDeps {
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
  warn(warning: Failure): void;
}

export interface ReadOnlyStore {
  /** Names in the local store and in config.yaml. */
  names: readonly string[];
  of(name: string, folders: readonly string[]): Whereabouts;
  /** Whether a document in the folder would get exactly this value. */
  equals(name: string, folder: string, value: string): boolean;
  /** Why the local store or config.yaml cannot be read. */
  troubles: readonly Failure[];
}

/**
 * Reads the sources once. The result answers for any name, and for documents in
 * several folders, each with its own `.env`.
 */
export async function lookForSecrets({ environment, home, warn }: WhereDeps): Promise<ReadOnlyStore> {
  const config = await readSecretConfig(home);
  const keyringOff = keyringIsOff(environment) || (config.ok && config.value.keyringOff);
  const stored = await readSecrets({ home, keyringOff, warn });
  const kept = new Map(stored.ok ? stored.value.secrets.map(({ name, value }) => [name, value]) : []);
  const sources: SecretConfig["sources"] = config.ok ? config.value.sources : new Map();
  const dotEnvs = new Map<string, ReadonlyMap<string, string>>();
  const has = (values: Readonly<Record<string, string | undefined>>, name: string): boolean =>
    Object.hasOwn(values, name) && (values[name] ?? "") !== "";
  const dotEnv = (folder: string): ReadonlyMap<string, string> => {
    const known = dotEnvs.get(folder) ?? valuesIn(folder, warn);
    dotEnvs.set(folder, known);
    return known;
  };
  const of = (name: string, folders: readonly string[]): Whereabouts => {
    const isKept = kept.has(name);
    const source = sources.get(name);
    if (has(environment, name)) return { source: "environment", stored: isKept };
    if (folders.length > 0 && folders.every((folder) => dotEnv(folder).has(name)))
      return { source: ".env", stored: isKept };
    if (isKept) return { source: "store", stored: true };
    if (source === undefined) return { stored: false };
    if (source.kind !== "env") return { source: source.kind, stored: false };
    const there = has(environment, source.name);
    return { ...(there ? { source: "environment" as const } : {}), stored: false, variable: source.name };
  };
  const equals = (name: string, folder: string, value: string): boolean => {
    const { source, variable } = of(name, [folder]);
    if (source === "environment") return environment[variable ?? name] === value;
    return (source === ".env" ? dotEnv(folder) : source === "store" ? kept : undefined)?.get(name) === value;
  };
  return { names: [...kept.keys(), ...sources.keys()], of, equals, troubles: [config, stored].flatMap(troubleOf) };
}

function valuesIn(folder: string, warn: WhereDeps["warn"]): ReadonlyMap<string, string> {
  return new Map([...readDotEnv(folder, warn)].filter(([, value]) => value !== ""));
}

function troubleOf(read: Result<unknown, Failure>): Failure[] {
  return read.ok ? [] : [read.error];
}
