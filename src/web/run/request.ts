// request: the phases of an HTTP call, the request in its command, and the place of the response body. Pure.
//   Q1. Values of headers and options that are named like credentials are hidden, even if the command contains them.
//   Q2. Nothing is guessed. Words say what the page does not know.

import type { HttpCall } from "../../base/http-call.ts";
import type { AttemptView, NodeView } from "../../scheduler/view.ts";
import { referencesOf } from "../../shell/template.ts";
import type { Readout, RequestReadout } from "../inspector/readout.ts";
import { size } from "../ui/words.ts";
import { filledText, stdinOf } from "./given.ts";
import type { RunModel } from "./run-model.ts";

export interface Phase {
  name: string;
  ms: number;
}

/** The parts of the total time, in order. Phases that were not reached are left out. */
export function phasesOf({ timings = {}, durationMs }: Pick<HttpCall, "timings" | "durationMs">): Phase[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings;
  const ends = { DNS: dnsMs, Connect: connectMs, TLS: tlsMs, Wait: firstByteMs, Download: durationMs };
  let from = 0;
  return Object.entries(ends).flatMap(([name, end]) => {
    if (end === undefined || end < from || end === 0) return [];
    const ms = end - from;
    from = end;
    return [{ name, ms }];
  });
}

/** The request in the command that made this call; undefined if that is not certain. */
export function requestOf({ requests }: Readout, calls: readonly HttpCall[], at: number): RequestReadout | undefined {
  if (requests.length === 1) return requests[0];
  return requests.length === calls.length && requests[at]?.method === calls[at]?.method ? requests[at] : undefined;
}

export interface Sent {
  headers: [name: string, value: string][];
  /** The texts of the body, each with its option. */
  body: { option: string; text?: string; unknown?: string }[];
}

/** Values that the page knows are filled in. Others stay references. */
export function sentOf(model: RunModel, node: NodeView, attempt: AttemptView, request: RequestReadout): Sent {
  const fill = (text: string) => filledText(model, node, text, { exact: true });
  const isJson = request.body.some(({ option }) => option === "--json");
  const headers = request.headers.map(({ name, value }): [string, string] => [
    name,
    masked(name, value) ?? fill(value),
  ]);
  if (request.signsIn) headers.push(["Authorization", "•••"]);
  const has = (name: string) => headers.some(([given]) => given.toLowerCase() === name);
  if (isJson && !has("content-type")) headers.push(["Content-Type", "application/json"]);
  if (isJson && !has("accept")) headers.push(["Accept", "application/json"]);
  const body = request.body.map(({ option, text }) => {
    const source = text.startsWith("@") ? text.slice(1) : option === "--upload-file" ? text : undefined;
    if (source === "-") return { option, ...stdinText(model, node, attempt) };
    if (source !== undefined) return { option, unknown: `The file ${fill(source)}. Curlew does not record files.` };
    if (/\$\(…\)|\$[A-Za-z_]/.test(text)) return { option, unknown: `Only the shell knew all of it: ${fill(text)}` };
    return { option, text: fill(text) };
  });
  return { headers, body };
}

function stdinText(model: RunModel, node: NodeView, attempt: AttemptView): { text?: string; unknown?: string } {
  const isLast = attempt === node.attempts.at(-1);
  const text = isLast ? stdinOf(model, node) : undefined;
  if (text !== undefined) return { text };
  const bytes = attempt.stdin?.bytes;
  return {
    unknown: `Standard input${bytes === undefined ? "" : `, ${size(bytes)}`}. It is too large to show here, or not one value.`,
  };
}

const CREDENTIAL = /auth|cookie|token|secret|password|passwd|signature|credential|session|(?:^|[-_])(?:api[-_]?)?key$/i;

const SCHEME = /^(?:Basic|Bearer|Digest|Negotiate|Token|ApiKey|AWS4-HMAC-SHA256)(?=\s)/i;

/** Q1: the value with everything hidden but references and the scheme. Undefined for other headers. */
export function masked(name: string, value: string): string | undefined {
  if (!CREDENTIAL.test(name)) return undefined;
  const references = referencesOf(value).map(({ start, end }) => value.slice(start, end));
  const scheme = SCHEME.exec(value)?.[0];
  const hasMore =
    references
      .reduce((rest, one) => rest.replace(one, ""), value)
      .replace(scheme ?? "", "")
      .trim() !== "";
  return [scheme, ...references, hasMore ? "•••" : undefined].filter((part) => part !== undefined).join(" ");
}

/** Whether stdout is the body of the only response. Otherwise why the body is not known. */
export function bodyAt({ http, stdout }: AttemptView, at: number): "stdout" | { unknown: string } {
  const received = http[at]?.receivedBytes;
  if (received === undefined || received === 0) return { unknown: "No body, or its size is not recorded." };
  if (stdout?.secret) return { unknown: "The output is a secret, so Curlew does not keep it." };
  if (http.length === 1 && stdout?.bytes === received) return "stdout";
  const why = http.length > 1 ? "the command made several calls" : "the command passed it on or changed it";
  return {
    unknown: `${size(received)}. Curlew does not record it separately, because ${why}. Output has what was printed.`,
  };
}
