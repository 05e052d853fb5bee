// kinds: the kinds of nodes that can be added, and the search for them.

import type { LucideIcon } from "lucide-react";
import { freeName, type Plain } from "../document/index.ts";
import { NODE_VIEWS } from "../kinds.ts";

export interface Kind {
  id: string;
  icon: LucideIcon;
  type: string;
  name: string;
  tool?: string;
  says: string;
  words: string;
  data: Plain;
}

export const KINDS: readonly Kind[] = Object.entries(NODE_VIEWS).flatMap(([type, { icon, adds = [] }]) =>
  adds.map((add) => ({ id: type, icon, type, ...add })),
);

/** Without parents, `${1}` would be a problem from the start, so plain text replaces it. */
export function dataFor(kind: Kind, hasParent: boolean, taken: ReadonlySet<string>): Plain {
  const data = { ...kind.data };
  if (!hasParent && typeof data.content === "string") data.content = data.content.replaceAll("${1}", "text");
  if (typeof data.variableName === "string") data.variableName = freeName(data.variableName, taken);
  return data;
}

/** Matches in order of relevance: by the start of the name, of a word that is shown, of another word, by any part. */
export function matching<T extends Pick<Kind, "name" | "says" | "words">>(all: readonly T[], query: string): T[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [...all];
  const rank = ({ name, says, words }: T): number => {
    if (name.toLowerCase().startsWith(wanted)) return 0;
    const shown = `${name} ${says}`.toLowerCase();
    const text = `${shown} ${words}`.toLowerCase();
    const starts = (all: string) => all.split(/\s+/).some((word) => word.startsWith(wanted));
    return starts(shown) ? 1 : starts(text) ? 2 : text.includes(wanted) ? 3 : 9;
  };
  return all.filter((one) => rank(one) < 9).sort((a, b) => rank(a) - rank(b));
}
