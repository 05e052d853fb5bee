// safety/curl: parses the options of a curl command line as curl does: clusters, attached values, --no-…,
// abbreviations, --next.
//   O1. An option in a cluster (`-sSXDELETE`) counts like a separate one.
//   O2. Later options win, as with curl. `--next` starts another call without options.
// Not read: configuration files given by -K.

import { CURL_SHORT_TAKING, CURL_TAKING } from "../../base/curl-options.ts";
import { headOf, type Term, tail, textOf } from "./terms.ts";

export interface CurlOption {
  /** Long name without dashes: `request`. */
  name: string;
  /** The word that contains it. */
  at: Term;
  /** Its value, for options that take one. */
  value?: Term;
  /** `--no-fail`. */
  off: boolean;
}

/** One transfer: the words between `--next`s. */
export interface CurlCall {
  /** The `--next` that starts it. */
  next?: Term;
  options: CurlOption[];
  urls: Term[];
  /** Set by a word that may contain any option: `"$@"`, `$OPTIONS`, `-K file`. It may contain the missing one. */
  open: boolean;
}

/** Letters of the options that a rule needs. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  (
    "A=user-agent b=cookie d=data D=dump-header e=referer E=cert f=fail F=form G=get h=help H=header i=include I=head " +
    "k=insecure K=config L=location m=max-time M=manual n=netrc o=output O=remote-name q=disable T=upload-file u=user " +
    "U=proxy-user V=version w=write-out x=proxy X=request y=speed-time Y=speed-limit :=next"
  )
    .split(" ")
    .map((pair) => [pair[0]!, pair.slice(2)]),
);

const WITH_VALUE = new Set(CURL_TAKING);
/** Options without a value that may be abbreviated: curl accepts any prefix that is unique. */
const SWITCHES = (
  "fail fail-with-body fail-early insecure proxy-insecure doh-insecure get head include location location-trusted next disable " +
  "remote-name remote-name-all silent show-error compressed version help manual netrc netrc-optional"
).split(" ");
const ALL = [...CURL_TAKING, ...SWITCHES];

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

/** `"$@"`, `"${options[@]}"`, unquoted `$OPTIONS`, or a value with |arg. */
function isOpen(word: Term): boolean {
  const [piece] = word.pieces;
  if (piece === undefined) return false;
  if (piece.value?.filter === "arg") return true;
  if (piece.dynamic === undefined || piece.text !== undefined) return false;
  return /[@*]|^\$[A-Za-z_{]/.test(word.raw) && !/^"\$\{?[A-Za-z_]\w*\}?"/.test(word.raw);
}

function takesValue(option: CurlOption): boolean {
  return !option.off && (WITH_VALUE.has(option.name) || CURL_SHORT_TAKING.includes(option.name));
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
    const letter = head[at]!;
    const name = LETTERS.get(letter);
    const option: CurlOption = { name: name ?? letter, at: word, off: false };
    if (name !== undefined) options.push(option);
    if (!CURL_SHORT_TAKING.includes(letter)) continue;
    if (name === undefined) options.push(option);
    if (at < head.length - 1 || textOf(word) !== head) option.value = tail(word, at + 1);
    break;
  }
  return options;
}

/** The last of these options, unless a later --no-… turned it off. */
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

/** The request's method; undefined if it is known only at run time. */
export function curlMethod(call: CurlCall): string | undefined {
  const request = lastOption(call, "request")?.value;
  if (request !== undefined) return textOf(request)?.trim().toUpperCase();
  if (hasOption(call, "head")) return "HEAD";
  if (hasOption(call, "get")) return "GET";
  if (hasOption(call, "upload-file")) return "PUT";
  return hasOption(call, ...DATA) ? "POST" : "GET";
}
