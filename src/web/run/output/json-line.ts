// json-line: whether a line of output is JSON that is worth folding, and the tree behind it. Pure.

import { plainText } from "./ansi.ts";
import type { LogItem } from "./log.ts";

/** Longer ones are shown as text: parsing them would be felt. */
const CHARACTERS_MAX = 200_000;

/** Quick and rough: asked for every line that is drawn. */
export function maybeJson({ text }: LogItem): boolean {
  const first = text.charCodeAt(0);
  if ((first !== 0x7b && first !== 0x5b) || text.length < 12 || text.length > CHARACTERS_MAX) return false;
  const last = text.trimEnd().at(-1);
  return first === 0x7b ? last === "}" : last === "]";
}

/** Nothing when it only looked like JSON. */
export function jsonOf(item: LogItem): unknown {
  try {
    return JSON.parse(plainText(item.text));
  } catch {
    return undefined;
  }
}
