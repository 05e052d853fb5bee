// text: foreign text made fit to be shown, and figures in words. Pure.
//   T1. `harmless` lets no control character, escape sequence or bidirectional override through; line breaks and tabs stay.

import { stripVTControlCharacters } from "node:util";

// What remains of sequences that were cut in half goes with them: C0 but tab and line feed, DEL, C1, bidi controls.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// A title, a link, a device string: its text is no output either.
const STRING_SEQUENCE = /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;
// What can hold none of them: the rest is looked at closely.
const PLAIN_ASCII = /^[\u0020-\u007e]*$/;

export function harmless(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n").replaceAll(STRING_SEQUENCE, "")).replaceAll(
    CONTROLS,
    "",
  );
}

/** On one line: line breaks become `⏎`, tabs a space. */
export function oneLine(text: string): string {
  return harmless(text.trim())
    .replaceAll(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let size = count / 1024;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** `1,000`. toLocaleString would load all of ICU, which takes 10 ms. */
export function grouped(n: number): string {
  return String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 node`, `2 nodes`, `1,000 passes`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}
