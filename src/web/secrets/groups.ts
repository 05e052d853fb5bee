// groups: secrets in the order in which they need somebody: what is found nowhere, what workflows use, what nobody uses. Pure.

import type { SecretItem } from "../../api/shapes.ts";

export interface Group {
  id: "missing" | "used" | "unused";
  title: string;
  items: SecretItem[];
}

const TITLES = {
  missing: "Found nowhere",
  used: "In use",
  unused: "Used by no workflow here",
} as const;

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
  switch (source) {
    case "environment":
      return "environment";
    case ".env":
      return ".env file";
    case "store":
      return "local store";
    case "keychain":
      return "desktop keyring";
    case "command":
      return "command";
    default:
      return source;
  }
}

/** As people paste it: the one line break at its end is none of the value. */
export function givenValue(typed: string): string {
  return typed.replace(/\r?\n$/, "");
}

/** What a name cannot be; nothing when it is one. The server says the same. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return undefined;
  if (/^[0-9]/.test(name)) return "A name does not begin with a digit.";
  if (!/^[A-Za-z0-9_]+$/.test(name)) return "A name has letters, digits and underscores.";
  return name.length > 64 ? "A name has at most 64 characters." : undefined;
}
