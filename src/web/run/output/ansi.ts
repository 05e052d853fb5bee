// ansi: splits a line of output into styled pieces. Colours (SGR) are kept, other controls shown as codes. Pure.
//   A1. A line cannot hide, reorder or overwrite other text: controls and bidi characters are made visible
//       (base/visible.ts).
//   A2. An overwritten line (`\r`, progress bars) shows its last state, after a mark that says so.

import Anser from "anser";
import { visible } from "../../../base/visible.ts";

export interface Piece {
  text: string;
  /** One of the sixteen by name (`red`, `bright-red`), or `r, g, b`. */
  colour?: string;
  background?: string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  /** Curlew's own words, not part of the output. */
  ours?: boolean;
}

const SGR = /\u001b\[[0-9;:]*m/g;
const PLAIN = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u058f]*$/;

export function piecesOf(line: string): Piece[] {
  const [text, overwritten] = lastDrawn(line);
  const pieces: Piece[] = overwritten ? [{ text: "↺ ", ours: true }] : [];
  if (PLAIN.test(text)) return text === "" ? pieces : [...pieces, { text }];
  for (const entry of Anser.ansiToJson(harmless(text), { json: true, use_classes: true, remove_empty: true }))
    pieces.push(pieceOf(entry));
  return pieces;
}

/** The text without styles, for searching and copying. */
export function plainText(line: string): string {
  return visible(lastDrawn(line)[0].replaceAll(SGR, ""));
}

/** A2. */
function lastDrawn(line: string): [text: string, overwritten: boolean] {
  const text = line.replace(/\r+$/, "");
  const at = text.lastIndexOf("\r");
  return at === -1 ? [text, false] : [text.slice(at + 1), true];
}

/** A1. Leaves the supported sequences unchanged. */
function harmless(text: string): string {
  let kept = "";
  let from = 0;
  for (const match of text.matchAll(SGR)) {
    kept += visible(text.slice(from, match.index)) + match[0].replaceAll(":", ";");
    from = match.index + match[0].length;
  }
  return kept + visible(text.slice(from));
}

function pieceOf(entry: ReturnType<typeof Anser.ansiToJson>[number]): Piece {
  const looks: readonly string[] = entry.decorations;
  return {
    text: entry.content,
    colour: colourOf(entry.fg, entry.fg_truecolor),
    background: colourOf(entry.bg, entry.bg_truecolor),
    bold: looks.includes("bold") || undefined,
    dim: looks.includes("dim") || undefined,
    italic: looks.includes("italic") || undefined,
    underline: looks.includes("underline") || undefined,
    strike: looks.includes("strikethrough") || undefined,
  };
}

function colourOf(name: string | null, truecolour: string | null): string | undefined {
  if (name === null || name === "") return undefined;
  if (name === "ansi-truecolor") return truecolour ?? undefined;
  const palette = /^ansi-palette-(\d+)$/.exec(name);
  return palette === null ? name.replace(/^ansi-/, "") : ofPalette(Number(palette[1]));
}

const SIXTEEN = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** The 256 colours of xterm. */
function ofPalette(index: number): string {
  if (index < 8) return SIXTEEN[index]!;
  if (index < 16) return `bright-${SIXTEEN[index - 8]}`;
  if (index >= 232)
    return Array(3)
      .fill((index - 232) * 10 + 8)
      .join(", ");
  const level = (step: number) => (step === 0 ? 0 : step * 40 + 55);
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(", ");
}
