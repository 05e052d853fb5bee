// The forms in which programs print a secret: plain, and encoded for JSON, URLs, shells, hex, and base64.
//   F1. A form is a sequence of bytes, stored as a latin1 string with one character per byte.
//   F2. Whitespace around a secret is not secret. The forms of the untrimmed text contain those of the trimmed text.
//   F3. `wrapped` forms (base64, hex) are printed in lines, so they may contain a newline anywhere.
//   F4. The password and the tokens in a URL are secrets too. A token used as a host name appears in lowercase.
// Encodings of encodings are not found (base64 of JSON, gzip, encryption). docs/reference/secrets.md lists what masking
// cannot find.

import { limits } from "../base/limits.ts";
import { percentDecoded } from "../base/tolerant.ts";

export interface Encodings {
  readonly plain: readonly string[];
  readonly wrapped: readonly string[];
}

/** All forms of a secret. Empty if it is too short to be one. */
export function encodingsOf(secret: string): Encodings {
  const texts = textsOf(secret);
  const plain = texts.flatMap((text) => [text, ...jsonForms(text), ...shellForms(text), ...percentForms(text)]);
  if (isToken(secret.trim())) plain.push(secret.trim().toLowerCase());
  const wrapped = texts.flatMap((text) => [...hexForms(text), ...base64Forms(text)]);
  return { plain: [...new Set(plain.map(latin1))], wrapped: [...new Set(wrapped)] };
}

/** The trimmed secret and each of its lines, because a program may print a single line or indent them. */
export function textsOf(secret: string): string[] {
  const whole = secret.trim();
  const texts = [whole, ...whole.split(/\r\n|\n|\r/).map((line) => line.trim()), ...partsOfUrl(whole)];
  return [...new Set(texts)].filter((text) => Buffer.byteLength(text) >= limits.secretBytesMin);
}

/** F4. `curl -v` shows the path separately. */
function partsOfUrl(text: string): string[] {
  const [, user = "", rest = ""] = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#\s]*)@)?[^/?#\s]*(\S*)$/i.exec(text) ?? [];
  const password = user.slice(user.indexOf(":") + 1);
  return [password, ...rest.split(/[/?&=#;]/).filter(isToken)].flatMap((part) => [part, percentDecoded(part)]);
}

/** Letters and digits, too long to be a word. */
function isToken(text: string): boolean {
  return text.length >= 12 && /^[\w.%~-]*$/.test(text) && /[0-9]/.test(text) && /[A-Za-z]/.test(text);
}

/** JSON as most programs write it, with letters outside ASCII escaped (Python), and as a string inside JSON. */
function jsonForms(text: string): string[] {
  const json = jsonInside(text);
  const ascii = json.replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [json, ascii, jsonInside(json), jsonInside(ascii)];
}

function jsonInside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** In single quotes (`set -x`, Python's shlex), in double quotes, and as written by `printf %q`. */
function shellForms(text: string): string[] {
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["$`\\]/g, "\\$&"),
    text.replace(/[^\w@%+=:,./\n\u0080-\uffff-]/g, "\\$&"),
  ];
}

/**
 * Characters that encoders leave unchanged: RFC 3986 (jq, Python, PHP),
 * encodeURIComponent, forms, Python's path, encodeURI.
 */
const KEPT = [
  /[A-Za-z0-9_.~-]/,
  /[A-Za-z0-9_.!~*'()-]/,
  /[A-Za-z0-9_.*-]/,
  /[A-Za-z0-9_.~/-]/,
  /[A-Za-z0-9_.!~*'();/?:@&=+$,#-]/,
];
/** The encoding of each byte, for each of these sets and for uppercase and lowercase hex digits. */
const PERCENT_CODES = KEPT.flatMap((kept) => [codesFor(kept, false), codesFor(kept, true)]);

function percentForms(text: string): string[] {
  const bytes = Buffer.from(text);
  const written = (codes: readonly string[], space: string): string =>
    Array.from(bytes, (byte) => (byte === 32 ? space : codes[byte])).join("");
  return PERCENT_CODES.flatMap((codes) => [written(codes, "%20"), written(codes, "+")]);
}

function codesFor(kept: RegExp, lowercase: boolean): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, "0");
    const character = String.fromCharCode(byte);
    return byte < 128 && kept.test(character) ? character : `%${lowercase ? digits : digits.toUpperCase()}`;
  });
}

function hexForms(text: string): string[] {
  const digits = Buffer.from(text).toString("hex");
  return [digits, digits.toUpperCase()];
}

/**
 * The secret alone, or as part of a longer encoded text. It then starts at one of
 * three offsets in a group of three bytes.
 */
function base64Forms(text: string): string[] {
  const alone = Buffer.from(text).toString("base64").replace(/=+$/, "");
  const standard = [alone, ...[0, 1, 2].map((before) => base64At(Buffer.from(text), before))];
  return [...standard, ...standard.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

/**
 * The letters that encode only bits of the secret. Letters at its ends, shared with neighbouring bytes, are not masked.
 */
function base64At(secret: Buffer, before: number): string {
  const letters = Buffer.concat([Buffer.alloc(before), secret, Buffer.alloc(2)]).toString("base64");
  const first = Math.ceil((8 * before) / 6);
  const last = Math.floor((8 * (before + secret.length)) / 6);
  return letters.slice(first, last);
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
