// safety/curl: reads the options of a curl command line as curl does: clusters, attached values, --no-…,
// abbreviations, --next.
//   O1. Later options win, as with curl. `--next` starts another call without options.
// Not read: configuration files given by -K.

import { CURL } from "../rewrite/http.ts";
import { split } from "../rewrite/options.ts";
import { type Term, tail } from "./terms.ts";

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

/** Names of the letters that a rule needs. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  (
    "A=user-agent b=cookie d=data D=dump-header e=referer E=cert f=fail F=form G=get h=help H=header i=include I=head " +
    "k=insecure K=config L=location m=max-time M=manual n=netrc o=output O=remote-name q=disable T=upload-file u=user " +
    "U=proxy-user V=version w=write-out x=proxy X=request y=speed-time Y=speed-limit :=next"
  )
    .split(" ")
    .map((pair) => [`-${pair[0]}`, pair.slice(2)]),
);

export function curlCalls(args: readonly Term[]): CurlCall[] {
  let call: CurlCall = { options: [], urls: [], open: false };
  const calls = [call];
  for (const { argument: at, kind, option, flags, from } of split(args, CURL)) {
    if (kind === "positional") {
      if (isOpen(at)) call.open = true;
      else call.urls.push(at);
      continue;
    }
    for (const flag of flags) {
      const name = LETTERS.get(flag) ?? flag.replace(/^--?/, "");
      const isOff = name.startsWith("no-") && name !== "no-buffer" && name !== "no-clobber";
      if (name === "next") {
        call = { next: at, options: [], urls: [], open: false };
        calls.push(call);
      } else call.options.push({ name: isOff ? name.slice(3) : name, at, off: isOff });
    }
    if (option === undefined) continue;
    const name = LETTERS.get(option) ?? option.replace(/^--?/, "");
    const value = kind === "value" ? at : kind === "attached" ? tail(at, from) : undefined;
    const waiting = call.options.at(-1);
    if (kind === "value" && waiting !== undefined) waiting.value = value;
    else call.options.push({ name, at, value, off: false });
    if (name === "config") call.open = true;
    if (name === "url" && value !== undefined) call.urls.push(value);
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

/** The last of these options, unless a later --no-… turned it off. */
export function lastOption(call: CurlCall, ...names: string[]): CurlOption | undefined {
  const found = call.options.findLast((option) => names.includes(option.name));
  return found === undefined || found.off ? undefined : found;
}

export function hasOption(call: CurlCall, ...names: string[]): boolean {
  return names.some((name) => lastOption(call, name) !== undefined);
}

const DATA = "data data-ascii data-binary data-raw data-urlencode json form form-string".split(" ");

/** The request's method; undefined if it is known only at run time. */
export function curlMethod(call: CurlCall): string | undefined {
  // Many servers accept this header as the method.
  for (const { name, value } of call.options) {
    const [, method] =
      /^x-(?:http-method(?:-override)?|method-override):\s*([A-Za-z]+)\s*$/i.exec(
        name === "header" ? (value?.literal ?? "") : "",
      ) ?? [];
    if (method !== undefined) return method.toUpperCase();
  }
  const request = lastOption(call, "request")?.value;
  if (request !== undefined) return request.literal?.trim().toUpperCase();
  if (hasOption(call, "head")) return "HEAD";
  if (hasOption(call, "get")) return "GET";
  if (hasOption(call, "upload-file")) return "PUT";
  return hasOption(call, ...DATA) ? "POST" : "GET";
}
