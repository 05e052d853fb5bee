// forms: every way in which a secret may stand in an output (spec 4.2, "Masking").
//   F1. A form is bytes, kept as a latin1 string: one character a byte.
//   F2. Blanks and line breaks around a secret are not secret: what is looked for is the trimmed text. It stands inside whatever
//       was made of the untrimmed one, so nothing is lost.
//   F3. `wrapped` forms are made of letters and digits that programs break into lines (base64, hex): a break may stand anywhere in them.
//   F4. Of an address (a webhook's URL, a database's) what is secret in it stands alone, too; a token that became a host's name stands in
//       lower case.
// Deliberately absent: forms of forms (base64 of JSON, gzip, encryption). docs/reference/secrets.md says what no masker can catch.

import { limits } from "../base/limits.ts";

export interface Forms {
  readonly plain: readonly string[];
  readonly wrapped: readonly string[];
}

/** All forms of one secret; none when it is too short to be one. */
export function formsOf(secret: string): Forms {
  const plain = new Set<string>();
  const wrapped = new Set<string>();
  const every = Buffer.byteLength(secret) <= limits.secretAllFormsBytesMax;
  if (isToken(secret.trim())) plain.add(secret.trim().toLowerCase());
  for (const [at, text] of textsOf(secret).entries()) {
    // Lines of a secret are many and mostly encoded together: the rarer ways to encode one alone are left out.
    const rare = every && at === 0;
    for (const written of [text, ...escapes(text), ...(every ? rareEscapes(text) : [])]) plain.add(latin1(written));
    for (const form of [...hexForms(text, rare), ...base64Forms(text, rare)]) wrapped.add(form);
  }
  return { plain: [...plain], wrapped: [...wrapped] };
}

/** The secret without blanks around, and each of its lines: a program may print one alone, or indent them. */
export function textsOf(secret: string): string[] {
  const whole = secret.trim();
  const texts = [whole, ...whole.split(/\r\n|\n|\r/).map((line) => line.trim()), ...partsOfAddress(whole)];
  return [...new Set(texts)].filter((text) => Buffer.byteLength(text) >= limits.secretBytesMin);
}

/** F4. Its password, and what in its path and query is as long as a token: `curl -v` shows the path without the rest. */
function partsOfAddress(text: string): string[] {
  const [, user = "", rest = ""] = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#\s]*)@)?[^/?#\s]*(\S*)$/i.exec(text) ?? [];
  const password = user.slice(user.indexOf(":") + 1);
  return [password, ...rest.split(/[/?&=#;]/).filter(isToken)].flatMap((part) => [part, decoded(part)]);
}

/** Letters, digits and so long that it is no word: a host's name made of it is written in lower case. */
function isToken(text: string): boolean {
  return text.length >= 12 && /^[\w.%~-]*$/.test(text) && /[0-9]/.test(text) && /[A-Za-z]/.test(text);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// — text escapes —

/** JSON as most write it, the shells' quoting, URLs. */
function escapes(text: string): string[] {
  const json = jsonInside(text);
  return [json, jsonInside(json), text.replaceAll("'", "'\\''"), ...percentForms(text, KEPT)];
}

/** JSON of PHP, Python, Go and .NET, other ways to quote for a shell, XML, URLs with every byte encoded. */
function rareEscapes(text: string): string[] {
  const json = jsonInside(text);
  const unicode = (digits: string): string => `\\u${digits.padStart(4, "0")}`;
  const code = (character: string): string => character.charCodeAt(0).toString(16);
  const byLanguage = [
    json.replaceAll("/", "\\/"),
    json.replace(/[\u007f-\uffff]/g, (character) => unicode(code(character))),
    json.replace(/[\u007f-\uffff]/g, (character) => unicode(code(character).toUpperCase())),
    json.replace(/[<>&]/g, (character) => unicode(code(character))),
    json.replace(/\\"|[<>&'+`]/g, (escaped) => unicode(code(escaped.slice(-1)).toUpperCase())),
  ];
  return [
    ...byLanguage,
    ...byLanguage.map(jsonInside),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["$`\\]/g, "\\$&"),
    text.replace(/[^\w@%+=:,./\n\u0080-\uffff-]/g, "\\$&"),
    ...["&#39;", "&#x27;", "&#039;", "&apos;", "'"].flatMap((quote) => [
      xml(text, quote, "&quot;"),
      xml(text, quote, "&#34;"),
    ]),
    xml(text, "'", '"'),
    ...percentForms(text, [NOTHING]),
  ];
}

function jsonInside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function xml(text: string, apostrophe: string, quote: string): string {
  const amp = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return amp.replaceAll("'", apostrophe).replaceAll('"', quote);
}

// — percent-encoding —

/** What encoders leave as it is: RFC 3986 (jq, Python, PHP), encodeURIComponent, forms, Python's path, encodeURI. */
const KEPT = [
  /[A-Za-z0-9_.~-]/,
  /[A-Za-z0-9_.!~*'()-]/,
  /[A-Za-z0-9_.*-]/,
  /[A-Za-z0-9_.~/-]/,
  /[A-Za-z0-9_.!~*'();/?:@&=+$,#-]/,
];
const NOTHING = /[^\s\S]/;

function percentForms(text: string, encoders: readonly RegExp[]): string[] {
  return encoders.flatMap((kept) =>
    [true, false].flatMap((lower) => ["%20", "+"].map((blank) => percent(text, kept, lower, blank))),
  );
}

function percent(text: string, kept: RegExp, lower: boolean, blank: string): string {
  const written = codesFor(kept, lower);
  return Array.from(Buffer.from(text), (byte) => (byte === 32 ? blank : written[byte])).join("");
}

/** What each byte becomes; kept, as a secret of many lines asks for the same some hundred times. */
function codesFor(kept: RegExp, lower: boolean): readonly string[] {
  const known = (lower ? lowerCodes : upperCodes).get(kept);
  if (known !== undefined) return known;
  const codes = Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, "0");
    const character = String.fromCharCode(byte);
    return byte < 128 && kept.test(character) ? character : `%${lower ? digits : digits.toUpperCase()}`;
  });
  (lower ? lowerCodes : upperCodes).set(kept, codes);
  return codes;
}

const lowerCodes = new Map<RegExp, readonly string[]>();
const upperCodes = new Map<RegExp, readonly string[]>();

// — hex —

/** Both cases; with blanks or colons between the bytes as `od`, `xxd` and `openssl` write them. */
function hexForms(text: string, spaced: boolean): string[] {
  const digits = Buffer.from(text).toString("hex");
  const pairs = digits.match(/../g) ?? [];
  const written = spaced ? [digits, pairs.join(" "), pairs.join(":")] : [digits];
  return written.flatMap((form) => [form, form.toUpperCase()]);
}

// — base64 —

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** So many letters beside an edge letter show that it belongs to the secret; with fewer in all, all of them. */
const EDGE_LETTERS = 16;

/** The secret as a part of a longer text that was encoded: it begins at one of three places in a group of three bytes. */
function base64Forms(text: string, edges: boolean): string[] {
  const standard = [0, 1, 2].flatMap((before) => base64At(Buffer.from(text), before, edges));
  return [...standard, ...standard.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

/**
 * The letters that hold nothing but bits of the secret. The letter at either edge may share its bits with a neighbour: each that it
 * can be becomes a form of its own, together with the letters beside it.
 */
function base64At(secret: Buffer, before: number, edges: boolean): string[] {
  const letters = Buffer.concat([Buffer.alloc(before), secret, Buffer.alloc(2)]).toString("base64");
  const [startBit, endBit] = [8 * before, 8 * (before + secret.length)];
  const [first, last] = [Math.ceil(startBit / 6), Math.floor(endBit / 6)];
  const inner = letters.slice(first, last);
  if (!edges) return [inner];
  const head = inner.slice(0, EDGE_LETTERS);
  const tail = inner.slice(-EDGE_LETTERS);
  const foreignBefore = startBit % 6;
  const foreignAfter = endBit % 6 === 0 ? 0 : 6 - (endBit % 6);
  return [
    inner,
    ...sharing(letters[first - 1], foreignBefore, 6 - foreignBefore).map((letter) => letter + head),
    ...sharing(letters[last], foreignAfter, 0).map((letter) => tail + letter),
  ];
}

/** All letters that differ from `letter`, whose foreign bits are 0, in `bits` foreign bits, shifted. */
function sharing(letter: string | undefined, bits: number, shift: number): string[] {
  if (letter === undefined || bits === 0) return [];
  return Array.from(
    { length: 2 ** bits },
    (_, foreign) => ALPHABET[ALPHABET.indexOf(letter) | (foreign << shift)] ?? "",
  );
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
