// safety/curl: the options of a curl command line as curl reads them: clusters, attached values, --no-…, abbreviations, --next.
//   O1. An option of a cluster (`-sSXDELETE`) counts like one that stands alone.
//   O2. Later ones win, as with curl; `--next` begins the next call with none.
// Deliberately absent: what a configuration file given by -K says.

import { CURL } from "../shell/http.ts";
import { headOf, type Term, textOf } from "./terms.ts";

export interface CurlOption {
  /** Long name without dashes: `request`. */
  name: string;
  /** The word that holds it. */
  at: Term;
  /** Its value, of options that take one. */
  value?: Term;
  /** `--no-fail`. */
  off: boolean;
}

/** One transfer group: what stands between `--next`s. */
export interface CurlCall {
  /** The `--next` that begins it. */
  next?: Term;
  options: CurlOption[];
  urls: Term[];
  /** A word that may hold any option: `"$@"`, `$OPTIONS`, `-K file`. What is missing may be in it. */
  open: boolean;
}

const LETTERS: Record<string, string> = {
  "0": "http1.0",
  "1": "tlsv1",
  "2": "sslv2",
  "3": "sslv3",
  "4": "ipv4",
  "6": "ipv6",
  a: "append",
  A: "user-agent",
  b: "cookie",
  B: "use-ascii",
  c: "cookie-jar",
  C: "continue-at",
  d: "data",
  D: "dump-header",
  e: "referer",
  E: "cert",
  f: "fail",
  F: "form",
  g: "globoff",
  G: "get",
  h: "help",
  H: "header",
  i: "include",
  I: "head",
  j: "junk-session-cookies",
  J: "remote-header-name",
  k: "insecure",
  K: "config",
  l: "list-only",
  L: "location",
  m: "max-time",
  M: "manual",
  n: "netrc",
  N: "no-buffer",
  o: "output",
  O: "remote-name",
  p: "proxytunnel",
  P: "ftp-port",
  q: "disable",
  Q: "quote",
  r: "range",
  R: "remote-time",
  s: "silent",
  S: "show-error",
  t: "telnet-option",
  T: "upload-file",
  u: "user",
  U: "proxy-user",
  v: "verbose",
  V: "version",
  w: "write-out",
  x: "proxy",
  X: "request",
  y: "speed-time",
  Y: "speed-limit",
  z: "time-cond",
  Z: "parallel",
  "#": "progress-bar",
  ":": "next",
};

/** Switches whose beginnings people and programs write; curl accepts any beginning that is not another option's. */
const SWITCHES = [
  "fail",
  "fail-with-body",
  "fail-early",
  "insecure",
  "proxy-insecure",
  "doh-insecure",
  "get",
  "head",
  "include",
  "location",
  "location-trusted",
  "next",
  "disable",
  "remote-name",
  "remote-name-all",
  "silent",
  "show-error",
  "compressed",
  "version",
  "help",
  "manual",
];
const WITH_VALUE = new Set((CURL.long ?? []).map((option) => option.slice(2)));
const ALL = [...WITH_VALUE, ...SWITCHES];

export function curlCalls(args: readonly Term[]): CurlCall[] {
  const calls: CurlCall[] = [{ options: [], urls: [], open: false }];
  let waiting: CurlOption | undefined;
  for (const word of args) {
    let call = calls.at(-1)!;
    if (waiting !== undefined) {
      waiting.value = word;
      if (waiting.name === "url") call.urls.push(word);
      waiting = undefined;
      continue;
    }
    const head = headOf(word);
    if (!/^-./.test(head)) {
      if (isOpen(word)) call.open = true;
      else call.urls.push(word);
      continue;
    }
    for (const option of head.startsWith("--") ? [longOption(head, word)] : shortOptions(head, word)) {
      if (option.name === "next") {
        calls.push({ next: word, options: [], urls: [], open: false });
        call = calls.at(-1)!;
        continue;
      }
      call.options.push(option);
      if (option.name === "config") call.open = true;
      if (takesValue(option) && option.value === undefined) waiting = option;
      else if (option.name === "url" && option.value !== undefined) call.urls.push(option.value);
    }
  }
  return calls;
}

/** `"$@"`, `"${options[@]}"`, `$OPTIONS` without quotes, a value with |arg. */
function isOpen(word: Term): boolean {
  const [piece] = word.pieces;
  if (piece === undefined) return false;
  if (piece.value?.filter === "arg") return true;
  if (piece.dynamic === undefined || piece.text !== undefined) return false;
  return /[@*]|^\$[A-Za-z_{]/.test(word.raw) && !/^"\$\{?[A-Za-z_]\w*\}?"/.test(word.raw);
}

function takesValue(option: CurlOption): boolean {
  return !option.off && WITH_VALUE.has(option.name);
}

function longOption(head: string, word: Term): CurlOption {
  const equals = head.indexOf("=");
  const written = head.slice(2, equals === -1 ? undefined : equals);
  const name = fullName(written);
  if (equals !== -1) return { name, at: word, value: tail(word, equals + 1), off: false };
  if (written.startsWith("no-") && !ALL.includes(written) && written !== "no-buffer")
    return { name: fullName(written.slice(3)), at: word, off: true };
  return { name, at: word, off: false };
}

function fullName(written: string): string {
  if (ALL.includes(written)) return written;
  const meant = ALL.filter((name) => name.startsWith(written));
  return meant.length === 1 ? meant[0]! : written;
}

function shortOptions(head: string, word: Term): CurlOption[] {
  const options: CurlOption[] = [];
  for (let at = 1; at < head.length; at++) {
    const name = LETTERS[head[at]!];
    if (name === undefined) continue;
    const option: CurlOption = { name, at: word, off: false };
    options.push(option);
    if (!WITH_VALUE.has(name)) continue;
    if (at < head.length - 1 || textOf(word) !== head) option.value = tail(word, at + 1);
    break;
  }
  return options;
}

/** The word without its first characters, which are known text. */
export function tail(word: Term, characters: number): Term {
  let left = characters;
  const pieces = word.pieces.flatMap((piece) => {
    if (left <= 0 || piece.text === undefined) return [piece];
    const cut = Math.min(left, piece.text.length);
    left -= cut;
    return cut === piece.text.length ? [] : [{ ...piece, text: piece.text.slice(cut) }];
  });
  return { ...word, pieces };
}

/** The last one that stands, unless a later --no-… took it back. */
export function lastOption(call: CurlCall, ...names: string[]): CurlOption | undefined {
  const found = call.options.findLast((option) => names.includes(option.name));
  return found === undefined || found.off ? undefined : found;
}

export function hasOption(call: CurlCall, ...names: string[]): boolean {
  return names.some((name) => lastOption(call, name) !== undefined);
}

const DATA = [
  "data",
  "data-ascii",
  "data-binary",
  "data-raw",
  "data-urlencode",
  "json",
  "form",
  "form-string",
  "upload-file",
];

/** The request's method as far as it is known; undefined when only the run will know. */
export function curlMethod(call: CurlCall): string | undefined {
  const request = lastOption(call, "request")?.value;
  if (request !== undefined) return textOf(request)?.trim().toUpperCase();
  if (hasOption(call, "head")) return "HEAD";
  if (hasOption(call, "get")) return "GET";
  if (hasOption(call, "upload-file")) return "PUT";
  return hasOption(call, ...DATA) ? "POST" : "GET";
}
