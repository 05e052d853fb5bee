// http-seen: what the HTTP clients of a command report of their calls, and how it is read (spec 3.6).
//   The command's environment has CURLEW_HTTP, the begin of a path. A client process writes `${CURLEW_HTTP}.ANYTHING`, a file of its own
//   (its process id does), and appends records to it: RS KIND US … RS, RS being 0x1e and US 0x1f. ANYTHING has no dot.
//     B US method US url US kind   a call has begun; counts when the file has no other record: nobody saw its end. With a kind the client
//                               makes `${CURLEW_HTTP}.ANYTHING.KIND` when it begins in truth: without that file nothing was called
//     C… US json US headers     of curl: `%{json}` and `%{header_json}` of its write-out; the C may have a word behind it
//     N                         of curl before 8.9: it may try again, and its tries are not counted
//   `${CURLEW_HTTP}.ANYTHING.w` holds more records of the same client, `.d` the heads of all answers as they came, `.t` the tries of a curl before
//   8.9 (src/process/curl-tries.c): a line for each handle that is made (N), each begin of a try (T) and each end (E), with the handle.
//     L US values             of curl, a call that stands alone: the values that LEAN names; its headers are the last of `.d`
//     H US json                 an HttpCall in JSON (src/base/http-call.ts), by `curlew http` and others; secrets in it are masked here
//   S1. The files hold URLs as they were called: they are read and gone before the attempt's end is told (`takeCalls`).
//   S2. What is told has no user or password, no value of a query that is called like a secret, no cookie, and has passed the masker.
//   S3. What cannot be read is left out; it never fails an attempt.
// Deliberately absent: how curl is made to report (curl-front.ts).

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { HttpCall } from "../base/http-call.ts";
import { limits } from "../base/limits.ts";
import { removeLeft } from "./left.ts";

/** The calls of an attempt in the order in which they ended; beyond `limits.httpCallsMax` the middle is left out. Removes the files. */
export function takeCalls(prefix: string, mask: (text: string) => string): HttpCall[] {
  const files = leftCalls(prefix);
  if (files.length === 0) return [];
  const calls = clientsOf(prefix, files).flatMap(callsOf);
  for (const path of files) removeLeft(path);
  return within(calls).map((call, index, all) => clean(call, index === all.length - 1, mask));
}

/** Their files, also of an attempt that nobody ended. Absolute paths. */
export function leftCalls(prefix: string): string[] {
  const folder = dirname(prefix);
  const start = `${basename(prefix)}.`;
  try {
    return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [join(folder, name)] : []));
  } catch {
    return [];
  }
}

interface Client {
  /** When it wrote last, in nanoseconds. */
  at: bigint;
  records: string;
  /** Heads of answers as they came (`.d`). */
  heads: string;
  /** Tries of a curl before 8.9 (`.t`). */
  tries: string;
  /** Its files, by the last part of their names. */
  kinds: Set<string>;
}

/** One client process has written `PREFIX.PID`, and with it `PREFIX.PID.w`, `.d` and `.t`; its other files are its own business. */
function clientsOf(prefix: string, files: readonly string[]): Client[] {
  const clients = new Map<string, Client>();
  for (const path of files) {
    const [id = "", kind = ""] = path.slice(prefix.length + 1).split(".");
    const client = clients.get(id) ?? { at: 0n, records: "", heads: "", tries: "", kinds: new Set() };
    client.kinds.add(kind);
    clients.set(id, client);
    const read = ["", "w", "d", "t"].includes(kind) ? textOf(path) : undefined;
    if (read === undefined) continue;
    if (read.at > client.at) client.at = read.at;
    if (kind === "d") client.heads = read.text;
    else if (kind === "t") client.tries = read.text;
    else client.records += read.text;
  }
  return [...clients.values()].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function textOf(path: string): { at: bigint; text: string } | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    if (!stat.isFile() || stat.size > BigInt(limits.httpReportBytesMax)) return undefined;
    return { at: stat.mtimeNs, text: readFileSync(path, "utf8") };
  } catch {
    return undefined;
  }
}

function callsOf(client: Client): HttpCall[] {
  const { records, heads, kinds } = client;
  const calls: (HttpCall | undefined)[] = [];
  let begun: HttpCall | undefined;
  for (const record of records.split("\u001e")) {
    const [kind = "", first = "", second = "", third = ""] = record.split("\u001f");
    if (kind === "L") calls.push(curlCall(asJson(record), lastHeads(heads)));
    else if (kind.startsWith("C")) calls.push(curlCall(first, second));
    else if (kind === "H") calls.push(ownCall(first));
    else if (kind === "B" && (third === "" || kinds.has(third)))
      begun ??= { method: first, url: second, status: 0, durationMs: 0, headers: {}, client: "curl" };
  }
  const isTold = calls.length > 0;
  if (!isTold && begun !== undefined && begun.url !== "" && isHttp(begun.url))
    calls.push({ ...begun, url: withScheme(begun.url), error: "It ended before its answer was complete." });
  withRetries(calls, client);
  const [only] = calls;
  // curl tells the method that a redirect has made of it.
  if (isTold && calls.length === 1 && only?.redirects !== undefined && begun !== undefined && begun.method !== "GET")
    only.method = begun.method;
  return calls.filter((call) => call !== undefined);
}

/** Of a curl before 8.9: by its count, else by its answers; `null` where it may have tried again and neither tells. */
function withRetries(calls: readonly (HttpCall | undefined)[], { records, heads, tries }: Client): void {
  const counts = triesIn(tries);
  const isCounted = counts.length === calls.length;
  const mayRetry = records.includes("\u001eN\u001e") || counts.some((count) => count > 1);
  for (const [index, call] of calls.entries()) {
    if (call === undefined || call.retries !== undefined || call.client !== "curl") continue;
    const seen = isCounted
      ? counts[index]!
      : calls.length === 1 && !records.includes("\u001eL\u001f")
        ? answersIn(heads)
        : 0;
    if (seen > 1) call.retries = seen - 1;
    else if (!isCounted && mayRetry) call.retries = null;
  }
}

/** How often each transfer was tried, in the order of their ends; last those that nobody saw end. Addresses are used again. */
function triesIn(text: string): number[] {
  const open = new Map<string, number>();
  const ended: number[] = [];
  for (const line of text.split("\n")) {
    const handle = line.slice(1);
    const count = open.get(handle);
    if (line.startsWith("N")) open.set(handle, 0);
    else if (count === undefined) continue;
    else if (line.startsWith("T")) open.set(handle, count + 1);
    else open.delete(handle);
    if (line.startsWith("E") && count !== undefined && count > 0) ended.push(count);
  }
  return [...ended, ...[...open.values()].filter((count) => count > 0)];
}

type Json = Record<string, unknown>;

function curlCall(text: string, heads: string): HttpCall | undefined {
  const json = parsed(text);
  if (json === undefined) return undefined;
  const asked = string(json.url);
  const final = string(json.url_effective) || asked;
  if (!isHttp(final, string(json.scheme)) || wasLeftOut(json) || number(json.exitcode) === NO_ADDRESS) return undefined;
  const redirects = number(json.num_redirects);
  const exitCode = number(json.exitcode);
  const error = string(json.errormsg);
  const retries = number(json.num_retries);
  return {
    method: string(json.method) || "GET",
    url: redirects > 0 ? withScheme(asked) : final,
    status: number(json.response_code),
    durationMs: ms(json.time_total),
    headers: headersOf(heads),
    sentBytes: number(json.size_upload),
    receivedBytes: number(json.size_download),
    timings: timingsOf(json),
    ...(retries > 0 ? { retries } : {}),
    ...(redirects > 0 ? { redirects, finalUrl: final } : {}),
    ...(exitCode === 0 ? {} : { exitCode }),
    ...(error === "" ? {} : { error }),
    client: "curl",
  };
}

/** curl could make nothing of the address, and called nobody. */
const NO_ADDRESS = 3;

/** `--skip-existing` reports what it did not call. */
function wasLeftOut(json: Json): boolean {
  return json.scheme === null && number(json.response_code) === 0 && number(json.exitcode) === 0;
}

const LEAN = [
  ...["method", "url", "url_effective", "scheme", "response_code", "num_redirects", "exitcode", "errormsg"],
  ...["size_upload", "size_download", "time_total", "time_namelookup", "time_connect", "time_appconnect"],
  "time_starttransfer",
];

function asJson(record: string): string {
  const [, ...values] = record.split("\u001f");
  const typed = LEAN.map((name, index) => {
    const value = values[index] ?? "";
    return [name, /^(?:method|url|scheme|errormsg)/.test(name) ? value : Number(value.replace(",", "."))];
  });
  return JSON.stringify(Object.fromEntries(typed));
}

/** In the form of `%{header_json}`. */
function lastHeads(heads: string): string {
  const last = heads.split(/^HTTP\/[0-9.]+ [0-9]{3}.*$/m).at(-1) ?? "";
  const headers: Record<string, string[]> = Object.create(null);
  for (const [, name = "", value = ""] of last.matchAll(/^([^:\s]+):[ \t]*(.*?)[ \t]*\r?$/gm)) {
    headers[name.toLowerCase()] ??= [];
    headers[name.toLowerCase()]!.push(value);
  }
  return JSON.stringify(headers);
}

function timingsOf(json: Json): NonNullable<HttpCall["timings"]> {
  const times = {
    dnsMs: ms(json.time_namelookup),
    connectMs: ms(json.time_connect),
    tlsMs: ms(json.time_appconnect),
    firstByteMs: ms(json.time_starttransfer),
  };
  return Object.fromEntries(Object.entries(times).filter(([, time]) => time > 0));
}

function ownCall(text: string): HttpCall | undefined {
  const json = parsed(text) as Partial<HttpCall> | undefined;
  if (json === undefined || typeof json.method !== "string" || typeof json.url !== "string") return undefined;
  const headers = Object.entries(json.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    ...json,
    method: json.method,
    url: json.url,
    status: number(json.status),
    durationMs: number(json.durationMs),
    headers: Object.fromEntries(headers),
  };
}

/** Answers that end a try: neither 1xx, nor a redirect, nor the word of a proxy. */
function answersIn(heads: string): number {
  const lines = heads.match(/^HTTP\/[0-9.]+ [0-9]{3}.*$/gm) ?? [];
  return lines.filter((line) => !/ (?:1[0-9]{2}|30[12378])\b|[Cc]onnection established/.test(line)).length;
}

function headersOf(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(parsed(text) ?? {}))
    headers[name.toLowerCase()] = Array.isArray(values) ? values.map(string).join(", ") : string(values);
  return headers;
}

function within(calls: HttpCall[]): HttpCall[] {
  const half = limits.httpCallsMax / 2;
  return calls.length <= limits.httpCallsMax ? calls : [...calls.slice(0, half), ...calls.slice(-half)];
}

/** S2. `whole`: of the last call all headers are kept, for expressions; of others those that are of interest. */
function clean(call: HttpCall, whole: boolean, mask: (text: string) => string): HttpCall {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.headers)) {
    if (NEVER.test(name) || (!whole && !OF_INTEREST.test(name)) || Object.keys(headers).length >= limits.httpHeadersMax)
      continue;
    const text = HAS_URL.test(name) ? value.replaceAll(/https?:\/\/[^\s>"]+/gi, safeUrl) : value;
    headers[name] = mask(text).slice(0, limits.httpHeaderCharsMax);
  }
  return {
    ...call,
    headers,
    url: mask(safeUrl(call.url)).slice(0, limits.httpUrlCharsMax),
    ...(call.finalUrl === undefined ? {} : { finalUrl: mask(safeUrl(call.finalUrl)).slice(0, limits.httpUrlCharsMax) }),
    ...(call.error === undefined ? {} : { error: mask(call.error).slice(0, limits.httpHeaderCharsMax) }),
  };
}

const NEVER = /^(?:set-cookie2?|authorization|proxy-authorization|authentication-info)$/;
const HAS_URL = /^(?:location|content-location|link|refresh)$/;
const OF_INTEREST =
  /^(?:content-type|content-length|location|link|date|etag|last-modified|retry-after(?:-ms)?|x-rate-?limit.*|ratelimit.*|www-authenticate|x-request-id|request-id|x-correlation-id|traceparent|server)$/;
const SECRET_NAME =
  /^(?:.*[-_.])?(?:api[-_]?key|apikey|key|token|access[-_]?token|refresh[-_]?token|id[-_]?token|auth|authorization|secret|client[-_]?secret|password|passwd|pwd|pass|sig|signature|jwt|session|sessionid|sid|code|credential|x-amz-signature|x-amz-security-token)$/i;

/** Without user and password; values of a query that are called like secrets are `***`. */
export function safeUrl(url: string): string {
  const [, start = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/)?([\s\S]*)$/i.exec(url) ?? [];
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const after = end === -1 ? "" : rest.slice(end);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const query = after.replaceAll(/([?&#;])([^=&#;?]+)=([^&#;]*)/g, (whole, mark, name: string, value) =>
    value !== "" && SECRET_NAME.test(decoded(name)) ? `${mark}${name}=***` : whole,
  );
  return `${start}${host}${query}`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** curl takes a word without a scheme for http. */
function withScheme(asked: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(asked)) return asked;
  return `http://${asked}`;
}

function isHttp(url: string, scheme = ""): boolean {
  const named = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1] ?? scheme;
  return named === "" || /^https?$/i.test(named);
}

function parsed(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

function string(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : String(value);
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** curl tells seconds. */
function ms(value: unknown): number {
  return Math.round(number(value) * 1_000_000) / 1_000;
}
