// Selects the headers and query of a delivery to keep: bounded, and without credentials (spec 2.5, 4.3).
//   H1. The values of tokens, cookies, and signatures are replaced, in headers and in the
//       query. Workflows never receive them.
//   H2. The hook's own secret is masked before anything is cut, because part of a secret would not be recognised.

import type { IncomingHttpHeaders } from "node:http";
import { limits } from "../../base/limits.ts";
import type { Masker } from "../../secrets/masker.ts";
import type { DeliveryContent, DeliveryRow } from "../../store/index.ts";
import { fieldsOf } from "./event.ts";

const COVERED = "•••";
const SECRET =
  /authorization|cookie|token|secret|signature|hmac|passw|api[-_]?key|access[-_]?key|credential|session|^auth$|^sig$|^key$/i;

export function keptHeaders(headers: IncomingHttpHeaders, { mask }: Masker): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers).slice(0, limits.deliveryHeadersMax)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    kept[name] = SECRET.test(name) ? COVERED : cut(mask(text));
  }
  return kept;
}

/** The query of the requested URL. */
export function keptQuery(url: string, { mask }: Masker): Record<string, string | string[]> {
  const kept = (text: string): string => cut(mask(text));
  const at = url.indexOf("?");
  const all = at < 0 ? [] : Object.entries(fieldsOf(url.slice(at + 1))).slice(0, limits.deliveryHeadersMax);
  return Object.fromEntries(
    all.map(([name, value]) => {
      if (SECRET.test(name)) return [kept(name), COVERED];
      return [kept(name), Array.isArray(value) ? value.slice(0, limits.deliveryHeadersMax).map(kept) : kept(value)];
    }),
  );
}

/** `${delivery}`: how the webhook arrived, as JSON text. */
export function deliveryText(
  { hook, senderId, receivedAt }: DeliveryRow,
  { headers = {}, query = {} }: Partial<DeliveryContent>,
): string {
  const open = <Of>(all: Record<string, Of>) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== COVERED));
  const id = senderId === undefined ? {} : { id: senderId };
  return JSON.stringify({ hook, ...id, receivedAt, headers: open(headers), query: open(query) });
}

function cut(text: string): string {
  return text.slice(0, limits.deliveryHeaderCharsMax);
}
