// groups: secrets in the order in which they need attention: not found, in use, not used. Pure.

import type { SecretItem } from "../../api/shapes.ts";

export interface Group {
  id: "missing" | "used" | "unused";
  title: string;
  items: SecretItem[];
}

const TITLES = { missing: "Not found", used: "In use", unused: "Not used here" } as const;

/** Without those that hold none. */
export function groupsOf(items: readonly SecretItem[]): Group[] {
  const groupOf = ({ source, usedBy }: SecretItem): Group["id"] =>
    source === undefined ? "missing" : usedBy.length > 0 ? "used" : "unused";
  return (["missing", "used", "unused"] as const)
    .map((id) => ({ id, title: TITLES[id], items: items.filter((item) => groupOf(item) === id) }))
    .filter((group) => group.items.length > 0);
}

/** Of a source, as it stands in a sentence and in a row. */
export function sourceWord(source: string): string {
  return WORDS[source] ?? source;
}

const WORDS: Record<string, string> = { ".env": ".env file", store: "local store", keychain: "desktop keyring" };

/** As people paste it: the newline at its end is not part of the value. */
export function givenValue(typed: string): string {
  return typed.replace(/\r?\n$/, "");
}

/** What a name cannot be; nothing when it is one. The server says the same. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return undefined;
  if (/^[0-9]/.test(name)) return "A name must not start with a digit.";
  if (!/^[A-Za-z0-9_]+$/.test(name)) return "Use letters, digits, and underscores.";
  return name.length > 64 ? "A name has at most 64 characters." : undefined;
}
