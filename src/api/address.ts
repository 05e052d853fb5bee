// address: paths and queries of the API, written by whoever asks (spec 2.4). Pure.

import { API_PREFIX, type ParamsOf, type RouteKey } from "./routes.ts";

export type QueryValues = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Parts of a path, each one URL-encoded segment: `at("workflows", path, "runs")`. */
export function at(...parts: (string | number)[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

/** With its question mark; empty without values. A list is repeated. */
export function queryText(query: QueryValues | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of typeof value === "object" ? value : [value]) pairs.append(name, String(one));
  }
  return pairs.size === 0 ? "" : `?${pairs}`;
}

/** `{name}`s of the route's path, filled in. */
export function pathOf<Key extends RouteKey>(
  route: Key,
  params: Readonly<Record<ParamsOf<Key>, string | number>>,
): string {
  const [, path = ""] = route.split(" ");
  const values = params as Readonly<Record<string, string | number>>;
  return API_PREFIX + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
