// Builds paths and queries of the API for clients (spec 2.4). Pure.

import { API_PREFIX, type ParamsOf, type RouteKey } from "./routes.ts";

export type QueryValues = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Joins parts of a path, each encoded as one URL segment: `at("workflows", path, "runs")`. */
export function at(...parts: (string | number)[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

/** Includes the question mark. Empty if there are no values. A list becomes repeated parameters. */
export function queryText(query: QueryValues | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of typeof value === "object" ? value : [value]) pairs.append(name, String(one));
  }
  return pairs.size === 0 ? "" : `?${pairs}`;
}

/** Fills in the `{name}`s of the route's path. */
export function pathOf<Key extends RouteKey>(
  route: Key,
  params: Readonly<Record<ParamsOf<Key>, string | number>>,
): string {
  const [, path = ""] = route.split(" ");
  const values = params as Readonly<Record<string, string | number>>;
  return API_PREFIX + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
