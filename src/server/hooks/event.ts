// event: a delivery's body as `${event}`: always JSON text (spec 2.5).
//   E1. A JSON body is handed on byte for byte. Fields of a form become an object; anything else becomes one JSON string.

const FORM = /^application\/x-www-form-urlencoded\b/i;

export function eventText(body: Uint8Array, contentType: string | undefined): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (isJson(plain)) return plain;
  if (FORM.test(contentType ?? "")) return JSON.stringify(fieldsOf(plain));
  return JSON.stringify(plain);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of a form or a query. A name that comes several times is a list. */
export function fieldsOf(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    fields[name] = values.length === 1 ? values[0]! : values;
  }
  return fields;
}
