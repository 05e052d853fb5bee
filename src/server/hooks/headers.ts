// headers: what is kept of a delivery's headers: names in lower case, bounded, without what lets others in.

import type { IncomingHttpHeaders } from "node:http";
import { limits } from "../../base/limits.ts";

const SECRET = /^(?:authorization|proxy-authorization|cookie|x-webhook-token|x-gitlab-token|x-api-key)$/;

export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers).slice(0, limits.deliveryHeadersMax)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    kept[name] = SECRET.test(name) ? "•••" : text.slice(0, limits.deliveryHeaderCharsMax);
  }
  return kept;
}
