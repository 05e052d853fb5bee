// text: makes untrusted text safe to display, and formats numbers. Pure.
//   T1. `harmless` removes every control character, escape sequence and bidirectional override; newlines and tabs stay.

import { stripVTControlCharacters } from "node:util";

// Also removes the rest of incomplete sequences: C0 except tab and line feed, DEL, C1, bidi controls.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// A title, link or device string: its text is not output either.
const STRING_SEQUENCE = /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;
// A fast path: such text can't contain any of them.
const PLAIN_ASCII = /^[\u0020-\u007e]*$/;

export function harmless(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n").replaceAll(STRING_SEQUENCE, "")).replaceAll(
    CONTROLS,
    "",
  );
}

/** On one line: newlines become `⏎`, tabs a space. */
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
