// pages: finds the next page of a response (spec 3.6 `--paginate`). Pure.
//   P1. A repeated page ends the call with 111: the same URL, cursor or bytes, or for counted pages the same items.
//   P2. A page without the data needed to find the next one ends the call with 112.
//   P3. `cursor`: null, "", false or a missing field is the end. A string or integer is the next cursor.
//   P4. The next page must be on the same host and port.
//   P5. A 404 is the end if the page was counted (page, offset). A page that the server named must exist.

import { createHash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import type { HttpOptions } from "./options.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

const HOWS = ["link", "page", "cursor", "offset"] as const;

interface StopRule {
  path: readonly string[];
  value?: string;
}

export interface PageRules {
  how: (typeof HOWS)[number];
  /** Path of the items; undefined: they are detected. */
  items?: readonly string[];
  cursor?: readonly string[];
  /** The parameter that requests a page. */
  param?: string;
  stop: readonly StopRule[];
  most?: number;
}

export interface Page {
  url: URL;
  number: number;
  bytes: Buffer;
  link: string;
  value: unknown;
  items: readonly unknown[] | undefined;
}

/** `cursor` goes into a body instead of the URL (GraphQL). */
export interface Next {
  url: URL;
  cursor?: string | number;
}

export function pageRules({ paginate, items, cursor, pageParam, stop, maxPages }: HttpOptions): PageRules {
  const how = HOWS.find((one) => one === paginate);
  if (how === undefined)
    throw usage("bad-paginate", `There is no pagination "${paginate}".`, `It is one of ${HOWS.join(", ")}.`);
  if (maxPages === 0) throw usage("invalid-value", '"0" is not an integer from 1.', "--max-pages 10");
  return {
    how,
    items: items === undefined ? undefined : pathOf(items),
    cursor: cursor === undefined ? undefined : pathOf(cursor),
    param: pageParam,
    stop: (stop ?? []).map(stopRule),
    most: maxPages,
  };
}

/** `data.items`, `.data.items`, or `.` for the whole document. */
function pathOf(text: string): string[] {
  return text.split(".").filter((part) => part !== "");
}

function stopRule(text: string): StopRule {
  if (text === "empty") return { path: [] };
  const [, path = "", value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (path !== "") return { path: pathOf(path), value };
  throw usage("bad-stop", `"--stop ${text}" is not a rule.`, "--stop empty, --stop last or --stop has_more=false");
}

function stops({ path, value: wanted }: StopRule, { value, items }: Page): boolean {
  if (path.length === 0) return items?.length === 0;
  const found = at(value, path);
  if (wanted === undefined) return Boolean(found);
  return found !== undefined && (typeof found === "object" ? JSON.stringify(found) : String(found)) === wanted;
}

export function createPager(rules: PageRules) {
  const visited = new Set<string>();
  const seen = new Map<string, number>();
  const counts = rules.how === "page" || rules.how === "offset";

  /** Checks a page before it is printed. */
  const check = ({ url, number, bytes, items }: Page): void => {
    visited.add(url.href);
    if (bytes.length === 0 || items?.length === 0) return;
    const content = counts && items !== undefined ? JSON.stringify(items) : bytes;
    const hash = createHash("sha256").update(content).digest("base64");
    const before = seen.get(hash);
    if (before !== undefined) throw repeated(`Page ${number} is the same as page ${before}.`);
    seen.set(hash, number);
  };

  /** The next page, or undefined after the last. */
  const next = (page: Page): Next | undefined => {
    if (rules.stop.some((rule) => stops(rule, page))) return undefined;
    const found = nextOf(rules, page);
    if (found === undefined) return undefined;
    const key = found.cursor === undefined ? found.url.href : `cursor ${found.cursor}`;
    if (visited.has(key)) throw repeated(`Page ${page.number} leads back to a page that came before.`);
    visited.add(key);
    if (rules.most !== undefined || page.number < limits.httpPagesMax) return found;
    const message = `There are more than ${limits.httpPagesMax} pages.`;
    const help = "--max-pages N allows more; --stop says when to end.";
    throw new HttpProblem(HttpExit.PAGES_MAX, "too-many-pages", message, help);
  };
  const isPastLast = (status: number, number: number): boolean => status === 404 && number > 1 && counts;
  return { check, next, isPastLast };
}

function repeated(what: string): HttpProblem {
  const help = "Check --page-param, or say when to stop: --stop has_more=false, --max-pages N.";
  return new HttpProblem(HttpExit.SAME_PAGE, "same-page", what, help);
}

function nextOf(rules: PageRules, page: Page): Next | undefined {
  const { how, param } = rules;
  const { url, items, number } = page;
  if (how === "link") return byLink(page);
  if (how === "cursor") return byCursor(rules, page);
  if (items?.length === 0) return undefined;
  if (how === "page") return counted(url, param ?? "page", 1, 1);
  if (items !== undefined) return counted(url, param ?? "offset", 0, items.length);
  throw brokenPage(number, "its items are not found, so the next offset is not known", "Use --items data.items.");
}

function counted(url: URL, param: string, first: number, step: number): Next {
  const text = url.searchParams.get(param) || String(first);
  if (!/^\d{1,15}$/.test(text)) throw usage("bad-url", `The parameter ${param} of the URL is not a number.`);
  return { url: withParam(url, param, Number(text) + step) };
}

/** All other bytes of the query stay unchanged. */
function withParam(url: URL, param: string, value: string | number): URL {
  const to = new URL(url);
  const parts = to.search.slice(1).split("&").filter(Boolean);
  const index = parts.findIndex((part) => new URLSearchParams(part).has(param));
  parts.splice(index < 0 ? parts.length : index, 1, `${encodeURIComponent(param)}=${encodeURIComponent(value)}`);
  to.search = parts.join("&");
  return to;
}

function byLink({ url, link, number }: Page): Next | undefined {
  const links = linksIn(link);
  if (links === undefined) throw brokenPage(number, "its Link header cannot be read", "curl -i shows it.");
  const to = links.find(({ rels }) => rels.includes("next"))?.to;
  return to === undefined ? undefined : { url: onSameHost(to, url, number) };
}

const LINK = /\s*<([^<>]*)>((?:[^,"]|"(?:\\.|[^"\\])*")*)(?:,|$)/y;
/** Some servers use single quotes ('next'). */
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s",;]+))/g;

/** RFC 8288: `<…>; rel="next", <…>; rel=last`. Undefined if it is not valid. */
export function linksIn(header: string): { to: string; rels: string[] }[] | undefined {
  const found: { to: string; rels: string[] }[] = [];
  for (LINK.lastIndex = 0; LINK.lastIndex < header.length; ) {
    const [, to, parameters = ""] = LINK.exec(header) ?? [];
    if (to === undefined) return undefined;
    const rel = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === "rel") ?? [];
    found.push({ to, rels: (rel[2] ?? rel[3] ?? rel[4] ?? "").toLowerCase().split(/\s+/) });
  }
  return found;
}

function onSameHost(to: string, from: URL, number: number): URL {
  const url = URL.parse(to, from.href);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw brokenPage(number, "the URL of its next page is not an http URL", "curl -i shows it.");
  // An API behind a proxy often gives its own URL with http.
  if (url.hostname === from.hostname && from.protocol === "https:") url.protocol = "https:";
  if (url.origin !== from.origin)
    throw brokenPage(
      number,
      `it leads to another host, ${url.host}`,
      "Call that host yourself, if it is the right one.",
    );
  url.hash = "";
  return url;
}

/** Paths of the next cursor, and the parameter that takes it if it is not `cursor`. */
const CURSORS: readonly (readonly [path: readonly string[], param?: string])[] = [
  [["next_cursor"]],
  [["nextCursor"]],
  [["next_page_token"]],
  [["nextPageToken"], "pageToken"],
  [["next"]],
  [["paging", "next", "after"], "after"],
  [["pagination", "next_cursor"]],
  [["meta", "next_cursor"]],
  [["response_metadata", "next_cursor"]],
  [["links", "next"]],
  [["@odata.nextLink"]],
];
const MORE = ["has_more", "hasMore", "has_next", "hasNext", "has_next_page"];

function byCursor({ cursor, param }: PageRules, { url, number, value }: Page): Next | undefined {
  if (typeof value !== "object" || value === null)
    throw brokenPage(number, "it is not a JSON object, so it names no cursor", "Try --paginate link, page or offset.");
  const [path, usualParam] =
    cursor === undefined ? (CURSORS.find(([one]) => at(value, one) !== undefined) ?? []) : [cursor];
  const sibling = path && at(value, [...path.slice(0, -1), "hasNextPage"]);
  if (sibling === false || MORE.some((name) => at(value, [name]) === false)) return undefined;
  if (path === undefined && number > 1) return undefined;
  if (path === undefined)
    throw brokenPage(number, "it names no cursor that is known", "Say where it is: --cursor data.next.");
  const found = withoutLoss(at(value, path));
  if (found === undefined || found === null || found === "" || found === false) return undefined;
  if (typeof found === "string" && /^(?:https?:\/\/|\/|\?)/i.test(found))
    return { url: onSameHost(found, url, number) };
  if (typeof found !== "string" && !Number.isSafeInteger(found))
    throw brokenPage(number, "its cursor is not a string or an integer", "Say where the cursor is: --cursor PATH.");
  const next = found as string | number;
  return { url: withParam(url, param ?? usualParam ?? "cursor", next), cursor: next };
}

/** Integers that JavaScript can't represent keep their text (paged.ts). */
function withoutLoss(value: unknown): unknown {
  const raw = typeof value === "object" && value !== null && "rawJSON" in value ? String(value.rawJSON) : "";
  return /^-?\d+$/.test(raw) ? raw : value;
}

export function brokenPage(number: number, what: string, help: string): HttpProblem {
  return new HttpProblem(HttpExit.PAGE_BROKEN, "page-broken", `Page ${number} cannot be continued: ${what}.`, help);
}

const ITEMS = ["items", "data", "results", "records", "values", "entries", "rows", "nodes"];

/** The list of items on a page; undefined without exactly one candidate. */
export function itemsOf(value: unknown, path: readonly string[] | undefined): readonly unknown[] | undefined {
  const whole = path === undefined ? value : at(value, path);
  if (Array.isArray(whole)) return whole;
  if (whole === null) return [];
  if (path !== undefined || typeof whole !== "object") return undefined;
  const named = ITEMS.map((name) => at(whole, [name]));
  const found = named.find(Array.isArray);
  if (found !== undefined) return found;
  const lists = Object.values(whole).filter(Array.isArray);
  if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
  return named.includes(null) ? [] : undefined;
}

export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}
