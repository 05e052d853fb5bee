// yaml-pieces: places in a text that was read line by line (yaml-plain.ts), found in the lines of one item instead of the whole text: what is
// said of one node of a thousand does not cost a tree of all.
//   E1. The places are those of the whole text's tree; kept.test.ts holds both against each other.

import type { Range } from "./diagnostic.ts";
import type { Kept } from "./kept.ts";
import type { Path, SourceMap } from "./source-map.ts";
import type { PlainYaml } from "./yaml-plain.ts";

/** `whole` knows every place; `mapOf` makes a source map of the lines of one item. */
export function piecedMap(
  whole: SourceMap,
  { pieces }: PlainYaml,
  mapOf: (lines: string) => SourceMap,
  kept?: Kept,
): SourceMap {
  const { file, text, rangeAt, offsetOf } = whole;
  const own = new Map<number, SourceMap>();
  const pieceAt = ([key, index]: Path): { map: SourceMap; above: number } | undefined => {
    const starts = typeof key === "string" && typeof index === "number" ? pieces.get(key) : undefined;
    const [from, to] = [starts?.[index as number], starts?.[(index as number) + 1]];
    if (from === undefined || to === undefined) return undefined;
    let map = own.get(from);
    if (map === undefined) {
      if (kept === undefined && own.size === APART_MOST) return undefined;
      const lines = text.slice(from, to);
      map = kept === undefined ? mapOf(lines) : kept.of(`place ${lines}`, () => mapOf(lines));
      own.set(from, map);
    }
    return { map, above: rangeAt(from, from).start.line - 1 };
  };
  return {
    file,
    text,
    get shown() {
      return whole.shown;
    },
    rangeAt,
    offsetOf,
    range(path, what) {
      const piece = pieceAt(path);
      return piece === undefined
        ? whole.range(path, what)
        : below(piece.map.range([0, ...path.slice(2)], what), piece.above);
    },
    rangeInside(path, value, start, end) {
      const piece = pieceAt(path);
      return piece === undefined
        ? whole.rangeInside(path, value, start, end)
        : below(piece.map.rangeInside([0, ...path.slice(2)], value, start, end), piece.above);
    },
  };
}

/** Something is said of more items than these: one tree of the whole text costs less than one of each, unless they are kept. */
const APART_MOST = 16;

function below({ start, end }: Range, lines: number): Range {
  return { start: { ...start, line: start.line + lines }, end: { ...end, line: end.line + lines } };
}
