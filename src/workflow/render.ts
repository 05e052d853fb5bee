// render: formats a diagnostic for users: position, severity, code, message, the line with a caret, help.
//   R1. No control or direction character from the file reaches the terminal.
//   R2. A long line is cut around the caret; the column in the position is still that of the file.

import type { Diagnostic } from "./diagnostic.ts";
import { lineStartsOf } from "./source-map.ts";

/** Styles text for the terminal; plain when absent. */
export interface Paint {
  error(text: string): string;
  warning(text: string): string;
  strong(text: string): string;
  dim(text: string): string;
}

export function renderDiagnostic(diagnostic: Diagnostic, text: string, paint: Paint = PLAIN): string {
  const { start } = diagnostic.range;
  const colour = { error: paint.error, warning: paint.warning, info: paint.dim }[diagnostic.severity];
  const place = paint.strong(`${visible(diagnostic.file)}:${start.line}:${start.column}:`);
  const lines = [
    `${place} ${colour(`${diagnostic.severity}[${diagnostic.code}]:`)} ${paint.strong(visible(diagnostic.message))}`,
  ];
  lines.push(...excerpt(diagnostic, text, paint, colour));
  if (diagnostic.help !== undefined) lines.push(`  ${paint.dim("help:")} ${visible(diagnostic.help)}`);
  return lines.join("\n");
}

const PLAIN: Paint = { error: (text) => text, warning: (text) => text, strong: (text) => text, dim: (text) => text };
const WIDTH = 100;

function excerpt(diagnostic: Diagnostic, text: string, paint: Paint, colour: (text: string) => string): string[] {
  const { start, end } = diagnostic.range;
  const line = lineAt(text.startsWith("\ufeff") ? text.slice(1) : text, start.line);
  if (line === undefined || line.trim() === "") return [];
  const from = start.column - 1;
  const to = Math.max(from + 1, Math.min(end.line === start.line ? end.column - 1 : line.length, line.length));
  const cutFrom = from > WIDTH - 30 ? from - 30 : 0;
  const cutTo = Math.min(line.length, cutFrom + WIDTH);
  const before = (cutFrom > 0 ? "…" : "") + visible(line.slice(cutFrom, from));
  const marked = visible(line.slice(from, Math.min(to, cutTo)));
  const after = visible(line.slice(Math.min(to, cutTo), cutTo)) + (cutTo < line.length ? "…" : "");
  const gutter = String(start.line);
  const blank = " ".repeat(gutter.length);
  return [
    `  ${paint.dim(`${gutter} |`)} ${before}${marked}${after}`,
    `  ${paint.dim(`${blank} |`)} ${" ".repeat(width(before))}${colour("^".repeat(Math.max(1, width(marked))))}`,
  ];
}

/** Escapes control, direction and newline characters. A tab becomes one space so that the caret stays aligned. */
export function visible(text: string): string {
  return text
    .replaceAll("\t", " ")
    .replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Approximate terminal columns: wide characters count two, combining ones zero. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (/\p{Mark}/u.test(character) || code === 0x200d) continue;
    columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const lastLines: { text?: string; starts: number[] } = { starts: [] };

function lineAt(text: string, line: number): string | undefined {
  if (lastLines.text !== text) Object.assign(lastLines, { text, starts: lineStartsOf(text) });
  const start = lastLines.starts[line - 1];
  if (start === undefined) return undefined;
  return text.slice(start, lastLines.starts[line] ?? text.length).replace(/\r?\n$/, "");
}
