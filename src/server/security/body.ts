// Reads the body of a request as JSON, bounded (spec 4.3 S5, S10).
//   B1. Only application/json is accepted. Routes for documents also accept application/yaml and receive `{ text }`. A
//       page of another origin cannot send either type without a preflight.
//   B2. No more than `limits.bodyBytesMax` is kept, whatever Content-Length says.
//   B3. The nesting depth is checked before parsing. The keys `__proto__`, `constructor`, and `prototype` are rejected.

import { limits } from "../../base/limits.ts";
import { Refused } from "../problem.ts";

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** The value, or undefined if there is no body. Throws Refused. */
export async function readBody(request: Request, takesDocument = false): Promise<unknown> {
  const { headers, body } = request;
  const length = headers.get("content-length");
  const type = headers.get("content-type");
  const isThere = (length !== null && length !== "0") || headers.has("transfer-encoding");
  // Check the type even without a body: forms and foreign pages send other types.
  const isDocument = takesDocument && isYaml(type);
  if ((isThere || type !== null) && !isDocument && !isJson(type))
    throw new Refused("not-json", { detail: "Content-Type is another." });
  if (!isThere || body === null) return undefined;
  if (headers.has("content-encoding")) throw new Refused("not-json", { detail: "Content-Encoding is not supported." });
  if (length !== null && Number(length) > limits.bodyBytesMax) throw tooLarge();
  const text = await bodyText(body);
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
    { detail: `The limit is ${limits.bodyBytesMax} bytes.` },
    { connection: "close" },
  );
}

async function bodyText(body: ReadableStream<Uint8Array>): Promise<string> {
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
    throw new Refused("json-too-deep", { detail: `The limit is ${limits.bodyDepthMax} levels.` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused("bad-json", { detail: "The body is not valid JSON." });
  }
  const key = forbiddenKey(value);
  if (key !== undefined) throw new Refused("json-forbidden-key", { detail: `The key "${key}" is not allowed.` });
  return value;
}

/** Counts brackets outside of strings. The result is meaningless for invalid JSON. */
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

/** The first key that could change what all objects inherit. */
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
