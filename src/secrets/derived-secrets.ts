// Decides what is masked when a value is marked as secret.
//   P1. Plain text is one secret. In JSON each string is a secret, because programs print a token and
//       not the response that contained it.
//   P2. Members for a type, an expiry, or an error are not secrets: masking `Bearer` everywhere would help no one.
// Numbers, true, false, and null in JSON are not masked, because they look like any others.

import { parseJson } from "../base/tolerant.ts";
import { textsOf } from "./encodings.ts";

const TOLD =
  /^(?:(?:[a-z_]*_)?type|scopes?|expir\w*|not_(?:before|after)|issued_at|created_at|updated_at|alg|kty|error|error_\w+|message|detail|title|status)$/i;

/** The secrets in a value. Empty if it is too short to be one. */
export function secretParts(value: string): string[] {
  const strings: string[] = [];
  const open: unknown[] = [/^\s*[[{"]/.test(value) ? (parseJson(value) ?? value) : value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === "string") strings.push(part);
    else if (Array.isArray(part)) for (const element of part) open.push(element);
    else if (typeof part === "object" && part !== null)
      for (const [name, member] of Object.entries(part)) if (!TOLD.test(name)) open.push(member);
  }
  const parts = [...new Set(strings)].filter(isLongEnough);
  return parts.length > 0 ? parts : [value].filter(isLongEnough);
}

function isLongEnough(text: string): boolean {
  return textsOf(text).length > 0;
}
