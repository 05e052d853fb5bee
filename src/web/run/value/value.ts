// value: an image, text, JSON or other bytes, its hex lines, and the reference that names a part of it. Pure.
//   V1. The type comes from the bytes, never from a header or a name.
//   V2. Numbers that JavaScript cannot hold exactly are shown with the digits of the text.

import { format } from "jsonc-parser";
import { isSecretField } from "../../../workflow/credentials.ts";

export type Kind = "image" | "text" | "binary";

export interface Content {
  kind: Kind;
  bytes: Uint8Array;
  type?: string;
  /** Undefined for binary values, and for images other than SVG. */
  text?: string;
  /** The parsed JSON, if the text is an object or a list. */
  json?: object;
}

const MAGIC: readonly [type: string, head: RegExp][] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];
const SVG = /^\ufeff?\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>/]/i;

const HEAD_CHARS = 4_096;

/** V1. `isWhole`: without it, the last character may be incomplete, and no JSON is parsed. */
export function contentOf(bytes: Uint8Array, isWhole = true): Content {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  const type = MAGIC.find(([, magic]) => magic.test(head))?.[0];
  if (type !== undefined) return { kind: "image", type, bytes };
  const text = textOf(bytes, isWhole);
  if (text === undefined) return { kind: "binary", bytes };
  if (SVG.test(text.slice(0, HEAD_CHARS))) return { kind: "image", type: "image/svg+xml", text, bytes };
  return { kind: "text", text, bytes, json: isWhole ? jsonOf(text) : undefined };
}

/** Undefined if it is not UTF-8, or has a character that no text has. */
function textOf(bytes: Uint8Array, isWhole: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

/** Whether lines of output were not text. The server has replaced the bytes that are not UTF-8. */
export function isGarbled(lines: readonly string[]): boolean {
  const text = lines.join("");
  return text.includes("\0") || text.split("\ufffd").length > GARBLED_MIN;
}

const GARBLED_MIN = 8;

/** The object or list that a text is. */
export function jsonOf(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = /\d{16}/.test(text) ? JSON.parse(text, exact as Reviver) : JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

type Reviver = (key: string, value: unknown) => unknown;

/** V2. Browsers without `context` show the rounded number. */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isLost = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "");
  return isLost ? BigInt(context!.source!) : value;
}

/** Indented JSON with the numbers, names and order of the text. A text that was cut stays cut. */
export function prettyJson(text: string): string {
  let pretty = "";
  let from = 0;
  for (const { offset, length, content } of format(text, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" })) {
    pretty += text.slice(from, offset) + content;
    from = offset + length;
  }
  return pretty + text.slice(from);
}

/** Indented, if it is JSON. */
export function prettyText(text: string): string {
  return jsonOf(text) === undefined ? text : prettyJson(text);
}

/** A value that has no members. */
export function scalarText(value: unknown): string {
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "");
}

/** A part for the clipboard: a string as it is, anything else as JSON. */
export function partText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner), 2) ?? "";
}

/** The position of a part: names and indexes from the root. */
export type Members = readonly (string | number)[];

/** A string member of an answer whose name says that it is a secret. Tokens of pages are not. */
export function secretMember(value: unknown): Members | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (!NAME.test(name)) continue;
    if (typeof inner === "string" && isSecretField(name) && !NO_SECRET.test(name) && /^[^\s*]{6,}$/.test(inner))
      return [name];
    const found = secretMember(inner);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}

const NO_SECRET = /page|next|prev|cursor|continu|sync|csrf/i;

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `${id.items[0].name}`, or an expression where a template cannot name it: ``nodes.`fetch-page`.id``. */
export function referenceTo(id: string, members: Members): string {
  const isNamed = /^[A-Za-z_]\w*$/.test(id) && members.every((one) => typeof one === "number" || NAME.test(one));
  if (isNamed) return `\${${id}${members.map((one) => (typeof one === "number" ? `[${one}]` : `.${one}`)).join("")}}`;
  const parts = members.map((one) => (typeof one === "number" ? `[${one}]` : `.${quoted(one)}`));
  return `nodes.${quoted(id)}${parts.join("")}`;
}

/** JSONata has no escape inside backquotes. */
function quoted(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  return name.includes("`") ? JSON.stringify(name) : `\`${name}\``;
}

const BYTES_PER_LINE = 16;

/** `00000010  89 50 4e 47 …  |.PNG…|` */
export function hexLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_LINE) {
    const row = [...bytes.subarray(at, at + BYTES_PER_LINE)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0"));
    const halves = [hex.slice(0, 8).join(" ").padEnd(23), hex.slice(8).join(" ").padEnd(23)];
    const shown = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${halves.join("  ")}  |${shown}|`);
  }
  return lines;
}
