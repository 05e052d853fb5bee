// Turns the body of a delivery into `${event}`, which is always JSON text (spec 2.5).
//   E1. A JSON body is passed on unchanged. Form fields become an object, and any other body becomes a JSON string.

import { parseJson } from "../../base/tolerant.ts";

const FORM = /^application\/x-www-form-urlencoded\b/i;

export function eventText(body: Uint8Array, contentType: string | undefined): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (parseJson(plain) !== undefined) return plain;
  if (FORM.test(contentType ?? "")) return JSON.stringify(fieldsOf(plain));
  return JSON.stringify(plain);
}

/** The fields of a form or query. A name that occurs several times becomes a list. */
export function fieldsOf(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    fields[name] = values.length === 1 ? values[0]! : values;
  }
  return fields;
}
