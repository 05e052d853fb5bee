// groups: groups secrets by urgency: not found, in use, not used. Pure.

import type { SecretItem } from "../../api/shapes.ts";

export interface Group {
  id: "missing" | "used" | "unused";
  title: string;
  items: SecretItem[];
}

const TITLES = { missing: "Not found", used: "In use", unused: "Not used here" } as const;

/** Without empty groups. */
export function groupsOf(items: readonly SecretItem[]): Group[] {
  const groupOf = ({ source, usedBy }: SecretItem): Group["id"] =>
    source === undefined ? "missing" : usedBy.length > 0 ? "used" : "unused";
  return (["missing", "used", "unused"] as const)
    .map((id) => ({ id, title: TITLES[id], items: items.filter((item) => groupOf(item) === id) }))
    .filter((group) => group.items.length > 0);
}

/** The name of a source, for a sentence or a row. */
export function sourceWord(source: string): string {
  return WORDS[source] ?? source;
}

const WORDS: Record<string, string> = { ".env": ".env file", store: "local store", keychain: "desktop keyring" };

/** A newline at the end of a pasted value is removed. */
export function givenValue(typed: string): string {
  return typed.replace(/\r?\n$/, "");
}

/** Why a name is invalid, or undefined. The same rule as on the server. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return undefined;
  if (/^[0-9]/.test(name)) return "A name must not start with a digit.";
  if (!/^[A-Za-z0-9_]+$/.test(name)) return "Use letters, digits, and underscores.";
  return name.length > 64 ? "A name has at most 64 characters." : undefined;
}
