// safety/https-only: addresses that are not https, and switches of curl that would take the rule back (spec 4.2, "HTTPS only").
//   H1. Loopback never leaves the machine and may be plain.
//   H2. Judged are words where a client takes an address, never the text around: a namespace in a body is no call.
//   H3. What follows --next knows nothing of our configuration: it must say https, and sign in, by itself.
//   H4. The same function looks before the run, at what the document says, and in it, at the values.
//   H5. A plain address of this machine is led nowhere else: by a proxy, --connect-to or --resolve.
//   H6. In a program of another language an address is told, not refused: whether it is called is the program's.

import { hostOf, isLoopbackHost, isLoopbackUrl, schemeOf } from "./addresses.ts";
import { type CurlOption, curlCalls, hasOption } from "./curl.ts";
import { type Request, requestsOf } from "./requests.ts";
import type { Call, Script } from "./script.ts";
import { headOf, said, type Term, textOf } from "./terms.ts";

export interface PlainUse {
  kind: "address" | "no-scheme" | "led-away" | "in-program" | "bypass" | "forgets-https" | "forgets-auth";
  /** What was seen, for a message; a value by its name only. */
  seen: string;
  scheme?: string;
  /** It stays on the machine: nothing is refused, but curl would take it for https. */
  loopback: boolean;
  at: Term;
}

/** `signsIn`: the node has an `auth:`. */
export function plainUses(script: Script, signsIn: boolean): PlainUse[] {
  return script.calls.flatMap((call) => [
    ...addresses(call),
    ...requestsOf(call).flatMap(ledAway),
    ...fetched(call),
    ...inProgram(call),
    ...bypasses(call),
    ...forgets(call, signsIn),
  ]);
}

function addresses(call: Call): PlainUse[] {
  return requestsOf(call).flatMap(({ client, urls, curl }) => {
    const proxies = (curl?.options ?? []).flatMap(({ name, value }) =>
      name === "doh-url" && value !== undefined ? [value] : [],
    );
    return [...urls, ...proxies].flatMap((url) => {
      const found = plain(url, client);
      return found === undefined ? [] : [found];
    });
  });
}

function plain(url: Term, client: string): PlainUse | undefined {
  const head = headOf(url);
  const whole = textOf(url);
  // Only what the script itself will know stands here, or the word begins with it.
  if (head.trim() === "" || (whole === undefined && !isTelling(head))) return undefined;
  const seen = said(url);
  const scheme = schemeOf(head);
  if (scheme === "https") return undefined;
  if (scheme !== undefined) {
    const loopback = scheme === "http" && isLoopbackUrl(whole ?? head) && isBounded(whole, head);
    return loopback ? undefined : { kind: "address", seen, scheme, loopback: false, at: url };
  }
  if (client === "https" || client === "xhs") return undefined;
  // `:3000/x` of HTTPie is the machine itself. A relative word of no address is not judged.
  if (/^[:/]/.test(head) || !/^[\w.[\]-]+(:[0-9]*)?([/?#]|$)/.test(head)) return undefined;
  const host = hostOf(head);
  return { kind: "no-scheme", seen, loopback: host !== undefined && isLoopbackHost(host), at: url };
}

/** A beginning that says enough: with its scheme, or a whole host. */
function isTelling(head: string): boolean {
  return (
    /^\s*[A-Za-z][A-Za-z0-9+.-]*:\/\/./.test(head) ||
    /^\s*(file|telnet|dict|gopher|ldap|tftp):/i.test(head) ||
    /^[\w-]+(\.[\w-]+)+[/:]/.test(head)
  );
}

/** Whether what is not known could still lengthen the host: `http://localhost$x`. */
function isBounded(whole: string | undefined, head: string): boolean {
  return whole !== undefined || /^\s*http:\/\/[^/?#]+[:/?#]/i.test(head);
}

/** H5. What is only known in the run is not judged. */
function ledAway({ urls, curl }: Request): PlainUse[] {
  if (curl === undefined || !urls.some(isPlainHere)) return [];
  const unproxied = curl.options.some(({ name, value }) => name === "noproxy" && staysUnproxied(value));
  return curl.options.flatMap(({ name, value, at }): PlainUse[] => {
    const to = value === undefined ? undefined : textOf(value);
    if (to === undefined || to === "" || !leadsAway(name, to, unproxied)) return [];
    return [
      {
        kind: "led-away",
        seen: `--${name} ${value === undefined ? "" : said(value)}`,
        loopback: false,
        at: value === at ? at : (value ?? at),
      },
    ];
  });
}

function isPlainHere(url: Term): boolean {
  const head = textOf(url) ?? headOf(url);
  const host = hostOf(head);
  return host !== undefined && isLoopbackHost(host) && schemeOf(head) !== "https";
}

function staysUnproxied(value: Term | undefined): boolean {
  const hosts = (textOf(value ?? NOTHING) ?? "").split(/[\s,]+/);
  return hosts.some((host) => host === "*" || isLoopbackHost(host));
}
const NOTHING: Term = { pieces: [], raw: "", start: 0, end: 0 };

function leadsAway(option: string, to: string, unproxied: boolean): boolean {
  const isHere = (host: string) =>
    host === "" || isLoopbackHost(host.includes(":") && host[0] !== "[" ? `[${host}]` : host);
  if (/^(?:proxy|proxy1\.0|preproxy|socks4a?|socks5|socks5-hostname)$/.test(option))
    return !unproxied && !isLoopbackUrl(to);
  const [, from = "", , target = ""] = /^\+?(\[[^\]]*\]|[^:]*):([^:]*):(.*)$/s.exec(to) ?? [];
  if (from !== "" && from !== "*" && !isLoopbackHost(from)) return false;
  if (option === "connect-to") return !isHere(/^(\[[^\]]*\]|[^:]*)/.exec(target)?.[1] ?? "");
  return option === "resolve" && !to.startsWith("-") && !target.split(",").every(isHere);
}

/** Programs that call what they are given, besides the clients of requests.ts, whose words are understood. */
export const FETCHERS: readonly string[] = ["aria2c", "axel", "lynx", "links", "elinks", "w3m", "git", "svn", "hg"];

function fetched(call: Call): PlainUse[] {
  if (!FETCHERS.includes(call.name ?? "")) return [];
  if (call.name === "git" && !call.args.some((word) => CALLS_OUT.test(textOf(word) ?? ""))) return [];
  return call.args.flatMap((word) => {
    const scheme = schemeOf(headOf(word));
    const found = scheme !== undefined && IN_THE_CLEAR.test(scheme) ? plain(word, call.name ?? "") : undefined;
    return found?.kind === "address" ? [found] : [];
  });
}
const CALLS_OUT = /^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/;
const IN_THE_CLEAR = /^(?:http|ftp|git|svn)$/;

/** H6. Namespaces look like addresses and are none. */
function inProgram(call: Call): PlainUse[] {
  if (!/^(?:python[0-9.]*|node|deno|bun|ruby|perl|php)$/.test(call.name ?? "")) return [];
  const words = [...call.args, ...(call.feed.kind === "text" ? call.feed.words : [])];
  return words.flatMap((at): PlainUse[] => {
    const text = at.pieces.map((piece) => (piece.value === undefined ? (piece.text ?? " ") : " ")).join("");
    const seen = (text.match(/\bhttp:\/\/[\w.[\]:-]+/gi) ?? []).find(
      (url) => !isLoopbackUrl(url) && !/^http:\/\/(?:www\.w3\.org|schemas\.|xmlns\.|purl\.org|ns\.)/i.test(url),
    );
    return seen === undefined ? [] : [{ kind: "in-program", seen, loopback: false, at }];
  });
}

/** Switches that would take curl's configuration back. */
function bypasses(call: Call): PlainUse[] {
  const found: PlainUse[] = [];
  const add = (at: Term) => found.push({ kind: "bypass", seen: said(at), loopback: false, at });
  if (call.name === "unset") for (const word of call.args) if (textOf(word) === "CURL_HOME") add(word);
  if (call.name !== "curl" && call.name !== "curlie") return found;
  const first = call.args[0];
  // curl reads -q only as its very first word.
  if (first !== undefined && (/^-q/.test(headOf(first)) || /^--disable$/.test(textOf(first) ?? ""))) add(first);
  for (const { options } of curlCalls(call.args))
    for (const { name, value, at } of options)
      if (/^proto(-redir|-default)?$/.test(name) && value !== undefined && widens(name, textOf(value) ?? ""))
        add({
          ...at,
          end: Math.max(at.end, value.end),
          pieces: [...at.pieces, { text: " " }, ...(value === at ? [] : value.pieces)],
        });
  for (const { name, value } of call.settings) if (name === "CURL_HOME") add(value);
  for (const { name, own } of call.wrappers)
    if (name === "env")
      for (const [index, word] of own.entries()) {
        const text = textOf(word) ?? "";
        const ahead = own[index - 1];
        const isUnset =
          text === "CURL_HOME" && ahead !== undefined && /^(?:-[a-z0]*u|--unset)$/.test(textOf(ahead) ?? "");
        if (isUnset || /^(?:-|--ignore-environment|-[a-z0]*i|(?:-[a-z0]*u|--unset=)CURL_HOME)$/.test(text)) add(word);
      }
  return found;
}

/** H3. A call to this machine may be plain, and signs in nowhere else. */
function forgets(call: Call, signsIn: boolean): PlainUse[] {
  if (call.name !== "curl") return [];
  return curlCalls(call.args).flatMap((one) => {
    if (one.next === undefined) return [];
    const at = one.next;
    const narrowed = one.options.some(
      ({ name, value }) => name === "proto" && value !== undefined && !widens(name, textOf(value) ?? ""),
    );
    const open =
      one.urls.some((url) => !narrowed && !isHttps(url)) ||
      (!narrowed && hasOption(one, "location", "location-trusted"));
    const found: PlainUse[] = [];
    if (open) found.push({ kind: "forgets-https", seen: said(at), loopback: false, at });
    if (signsIn && !one.open && !one.options.some(signsItselfIn))
      found.push({ kind: "forgets-auth", seen: said(at), loopback: false, at });
    return found;
  });
}

/** It begins with https, or is a value that the run will look at. */
function isHttps(url: Term): boolean {
  const scheme = schemeOf(headOf(url));
  if (scheme !== undefined) return scheme === "https" || isLoopbackUrl(textOf(url) ?? headOf(url));
  const [first] = url.pieces;
  return first?.value !== undefined && first.text === undefined;
}

function signsItselfIn({ name, value }: CurlOption): boolean {
  if (name === "header")
    return value !== undefined && /^(?:@|(?:authorization|x-api-key|[\w-]*token)\s*:)/i.test(headOf(value));
  return /^(?:user|netrc(?:-file|-optional)?|oauth2-bearer|config)$/.test(name);
}

function widens(option: string, value: string): boolean {
  if (option === "proto-default") return value.trim().toLowerCase() !== "https";
  let only: string[] | undefined;
  for (const part of value.toLowerCase().split(",")) {
    const [, sign, name] = /^\s*([=+-]?)\s*(\S*)\s*$/.exec(part) ?? [];
    if (name === undefined || name === "") continue;
    if (sign === "-") only = name === "all" ? [] : only;
    else if (sign === "=") only = [name];
    else only?.push(name); // added to all there are, unless something took them away
  }
  return only === undefined || only.some((name) => name !== "https");
}
