// check/near-misses: finds text that was probably meant as a reference, such as `${ name }` or `${1.items[]}` (spec
// 1.3).

import { FILTERS, referencesOf } from "../../shell/template.ts";
import { isDefault } from "../nearest.ts";

export interface NearMiss {
  seen: string;
  /** The probable reference. */
  meant?: string;
  start: number;
  end: number;
}

const CANDIDATE = /\$?\$\{([^}\n]*)\}?/g;
const REFERENCE =
  /^([A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]*)(?:\.[A-Za-z_][A-Za-z0-9_-]*|\[(?:0|[1-9][0-9]*)\])*(?:\|default\("[^"\\]*"\))?(?:\|[a-z0-9]+)?$/;
const WITH_TEXT = /\|\s*([A-Za-z]+)\s*(?:\(|:)\s*(?:"([^"\\]*)"|'([^'"\\]*)')\s*\)?/;

/**
 * `known`: set for shell scripts, where `${x:-y}` and similar belong to the shell. Then only text counts that names
 * something of the workflow and has no meaning in the shell.
 */
export function nearMisses(text: string, known?: (root: string) => boolean): NearMiss[] {
  const misses: NearMiss[] = [];
  const references = new Set(referencesOf(text).map(({ start }) => start));
  for (const match of text.matchAll(CANDIDATE)) {
    const [seen, inner = ""] = match;
    // `${{ … }}` has its own finding (foreign-names.ts).
    if (/^\$(?:\$|\{\{)/.test(seen) || references.has(match.index)) continue;
    const root = /^\s*\{?\s*([A-Za-z_][A-Za-z0-9_]*|[0-9]+)/.exec(inner)?.[1];
    if (known !== undefined && (root === undefined || !known(root) || !/^\s|^[\w]+(?:\s|\.|\||\[\])/.test(inner)))
      continue;
    const meant = repaired(inner);
    misses.push({
      seen,
      meant,
      start: match.index,
      end: match.index + seen.length,
    });
  }
  return misses;
}

/**
 * Removes spaces, writes `.0` as `[0]`, filters in lowercase, and `|or('x')` as `|default("x")`. Undefined if the
 * result is not a reference.
 */
function repaired(inner: string): string | undefined {
  const withText = WITH_TEXT.exec(inner);
  if (withText !== null) {
    const [whole, name = "", double, single = ""] = withText;
    if (name !== "default" && !isDefault(name)) return undefined;
    const [before = "", after = ""] = inner.split(whole);
    const text = `${before.replaceAll(/\s+/g, "")}|default("${double ?? single}")${after.trim()}`;
    return REFERENCE.test(text) ? `\${${text}}` : undefined;
  }
  let text = inner.replaceAll(/\s+/g, "").replace(/^\{/, "");
  text = text
    .replaceAll(/\.(\d+)(?=[.[|]|$)/g, "[$1]")
    .replaceAll(/\["([A-Za-z_][\w-]*)"\]|\['([A-Za-z_][\w-]*)'\]/g, (_, a, b) => `.${a ?? b}`);
  text = text.replace(/\|([A-Za-z0-9]+)$/, (whole: string, filter: string) =>
    (FILTERS as readonly string[]).includes(filter.toLowerCase()) ? `|${filter.toLowerCase()}` : whole,
  );
  return REFERENCE.test(text) ? `\${${text}}` : undefined;
}
