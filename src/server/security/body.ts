// body: the body of a request, bounded, as JSON (spec 4.3 S5, S10).
//   B1. Only application/json is read; nothing of another type is, however small. A route that takes a document takes application/yaml,
//       too, and is given it as `{ text }`: no page of another origin can send that type either.
//   B2. No more than `limits.bodyBytesMax` is held, whatever Content-Length says.
//   B3. Depth is counted before it is parsed. `__proto__`, `constructor` and `prototype` are no keys.

import { limits } from "../../base/limits.ts";
import { Refused } from "../problem.ts";

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** The value; undefined where there is no body. Throws Refused. */
export async function readBody(request: Request, takesDocument = false): Promise<unknown> {
  const { headers, body } = request;
  const length = headers.get("content-length");
  const type = headers.get("content-type");
  const isThere = (length !== null && length !== "0") || headers.has("transfer-encoding");
  // A type without a body is a form's or a page's trick all the same.
  const isDocument = takesDocument && isYaml(type);
  if ((isThere || type !== null) && !isDocument && !isJson(type))
    throw new Refused("not-json", { detail: "Content-Type is another." });
  if (!isThere || body === null) return undefined;
  if (headers.has("content-encoding")) throw new Refused("not-json", { detail: "Content-Encoding is not taken." });
  if (length !== null && Number(length) > limits.bodyBytesMax) throw tooLarge();
  const text = await textOf(body);
  if (isDocument) return { text };
  return text === "" ? undefined : parsed(text);
}

function isJson(type: string | null): boolean {
  return type !== null && /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?$/i.test(type);
}

function isYaml(type: string | null): boolean {
  return type !== null && /^application\/yaml[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?$/i.test(type);
}

function tooLarge(): Refused {
  return new Refused(
    "body-too-large",
    { detail: `At most ${limits.bodyBytesMax} bytes are taken.` },
    { connection: "close" },
  );
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > limits.bodyBytesMax) throw tooLarge();
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new Refused("bad-json", { detail: "The body is not UTF-8." });
  }
}

function parsed(text: string): unknown {
  if (depthOf(text) > limits.bodyDepthMax)
    throw new Refused("json-too-deep", { detail: `At most ${limits.bodyDepthMax} levels are taken.` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused("bad-json", { detail: "The body does not parse." });
  }
  const key = forbiddenKey(value);
  if (key !== undefined) throw new Refused("json-forbidden-key", { detail: `No key may be called "${key}".` });
  return value;
}

/** Brackets outside of strings; a text that is no JSON may give any number. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
    } else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}

/** A key that would reach into what all objects have. */
export function forbiddenKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = forbiddenKey(item);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const found = FORBIDDEN.has(key) ? key : forbiddenKey(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
