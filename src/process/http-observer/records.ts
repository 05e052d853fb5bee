// records: reads the reports of a command's HTTP clients about their calls (spec 3.6).
//   R1. CURLEW_HTTP is a path prefix. A client process appends records to `${CURLEW_HTTP}.PID`.
//   R2. A record is RS KIND US … RS, with RS 0x1e and US 0x1f:
//   `B US method US url US kind`: A call has started. It counts if the client has no other record, and, with a kind, if
//   `${CURLEW_HTTP}.PID.KIND` shows that the call was really made.
//   `C US json US headers`: A call of curl, as `%{json}` and `%{header_json}` of its write-out.
//   `H US json`: A call of `curlew http`, as an HttpCall in JSON (src/base/http-call.ts).
//   `W US where`: The call went without the credentials of the node, because they are not for that host.
//   `A US reason`: The calls of this client are not recorded.
//   R3. The files contain the original URLs, so they are removed before the attempt's end is reported.
//   R4. A recorded call has no user or password, no secret in its query, and no cookie, and has passed the masker.
//   R5. Unreadable records are skipped and never fail an attempt.

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { HttpCall } from "../../base/http-call.ts";
import { limits } from "../../base/limits.ts";
import { parseJsonObject, percentDecoded } from "../../base/tolerant.ts";
import { removeArtifact } from "../runner/artifacts.ts";

export interface Taken {
  calls: HttpCall[];
  /** Why other calls are not recorded. */
  unrecorded: string[];
  /** Where calls went without the credentials of the node. */
  withheld: string[];
}

/**
 * The calls of an attempt in the order in which they ended. Beyond `limits.httpCallsMax` the middle is left out.
 * Removes the files.
 */
export function takeCalls(prefix: string, mask: (text: string) => string): Taken {
  const files = filesOf(prefix);
  const clients = clientsOf(prefix, files);
  const calls = within(clients.flatMap(callsOf)).map((call, index, all) => clean(call, index === all.length - 1, mask));
  const textsOf = (wanted: string): string[] => {
    const texts = clients.flatMap(({ records }) =>
      recordsIn(records).flatMap(([kind, text = ""]) => (kind === wanted ? text : [])),
    );
    return [...new Set(texts.map((text) => mask(text).slice(0, limits.httpHeaderCharsMax)))];
  };
  const [unrecorded, withheld] = [textsOf("A"), textsOf("W")];
  for (const path of files) removeArtifact(path);
  return { calls, unrecorded, withheld };
}

function filesOf(prefix: string): string[] {
  const folder = dirname(prefix);
  const start = `${basename(prefix)}.`;
  try {
    return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [join(folder, name)] : []));
  } catch {
    return [];
  }
}

interface Client {
  /** Time of its last write, in nanoseconds. */
  at: bigint;
  records: string;
  /** Its other files, by the last part of their names. */
  kinds: Set<string>;
}

/** One client process has written `PREFIX.PID`, and perhaps `PREFIX.PID.KIND`. */
function clientsOf(prefix: string, files: readonly string[]): Client[] {
  const clients = new Map<string, Client>();
  for (const path of files) {
    const [id = "", kind = ""] = path.slice(prefix.length + 1).split(".");
    const client = clients.get(id) ?? { at: 0n, records: "", kinds: new Set() };
    clients.set(id, client);
    client.kinds.add(kind);
    const read = kind === "" ? recordText(path) : undefined;
    if (read !== undefined) Object.assign(client, { at: read.at, records: read.text });
  }
  return [...clients.values()].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function recordText(path: string): { at: bigint; text: string } | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    if (!stat.isFile() || stat.size > BigInt(limits.httpReportBytesMax)) return undefined;
    return { at: stat.mtimeNs, text: readFileSync(path, "utf8") };
  } catch {
    return undefined;
  }
}

function recordsIn(text: string): string[][] {
  return text.split("\u001e").map((record) => record.split("\u001f"));
}

function callsOf({ records, kinds }: Client): HttpCall[] {
  const calls: HttpCall[] = [];
  let reports = 0;
  let begun: HttpCall | undefined;
  for (const [kind = "", first = "", second = "", third = ""] of recordsIn(records)) {
    const call = kind === "C" ? curlCall(first, second) : kind === "H" ? ownCall(first) : undefined;
    if (kind === "C" || kind === "H") reports += 1;
    if (call !== undefined) calls.push(call);
    if (kind === "B" && (third === "" || kinds.has(third)))
      begun ??= { method: first, url: second, status: 0, durationMs: 0, headers: {}, client: "curl" };
  }
  if (reports === 0 && begun !== undefined && begun.url !== "" && isHttp(begun.url))
    return [{ ...begun, url: withScheme(begun.url), error: "It ended before the response was complete." }];
  const [only] = calls;
  // curl reports the method after a redirect.
  if (reports === 1 && only?.redirects !== undefined && begun !== undefined && begun.method !== "GET")
    only.method = begun.method;
  return calls;
}

type Json = Record<string, unknown>;

function curlCall(text: string, heads: string): HttpCall | undefined {
  const json = parseJsonObject(text);
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
    retries: retries || undefined,
    redirects: redirects || undefined,
    finalUrl: redirects > 0 ? final : undefined,
    exitCode: exitCode || undefined,
    error: error || undefined,
    client: "curl",
  };
}

/** curl's exit code for an invalid URL: no call was made. */
const NO_ADDRESS = 3;

/** With `--skip-existing` curl reports a call that it did not make. */
function wasLeftOut(json: Json): boolean {
  return json.scheme === null && number(json.response_code) === 0 && number(json.exitcode) === 0;
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
  const json = parseJsonObject(text) as Partial<HttpCall> | undefined;
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

function headersOf(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(parseJsonObject(text) ?? {}))
    headers[name.toLowerCase()] = Array.isArray(values) ? values.map(string).join(", ") : string(values);
  return headers;
}

function within(calls: HttpCall[]): HttpCall[] {
  const half = limits.httpCallsMax / 2;
  return calls.length <= limits.httpCallsMax ? calls : [...calls.slice(0, half), ...calls.slice(-half)];
}

/** `whole`: all headers of the last call are kept, for expressions. For other calls only those of interest. */
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
    finalUrl: call.finalUrl && mask(safeUrl(call.finalUrl)).slice(0, limits.httpUrlCharsMax),
    error: call.error && mask(call.error).slice(0, limits.httpHeaderCharsMax),
  };
}

const NEVER = /^(?:set-cookie2?|authorization|proxy-authorization|authentication-info)$/;
const HAS_URL = /^(?:location|content-location|link|refresh)$/;
const OF_INTEREST =
  /^(?:content-type|content-length|location|link|date|etag|last-modified|retry-after(?:-ms)?|x-rate-?limit.*|ratelimit.*|www-authenticate|x-request-id|request-id|x-correlation-id|traceparent|server)$/;
const SECRET_NAME =
  /^(?:.*[-_.])?(?:api[-_]?key|apikey|key|token|access[-_]?token|refresh[-_]?token|id[-_]?token|auth|authorization|secret|client[-_]?secret|password|passwd|pwd|pass|sig|signature|jwt|session|sessionid|sid|code|credential|x-amz-signature|x-amz-security-token)$/i;

/** The URL without user and password. Query values whose names look like secrets are `***`. */
function safeUrl(url: string): string {
  const [, start = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/)?([\s\S]*)$/i.exec(url) ?? [];
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const after = end === -1 ? "" : rest.slice(end);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const query = after.replaceAll(/([?&#;])([^=&#;?]+)=([^&#;]*)/g, (whole, mark, name: string, value) =>
    value !== "" && SECRET_NAME.test(percentDecoded(name)) ? `${mark}${name}=***` : whole,
  );
  return `${start}${host}${query}`;
}

/** curl assumes http if the URL has no scheme. */
function withScheme(asked: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(asked)) return asked;
  return `http://${asked}`;
}

function isHttp(url: string, scheme = ""): boolean {
  const named = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1] ?? scheme;
  return named === "" || /^https?$/i.test(named);
}

function string(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : String(value);
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Converts curl's seconds. */
function ms(value: unknown): number {
  return Math.round(number(value) * 1_000_000) / 1_000;
}
