// headers: what is kept of how a delivery came, its headers and query: bounded, and without what lets others in (spec 2.5, 4.3).
//   H1. Tokens, cookies and signatures are covered, in headers and in the query. A workflow is not even given their names' values.
//   H2. The hook's own secret is masked before anything is cut: half of it would not be known for it.

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

/** Of the address that was called. */
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

/** `${delivery}`: how a webhook came, as JSON text. */
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
