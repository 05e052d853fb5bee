// safety/requests: the HTTP requests of a call by common clients: curl, wget, HTTPie, xh, curlie, curlew http.

import { CURLEW_HTTP } from "../rewrite/http.ts";
import { type OptionSpec, split } from "../rewrite/options.ts";
import { hostOf } from "./addresses.ts";
import { type CurlCall, curlCalls, curlMethod, hasOption, lastOption } from "./curl.ts";
import type { Call, Script } from "./script.ts";
import { spanning, type Term, tail } from "./terms.ts";

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
      return call.args[0]?.literal === "http" ? [ownRequest(call, call.args.slice(1))] : [];
    default:
      return [];
  }
}

/**
 * The hosts that a script's calls name literally. A host counts only if no value can extend it. `withValues`: known
 * values count as text.
 */
export function hostsIn({ calls }: Script, withValues = false): string[] {
  const urls = calls.flatMap((call) => requestsOf(call).flatMap((request) => request.urls));
  const hosts = urls.flatMap(({ pieces }) => {
    const written = pieces.findIndex((piece) => piece.text === undefined || (piece.value !== undefined && !withValues));
    const head = pieces
      .slice(0, written === -1 ? undefined : written)
      .map(({ text }) => text)
      .join("");
    const isWhole = written === -1 || /^\s*(?:https?:\/\/)?[^/?#\s]+[/?#]/i.test(head);
    const host = isWhole ? hostOf(head) : undefined;
    return host !== undefined && /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/.test(host) ? [host] : [];
  });
  return [...new Set(hosts)];
}

function emptyRequest(call: Call): Request {
  return { client: call.name ?? "", method: "GET", methodAt: call.nameTerm, urls: [] };
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
        method: curlMethod(curl),
        methodAt: request === undefined ? call.nameTerm : spanning(request.at, request.value),
        urls: curl.urls,
        insecure: insecure.find((option) => option !== undefined)?.at,
      };
    });
}

const WGET: OptionSpec = {
  short: "aBDeiIlmoOPQRtTUwXA",
  long: (
    "--method --post-data --post-file --body-data --body-file --output-document --directory-prefix --output-file --save-cookies " +
    "--header --user --password --timeout --tries --ca-certificate --user-agent --referer --input-file --execute"
  ).split(" "),
  switches: ["--no-check-certificate"],
};

function wgetRequest(call: Call): Request {
  const request = emptyRequest(call);
  for (const { argument, kind, option = "", flags, from } of split(call.args, WGET)) {
    if (kind === "positional") request.urls.push(argument);
    if (flags.includes("--no-check-certificate")) request.insecure = argument;
    if (/^--(?:post|body)-/.test(option) && request.method === "GET") request.method = "POST";
    if (option !== "--method") continue;
    if (kind === "flag") request.methodAt = argument;
    else {
      const method = kind === "value" ? argument : tail(argument, from);
      request.method = method.literal?.trim().toUpperCase();
      request.methodAt = kind === "value" ? spanning(request.methodAt, argument) : argument;
    }
  }
  return request;
}

/** Options of HTTPie and xh that take a value. */
const HTTPIE: OptionSpec = {
  short: "aAopPs",
  long: (
    "--auth --auth-type --bearer --boundary --cert --cert-key --cert-key-pass --ciphers --default-scheme " +
    "--format-options --history-print --http-version --interface --max-headers --max-redirects --output --pretty --print " +
    "--proxy --raw --resolve --response-charset --response-mime --session --session-read-only --ssl --style --timeout " +
    "--unix-socket --verify"
  ).split(" "),
  switches: ["--insecure"],
};

/** HTTPie, xh: `[METHOD] URL [ITEM…]`. */
function itemRequest(call: Call, args: readonly Term[]): Request {
  const request = emptyRequest(call);
  const items = split(args, HTTPIE);
  for (const [index, { argument, kind, option, flags, from }] of items.entries()) {
    if (flags.includes("-k") || flags.includes("--insecure")) request.insecure = argument;
    if (option !== "--verify" || kind === "flag") continue;
    const value = kind === "value" ? argument : tail(argument, from);
    const at = kind === "value" ? args[index - 1] : undefined;
    if (/^(no|false|0)$/i.test(value.literal ?? "")) request.insecure = spanning(at ?? argument, argument);
  }
  const words = items.filter(({ kind }) => kind === "positional").map(({ argument }) => argument);
  const [first, second] = words;
  const isNamed = first !== undefined && second !== undefined && /^[A-Za-z]+$/.test(first.literal ?? "GET");
  const url = isNamed ? second : first;
  if (url !== undefined) request.urls.push(url);
  const hasBody = words.slice(isNamed ? 2 : 1).some(isBody) || items.some(({ option }) => option === "--raw");
  if (isNamed) {
    request.method = first.literal?.trim().toUpperCase();
    request.methodAt = first;
  } else if (hasBody) request.method = "POST";
  return request;
}

/** `name=value`, `name:=1`, `file@path` are a body; `Header:value` and `q==x` are not. */
function isBody({ head }: Term): boolean {
  return /^[^:=@]*(:=|=(?!=)|@)/.test(head);
}

/** `curlew http [OPTION…] METHOD URL`, with options anywhere. */
function ownRequest(call: Call, args: readonly Term[]): Request {
  const words = split(args, CURLEW_HTTP)
    .filter(({ kind }) => kind === "positional")
    .map(({ argument }) => argument);
  const [method, url] = words.length > 1 ? words : [undefined, words[0]];
  const request = emptyRequest(call);
  if (url !== undefined) request.urls.push(url);
  if (method === undefined) return request;
  return { ...request, method: method.literal?.trim().toUpperCase(), methodAt: method };
}

/** curl's options with HTTPie's words. */
function curlieRequests(call: Call): Request[] {
  const [first] = curlRequests({ ...call, name: "curl" });
  if (first === undefined) return [];
  const items = itemRequest(call, first.urls);
  const { method, methodAt } = first.method === "GET" ? items : first;
  return [{ ...first, client: "curlie", method, methodAt, urls: items.urls }];
}
