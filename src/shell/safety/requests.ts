// safety/requests: the HTTP requests of a call by common clients: curl, wget, HTTPie, xh, curlie, curlew http.

import { CURLEW_HTTP } from "../rewrite/http.ts";
import { hostOf } from "./addresses.ts";
import { type CurlCall, curlCalls, curlMethod, hasOption, lastOption } from "./curl.ts";
import type { Call, Script } from "./script.ts";
import { EMPTY, headOf, type Term, tail, textOf } from "./terms.ts";

export interface Request {
  client: string;
  /** Uppercase; undefined if it is known only at run time. */
  method: string | undefined;
  /** The word that names the method, otherwise the client. */
  methodAt: Term;
  urls: Term[];
  /** The word that turns off certificate checks. */
  insecure?: Term;
  curl?: CurlCall;
}

export const CLIENTS: ReadonlySet<string> = new Set("curl wget wget2 http https xh xhs curlie curlew".split(" "));

export function requestsOf(call: Call): Request[] {
  switch (call.name) {
    case "curl":
      return curlRequests(call);
    case "wget":
    case "wget2":
      return [wgetRequest(call)];
    case "http":
    case "https":
    case "xh":
    case "xhs":
      return [itemRequest(call, call.args)];
    case "curlie":
      return curlieRequests(call);
    case "curlew":
      return textOf(call.args[0] ?? EMPTY) === "http" ? [ownRequest(call, call.args.slice(1))] : [];
    default:
      return [];
  }
}

/** The hosts that a script's calls name literally. A host counts only if no value can extend it. */
export function hostsIn({ calls }: Script): string[] {
  const urls = calls.flatMap((call) => requestsOf(call).flatMap((request) => request.urls));
  const hosts = urls.flatMap((url) => {
    const written = url.pieces.findIndex((piece) => piece.text === undefined || piece.value !== undefined);
    const head = headOf({ ...url, pieces: url.pieces.slice(0, written === -1 ? undefined : written) });
    const isWhole = written === -1 || /^\s*(?:https?:\/\/)?[^/?#\s]+[/?#]/i.test(head);
    const host = isWhole ? hostOf(head) : undefined;
    return host !== undefined && /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(host) ? [host] : [];
  });
  return [...new Set(hosts)];
}

function emptyRequest(call: Call): Request {
  return { client: call.name ?? "", method: "GET", methodAt: call.nameTerm, urls: [] };
}

function named(request: Request, method: Term): void {
  request.method = textOf(method)?.trim().toUpperCase();
  request.methodAt = method;
}

function curlRequests(call: Call): Request[] {
  return curlCalls(call.args)
    .filter((curl) => !hasOption(curl, "version", "help", "manual"))
    .map((curl) => {
      const request = lastOption(curl, "request");
      const insecure = ["insecure", "proxy-insecure", "doh-insecure"].map((name) => lastOption(curl, name));
      return {
        client: "curl",
        curl,
        method: overriddenMethod(curl) ?? curlMethod(curl),
        methodAt: request === undefined ? call.nameTerm : spanning(request.at, request.value),
        urls: curl.urls,
        insecure: insecure.find((option) => option !== undefined)?.at,
      };
    });
}

/** Many servers accept `X-HTTP-Method-Override: DELETE` as the method. */
function overriddenMethod(curl: CurlCall): string | undefined {
  for (const { name, value } of curl.options) {
    const text = name === "header" && value !== undefined ? (textOf(value) ?? "") : "";
    const method = /^x-(?:http-method(?:-override)?|method-override):\s*([A-Za-z]+)\s*$/i.exec(text)?.[1];
    if (method !== undefined) return method.toUpperCase();
  }
  return undefined;
}

function spanning(from: Term, to: Term | undefined): Term {
  return to === undefined || to.start < from.start ? from : { ...from, end: Math.max(from.end, to.end) };
}

const WGET_LETTERS = "aBDeiIlmoOPQRtTUwXA";
const WGET_LONG = (
  "--method --post-data --post-file --body-data --body-file --output-document --directory-prefix --output-file --save-cookies " +
  "--header --user --password --timeout --tries --ca-certificate --user-agent --referer --input-file --execute"
).split(" ");

function wgetRequest(call: Call): Request {
  const request = emptyRequest(call);
  const { args } = call;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const head = headOf(word);
    if (!/^-./.test(head)) request.urls.push(word);
    else if (head.startsWith("--")) {
      const written = head.split("=")[0]!;
      if (/^--no-check-c/.test(written)) request.insecure = word;
      const name = WGET_LONG.find((one) => one.startsWith(written) && written.length > 4);
      if (name === undefined) continue;
      const value = written === head ? args[++at] : tail(word, written.length + 1);
      if (/-(?:data|file)$/.test(name) && /^--(?:post|body)/.test(name) && request.method === "GET")
        request.method = "POST";
      if (name === "--method" && value !== undefined) {
        named(request, value);
        request.methodAt = spanning(word, value);
      }
    } else {
      const letter = [...head.slice(1)].findIndex((char) => WGET_LETTERS.includes(char));
      const isAttached = letter + 2 < head.length || textOf(word) !== head;
      if (letter !== -1 && !isAttached) at++;
    }
  }
  return request;
}

/** HTTPie, xh: `[METHOD] URL [ITEM…]`. */
function itemRequest(call: Call, args: readonly Term[]): Request {
  const request = emptyRequest(call);
  const words: Term[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const head = headOf(word);
    if (!/^-./.test(head)) {
      words.push(word);
      continue;
    }
    const name = head.split("=")[0]!;
    const value = name !== head ? tail(word, name.length + 1) : ITEM_TAKING.has(name) ? args[++at] : undefined;
    const isOff = name === "--verify" && /^(no|false|0)$/i.test(textOf(value ?? EMPTY) ?? "");
    if (isOff || /^(-k|--insecure)$/.test(head)) request.insecure = isOff ? spanning(word, value) : word;
  }
  const [first, second] = words;
  const method = first === undefined ? undefined : textOf(first);
  const isNamed = second !== undefined && (method === undefined || /^[A-Za-z]+$/.test(method));
  const url = isNamed ? second : first;
  if (url !== undefined) request.urls.push(url);
  const hasBody = words.slice(isNamed ? 2 : 1).some(isBody) || args.some((word) => /^--raw/.test(headOf(word)));
  if (isNamed) named(request, first!);
  else if (hasBody) request.method = "POST";
  return request;
}

/** Options of HTTPie and xh that take a value. */
const ITEM_TAKING: ReadonlySet<string> = new Set(
  (
    "-a -A -o -p -P -s --auth --auth-type --bearer --boundary --cert --cert-key --cert-key-pass --ciphers --default-scheme " +
    "--format-options --history-print --http-version --interface --max-headers --max-redirects --output --pretty --print " +
    "--proxy --raw --resolve --response-charset --response-mime --session --session-read-only --ssl --style --timeout " +
    "--unix-socket --verify"
  ).split(" "),
);

/** `name=value`, `name:=1`, `file@path` are a body; `Header:value` and `q==x` are not. */
function isBody(item: Term): boolean {
  return /^[^:=@]*(:=|=(?!=)|@)/.test(headOf(item));
}

/** `curlew http [OPTION…] METHOD URL`, with options anywhere. */
function ownRequest(call: Call, args: readonly Term[]): Request {
  const request = emptyRequest(call);
  const words: Term[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const head = headOf(word);
    if (textOf(word) === "--") {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!/^-./.test(head)) words.push(word);
    else if (textOf(word) === (head.startsWith("--") ? head.split("=")[0] : head.slice(0, 2)) && OWN_TAKING.has(head))
      at++;
  }
  const [method, url] = words.length > 1 ? words : [undefined, words[0]];
  if (url !== undefined) request.urls.push(url);
  if (method !== undefined) named(request, method);
  return request;
}

const OWN_TAKING: ReadonlySet<string> = new Set([
  ...(CURLEW_HTTP.long ?? []),
  ...[...(CURLEW_HTTP.short ?? "")].map((letter) => `-${letter}`),
]);

/** curl's options with HTTPie's words. */
function curlieRequests(call: Call): Request[] {
  const [first] = curlRequests({ ...call, name: "curl" });
  if (first === undefined) return [];
  const items = itemRequest(call, first.urls);
  const { method, methodAt } = first.method === "GET" ? items : first;
  return [{ ...first, client: "curlie", method, methodAt, urls: items.urls }];
}
