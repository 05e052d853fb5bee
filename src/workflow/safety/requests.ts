// safety/requests: the HTTP requests of a script, whichever of the usual clients makes them: curl, wget, HTTPie, xh, curlie, curlew http.
// A closed list, told in docs/reference/safety-levels.md.

import { CURLEW_HTTP } from "../shell/http.ts";
import { type CurlCall, curlCalls, curlMethod, hasOption, lastOption, tail } from "./curl.ts";
import type { Call } from "./script.ts";
import { headOf, type Term, textOf } from "./terms.ts";

export interface Request {
  client: string;
  call: Call;
  /** In capitals; undefined when only the run will know. */
  method: string | undefined;
  /** The word that says the method, when it is not the usual one. */
  methodAt: Term;
  urls: Term[];
  /** The word that switches the check of certificates off. */
  insecure?: Term;
  /** Files that it writes. */
  writes: Term[];
  curl?: CurlCall;
}

export const CLIENTS: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "wget2",
  "http",
  "https",
  "xh",
  "xhs",
  "curlie",
  "curlew",
]);

/** Methods that change nothing by their definition (RFC 9110, 9.2.1; PROPFIND and REPORT of WebDAV). */
const READS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "REPORT",
  "SEARCH",
  "QUERY",
]);

export function changes(request: Request): boolean {
  return request.method === undefined || !READS.has(request.method);
}

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

const EMPTY: Term = { pieces: [], raw: "", start: 0, end: 0 };

function curlRequests(call: Call): Request[] {
  return curlCalls(call.args)
    .filter((curl) => !hasOption(curl, "version", "help", "manual"))
    .map((curl) => {
      const insecure = ["insecure", "proxy-insecure", "doh-insecure"]
        .map((name) => lastOption(curl, name))
        .find((option) => option !== undefined);
      const request = lastOption(curl, "request");
      return {
        client: "curl",
        call,
        curl,
        method: overriddenMethod(curl) ?? curlMethod(curl),
        methodAt: request === undefined ? call.nameTerm : spanning(request.at, request.value),
        urls: curl.urls,
        writes: curl.options.flatMap((option) =>
          /^(output|output-dir|dump-header|cookie-jar|trace|trace-ascii|stderr|etag-save|hsts|alt-svc|libcurl)$/.test(
            option.name,
          ) && option.value !== undefined
            ? [option.value]
            : [],
        ),
        ...(insecure === undefined ? {} : { insecure: insecure.at }),
      };
    });
}

/** `X-HTTP-Method-Override: DELETE` means what it says to many servers. */
function overriddenMethod(curl: CurlCall): string | undefined {
  for (const option of curl.options) {
    if (option.name !== "header" || option.value === undefined) continue;
    const method = /^x-(?:http-method(?:-override)?|method-override):\s*([A-Za-z]+)\s*$/i.exec(
      textOf(option.value) ?? "",
    )?.[1];
    if (method !== undefined) return method.toUpperCase();
  }
  return undefined;
}

function spanning(from: Term, to: Term | undefined): Term {
  return to === undefined || to.start < from.start ? from : { ...from, end: Math.max(from.end, to.end) };
}

const WGET_VALUES = "aBDeiIlmoOPQRtTUwXA";
const WGET_LONG: Record<string, "method" | "body" | "writes" | "value"> = {
  "--method": "method",
  "--post-data": "body",
  "--post-file": "body",
  "--body-data": "body",
  "--body-file": "body",
  "--output-document": "writes",
  "--directory-prefix": "writes",
  "--output-file": "writes",
  "--save-cookies": "writes",
  "--header": "value",
  "--user": "value",
  "--password": "value",
  "--timeout": "value",
  "--tries": "value",
  "--ca-certificate": "value",
  "--user-agent": "value",
  "--referer": "value",
  "--input-file": "value",
  "--execute": "value",
};

function wgetRequest(call: Call): Request {
  const request: Request = { client: "wget", call, method: "GET", methodAt: call.nameTerm, urls: [], writes: [] };
  const { args } = call;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const head = headOf(word);
    if (!/^-./.test(head)) {
      request.urls.push(word);
    } else if (head.startsWith("--")) {
      const equals = head.indexOf("=");
      const written = equals === -1 ? head : head.slice(0, equals);
      if (/^--no-check-c/.test(written)) request.insecure = word;
      const kind =
        WGET_LONG[Object.keys(WGET_LONG).find((name) => name.startsWith(written) && written.length > 4) ?? ""];
      if (kind === undefined) continue;
      const value = equals === -1 ? args[++at] : tail(word, equals + 1);
      applyWget(request, kind, value, spanning(word, value));
    } else {
      const letter = [...head.slice(1)].findIndex((char) => WGET_VALUES.includes(char));
      if (letter === -1) continue;
      const attached = letter + 2 < head.length || textOf(word) !== head;
      const value = attached ? tail(word, letter + 2) : args[++at];
      if (/[OPo]/.test(head[letter + 1]!)) applyWget(request, "writes", value, word);
    }
  }
  return request;
}

function applyWget(request: Request, kind: (typeof WGET_LONG)[string], value: Term | undefined, at: Term): void {
  if (kind === "writes" && value !== undefined) request.writes.push(value);
  if (kind === "body" && request.method === "GET") request.method = "POST";
  if (kind !== "method") return;
  request.method = value === undefined ? undefined : textOf(value)?.trim().toUpperCase();
  request.methodAt = at;
}

/** HTTPie, xh: `[METHOD] URL [ITEM…]`. */
function itemRequest(call: Call, args: readonly Term[]): Request {
  const request = emptyRequest(call, "http");
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
    if (name === "--verify" && /^(no|false|0)$/i.test(textOf(value ?? EMPTY) ?? ""))
      request.insecure = name === head ? spanning(word, value) : word;
    else if (/^(-k|--insecure)$/.test(head)) request.insecure = word;
    else if (/^(-o|--output)$/.test(name) && value !== undefined) request.writes.push(value);
  }
  const first = words[0];
  const method = first === undefined ? undefined : textOf(first);
  const named = first !== undefined && words.length > 1 && (method === undefined || /^[A-Za-z]+$/.test(method));
  const url = words[named ? 1 : 0];
  if (url !== undefined) request.urls.push(url);
  const items = words.slice(named ? 2 : 1);
  if (named) {
    request.method = method?.toUpperCase();
    request.methodAt = first;
  } else if (items.some(isBody) || args.some((word) => /^--raw/.test(headOf(word)))) request.method = "POST";
  return request;
}

/** Options of HTTPie and xh that take a value. */
const ITEM_TAKING: ReadonlySet<string> = new Set([
  ...["-a", "-A", "-o", "-p", "-P", "-s", "--auth", "--auth-type", "--bearer", "--boundary", "--cert", "--cert-key"],
  ...["--cert-key-pass", "--ciphers", "--default-scheme", "--format-options", "--history-print", "--http-version"],
  ...["--interface", "--max-headers", "--max-redirects", "--output", "--pretty", "--print", "--proxy", "--raw"],
  ...["--resolve", "--response-charset", "--response-mime", "--session", "--session-read-only", "--ssl", "--style"],
  ...["--timeout", "--unix-socket", "--verify"],
]);

/** `curlew http [OPTION…] METHOD URL`, the options anywhere. */
function ownRequest(call: Call, args: readonly Term[]): Request {
  const request = emptyRequest(call, "curlew");
  const words: Term[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const head = headOf(word);
    if (textOf(word) === "--") {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!/^-./.test(head)) {
      words.push(word);
      continue;
    }
    const name = head.startsWith("--") ? head.split("=")[0]! : head.slice(0, 2);
    const isAlone = textOf(word) === name;
    const takes = OWN_TAKING.has(name) || (name === "--graphql" && QUERY.test(headOf(args[at + 1] ?? EMPTY)));
    const value = isAlone && takes ? args[++at] : tail(word, name.length + (head.startsWith("--") ? 1 : 0));
    if (/^(-o|--output)$/.test(name) && value !== undefined) request.writes.push(value);
  }
  const [method, url] = words.length > 1 ? words : [undefined, words[0]];
  if (url !== undefined) request.urls.push(url);
  if (method === undefined) return request;
  request.method = textOf(method)?.toUpperCase();
  request.methodAt = method;
  return request;
}

const OWN_TAKING: ReadonlySet<string> = new Set([
  ...(CURLEW_HTTP.long ?? []),
  ...[...(CURLEW_HTTP.short ?? "")].map((letter) => `-${letter}`),
]);
/** What --graphql takes for its query, as cli/http/options.ts does. */
const QUERY = /^\s*(?:@|#|\{|(?:query|mutation|subscription|fragment)\b)/;

function emptyRequest(call: Call, client: string): Request {
  return { client: call.name ?? client, call, method: "GET", methodAt: call.nameTerm, urls: [], writes: [] };
}

/** `name=value`, `name:=1`, `file@path`: a body; `Header:value` and `q==x` are none. */
function isBody(item: Term): boolean {
  const text = headOf(item);
  return /^[^:=@]*(:=|=(?!=)|@)/.test(text);
}

/** curl's options with HTTPie's words. */
function curlieRequests(call: Call): Request[] {
  const [first] = curlRequests({ ...call, name: "curl" });
  if (first === undefined) return [];
  const items = itemRequest(call, first.urls);
  const named = first.method !== "GET" ? first : items;
  return [{ ...first, client: "curlie", method: named.method, methodAt: named.methodAt, urls: items.urls }];
}
