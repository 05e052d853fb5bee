// check/near-misses: text that was meant as a reference but is none, such as `${ name }` or `${1.items[]}` (spec 1.3).

import { FILTERS } from "../template.ts";

export interface NearMiss {
  seen: string;
  /** What was probably meant. */
  meant?: string;
  start: number;
  end: number;
}

const CANDIDATE = /\$?\$\{([^}\n]*)\}?/g;
const REFERENCE =
  /^([A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]*)(?:\.[A-Za-z_][A-Za-z0-9_-]*|\[(?:0|[1-9][0-9]*)\])*(?:\|[a-z0-9]+)?$/;

/**
 * `known`: given for a shell's text, where `${x:-y}` and the like are the shell's own; only what names something of the workflow
 * and is nothing to a shell counts there.
 */
export function nearMisses(text: string, known?: (root: string) => boolean): NearMiss[] {
  const misses: NearMiss[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    const [seen, inner = ""] = match;
    if (seen.startsWith("$$") || (REFERENCE.test(inner) && seen.endsWith("}"))) continue;
    const root = /^\s*\{?\s*([A-Za-z_][A-Za-z0-9_]*|[0-9]+)/.exec(inner)?.[1];
    if (known !== undefined && (root === undefined || !known(root) || !/^\s|^[\w]+(?:\s|\.|\||\[\])/.test(inner)))
      continue;
    const meant = repaired(inner);
    misses.push({
      seen,
      ...(meant === undefined ? {} : { meant }),
      start: match.index,
      end: match.index + seen.length,
    });
  }
  return misses;
}

/** Spaces taken out, `.0` as `[0]`, filters in lower case: kept only when a reference comes out. */
function repaired(inner: string): string | undefined {
  let text = inner.replaceAll(/\s+/g, "").replace(/^\{/, "");
  text = text
    .replaceAll(/\.(\d+)(?=[.[|]|$)/g, "[$1]")
    .replaceAll(/\["([A-Za-z_][\w-]*)"\]|\['([A-Za-z_][\w-]*)'\]/g, (_, a, b) => `.${a ?? b}`);
  text = text.replace(/\|([A-Za-z0-9]+)$/, (whole: string, filter: string) =>
    (FILTERS as readonly string[]).includes(filter.toLowerCase()) ? `|${filter.toLowerCase()}` : whole,
  );
  return REFERENCE.test(text) ? `\${${text}}` : undefined;
}
