// Reads the `auth:` entries of config.yaml in the data directory, for documents that refer to them by name (spec 3.6).
//     auth:
//       shop: { type: oauth2-client-credentials, tokenUrl: "https://shop.example/token", clientId: ci,
//               clientSecret: "${SHOP_SECRET}" }
//   F1. A document's own entry of the same name takes precedence. The entry's user
//       checks its content, or passes a `check`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { YAMLMap } from "yaml";
import type { Failure } from "../../base/failure.ts";
import { ok, type Result } from "../../base/result.ts";
import { entriesOf, type Place, readConfig } from "../config.ts";

export interface ConfiguredAuth {
  /** File, line, and column. */
  at: string;
  fields: Readonly<Record<string, string>>;
}

export type AuthConfig = ReadonlyMap<string, ConfiguredAuth>;

const NONE: AuthConfig = new Map();

/**
 * Avoids loading the YAML parser if the file has no `auth`. Failures: `config-invalid`,
 * `config-unreadable`, `config-open`.
 */
export async function readAuthConfig(home: string): Promise<Result<AuthConfig, Failure>> {
  try {
    if (!readFileSync(join(home, "config.yaml"), "utf8").includes("auth")) return ok(NONE);
  } catch {
    // The call below reports any problem with reading the file.
  }
  return readConfig<AuthConfig>(home, NONE, (top, place) => authOf(top, place));
}

/** The problem with an entry's fields, or undefined. */
export type AuthCheck = (fields: Readonly<Record<string, string>>) => string | undefined;

export function authOf(top: YAMLMap, place: Place, check?: AuthCheck): AuthConfig {
  const auth = entriesOf(top, place).find(({ name }) => name === "auth");
  const found = new Map<string, ConfiguredAuth>();
  for (const { name, value } of auth === undefined
    ? []
    : entriesOf(place.mapAt(auth.value, "auth must be { NAME: { type, … } }"), place)) {
    const where = `auth.${name}`;
    const fields: Record<string, string> = Object.create(null);
    for (const field of entriesOf(place.mapAt(value, `${where} must be a map with a type`), place)) {
      const text = place.plain(field.value);
      if (typeof text !== "string") throw place.wrong(field.value, `${where}.${field.name} must be a text`);
      fields[field.name] = text;
    }
    if (fields.type === undefined) throw place.wrong(value, `${where} does not say its type`);
    const problem = check?.(fields);
    if (problem !== undefined) throw place.wrong(value, `${where} ${problem}`);
    found.set(name, { at: place.at(value), fields });
  }
  return found;
}
