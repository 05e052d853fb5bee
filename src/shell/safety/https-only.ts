// safety/https-only: finds URLs that are not https, and switches of curl that would bypass the rule (spec 4.2, "HTTPS
// only").
//   H1. Loopback never leaves the machine and may be plain http.
//   H2. Only words that a client reads as a URL count, never the text around them: a namespace in a body is not a call.
//   H3. After --next curl has forgotten Curlew's configuration, so that call must say https itself.
// Not covered: programs of other languages, and --proxy, --connect-to and --resolve, which may redirect a loopback call.

import { hostOf, isLoopbackHost, isLoopbackUrl, schemeOf } from "./addresses.ts";
import { type CurlCall, curlCalls, hasOption } from "./curl.ts";
import { requestsOf } from "./requests.ts";
import type { Call, Script } from "./script.ts";
import { type Term, wordForMessage } from "./terms.ts";

export interface PlainUse {
  kind: "address" | "no-scheme" | "bypass" | "forgets-https";
  /** For a message; a value by its name only. */
  seen: string;
  /** A word without a scheme whose host is this machine: allowed. */
  loopback?: boolean;
  at: Term;
}

export function plainUses(script: Script): PlainUse[] {
  return script.calls.flatMap((call) => [
    ...requestsOf(call).flatMap(({ client, urls }) => urls.flatMap((url) => plain(url, client) ?? [])),
    ...fetched(call),
    ...bypasses(call),
    ...forgets(call),
  ]);
}

function plain(url: Term, client: string): PlainUse | undefined {
  const head = url.head;
  const whole = url.literal;
  // The rest is known only at run time. It does not matter if the word's start is enough.
  if (head.trim() === "" || (whole === undefined && !isTelling(head))) return undefined;
  const seen = wordForMessage(url);
  const scheme = schemeOf(head);
  if (scheme === "https") return undefined;
  if (scheme !== undefined) {
    const isLoopback = scheme === "http" && isLoopbackUrl(whole ?? head) && isBounded(whole, head);
    return isLoopback ? undefined : { kind: "address", seen, at: url };
  }
  if (client === "https" || client === "xhs") return undefined;
  // In HTTPie, `:3000/x` is this machine.
  if (/^[:/]/.test(head) || !/^[\w.[\]-]+(:[0-9]*)?([/?#]|$)/.test(head)) return undefined;
  const host = hostOf(head);
  return { kind: "no-scheme", seen, loopback: host !== undefined && isLoopbackHost(host), at: url };
}

/** It has a scheme, or a whole host. */
function isTelling(head: string): boolean {
  return (
    /^\s*[A-Za-z][A-Za-z0-9+.-]*:\/\/./.test(head) ||
    /^\s*(file|telnet|dict|gopher|ldap|tftp):/i.test(head) ||
    /^[\w-]+(\.[\w-]+)+[/:]/.test(head)
  );
}

/** The unknown rest cannot extend the host, as it could in `http://localhost$x`. */
function isBounded(whole: string | undefined, head: string): boolean {
  return whole !== undefined || /^\s*http:\/\/[^/?#]+[:/?#]/i.test(head);
}

/** Programs besides the clients of requests.ts that call the URLs in their arguments. */
export const FETCHERS: readonly string[] = "aria2c axel lynx links elinks w3m git svn hg".split(" ");

function fetched(call: Call): PlainUse[] {
  if (!FETCHERS.includes(call.name ?? "")) return [];
  if (call.name === "git" && !call.args.some((word) => CALLS_OUT.test(word.literal ?? ""))) return [];
  return call.args
    .filter((word) => /^(?:http|ftp|git|svn)$/.test(schemeOf(word.head) ?? ""))
    .flatMap((word) => plain(word, call.name ?? "") ?? []);
}
const CALLS_OUT = /^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/;

/** Switches that bypass curl's configuration (ADR 46). */
function bypasses(call: Call): PlainUse[] {
  const words = [...environmentWords(call), ...(isCurl(call) ? curlWords(call) : [])];
  return words.map((at) => ({ kind: "bypass", seen: wordForMessage(at), at }));
}

function isCurl({ name }: Call): boolean {
  return name === "curl" || name === "curlie";
}

function curlWords({ args }: Call): Term[] {
  const [first] = args;
  // curl reads -q only as its first word.
  const isQuiet = first !== undefined && (/^-q/.test(first.head) || first.literal === "--disable");
  const widening = curlCalls(args).flatMap(({ options }) =>
    options.flatMap(({ name, value, at }) => {
      if (!/^proto(-redir|-default)?$/.test(name) || value === undefined) return [];
      if (!widens(name, value.literal ?? "")) return [];
      const pieces = value === at ? at.pieces : [...at.pieces, { text: " " }, ...value.pieces];
      return [{ ...at, end: Math.max(at.end, value.end), pieces }];
    }),
  );
  return isQuiet ? [first, ...widening] : widening;
}

/** `CURL_HOME=… curl`, `unset CURL_HOME`, `env -i`, `env -u CURL_HOME`. */
function environmentWords(call: Call): Term[] {
  const { name, args, settings, wrappers } = call;
  const unset = name === "unset" ? args.filter((word) => word.literal === "CURL_HOME") : [];
  // Another program may clear its environment.
  if (name !== undefined && !isCurl(call)) return unset;
  const set = settings.flatMap((setting) => (setting.name === "CURL_HOME" ? [setting.value] : []));
  const cleared = wrappers
    .filter((wrapper) => wrapper.name === "env")
    .flatMap(({ own }) =>
      own.filter((word) =>
        /^(?:-|--ignore-environment|-[a-z0]*i[a-z0]*|(?:-[a-z0]*u|--unset=)?CURL_HOME)$/.test(word.literal ?? ""),
      ),
    );
  return [...unset, ...set, ...cleared];
}

/** H3. */
function forgets(call: Call): PlainUse[] {
  if (call.name !== "curl") return [];
  return curlCalls(call.args).flatMap((one): PlainUse[] => {
    const isOpen = one.urls.some((url) => !isHttps(url)) || hasOption(one, "location", "location-trusted");
    if (one.next === undefined || !isOpen || isNarrowed(one)) return [];
    return [{ kind: "forgets-https", seen: wordForMessage(one.next), at: one.next }];
  });
}

function isNarrowed({ options }: CurlCall): boolean {
  return options.some(({ name, value }) => name === "proto" && value && !widens(name, value.literal ?? ""));
}

/** It starts with https, or is a value that Curlew checks at run time. */
function isHttps(url: Term): boolean {
  const scheme = schemeOf(url.head);
  if (scheme !== undefined) return scheme === "https" || isLoopbackUrl(url.literal ?? url.head);
  const [first] = url.pieces;
  return first?.value !== undefined && first.text === undefined;
}

function widens(option: string, value: string): boolean {
  if (option === "proto-default") return value.trim().toLowerCase() !== "https";
  let only: string[] | undefined;
  for (const part of value.toLowerCase().split(",")) {
    const [, sign, name] = /^\s*([=+-]?)\s*(\S*)\s*$/.exec(part) ?? [];
    if (name === undefined || name === "") continue;
    if (sign === "-") only = name === "all" ? [] : only;
    else if (sign === "=") only = [name];
    else only?.push(name); // adds to all protocols, unless an earlier part restricted them
  }
  return only === undefined || only.some((name) => name !== "https");
}
