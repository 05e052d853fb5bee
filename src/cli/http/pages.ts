// pages: from one page of an answer to the next (spec 3.6 `--paginate`). Pure: no network here.
//   P1. A page that came before ends it with 111: the same address, the same bytes with something in them, and where pages are only counted
//       (page, offset) the same items, whatever stands around them.
//   P2. What a page must say to find the next, and says in a way that cannot be read, ends it with 112. What it need not say ends it well.
//   P3. `cursor`: null, "", false and no field are the end; a text or a whole number is the next; anything else is wrong.
//   P4. The next page is on the same host.
//   P5. What was only counted (page, offset) may be beyond the last: a second or later page that is not there (404) is the end. One that
//       the server named, and the first, must be there. A page with nothing in it (204, no body, null) has no items.

import { createHash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export interface PageRules {
  how: "link" | "page" | "cursor" | "offset";
  /** Where items are; undefined: found by themselves. */
  items: readonly string[] | undefined;
  cursor: readonly string[] | undefined;
  param: string;
  isParamGiven: boolean;
  stop: readonly StopRule[];
  /** Set by a person: then it is no error. */
  most: number | undefined;
}

type StopRule = { path: readonly string[]; value: string | undefined };

export interface Page {
  url: URL;
  number: number;
  bytes: Buffer;
  link: string | undefined;
}

/** `cursor`: for a body instead of the URL (GraphQL). */
export type Next = { url: URL; cursor?: string | number };

const HOWS = ["link", "page", "cursor", "offset"] as const;
const EMPTY: StopRule = { path: [], value: "empty" };

/** Exit code 2 for what cannot be meant. */
export function pageRules(given: {
  paginate: string;
  items?: string;
  cursor?: string;
  pageParam?: string;
  stop?: readonly string[];
  maxPages?: string;
}): PageRules {
  const how = HOWS.find((one) => one === given.paginate);
  if (how === undefined)
    throw usage("bad-paginate", `There is no pagination "${given.paginate}".`, `It is one of ${HOWS.join(", ")}.`);
  if (given.maxPages !== undefined && !/^[1-9]\d{0,8}$/.test(given.maxPages))
    throw usage("invalid-value", `"${given.maxPages}" is not a whole number from 1.`, "--max-pages 10");
  return {
    how,
    items: given.items === undefined ? undefined : pathOf(given.items),
    cursor: given.cursor === undefined ? undefined : pathOf(given.cursor),
    param: given.pageParam ?? { link: "", page: "page", cursor: "cursor", offset: "offset" }[how],
    isParamGiven: given.pageParam !== undefined,
    stop: (given.stop ?? []).map(stopRule),
    most: given.maxPages === undefined ? undefined : Number(given.maxPages),
  };
}

/** `data.items`, `.data.items`, `.` for the whole. */
export function pathOf(text: string): string[] {
  return text.split(".").filter((part) => part !== "");
}

function stopRule(text: string): StopRule {
  if (text === "empty") return EMPTY;
  const at = text.indexOf("=");
  if (text === "" || at === 0)
    throw usage("bad-stop", `"--stop ${text}" is no rule.`, "--stop empty, --stop last or --stop has_more=false");
  return at < 0
    ? { path: pathOf(text), value: undefined }
    : { path: pathOf(text.slice(0, at)), value: text.slice(at + 1) };
}

export function createPager(rules: PageRules) {
  const addresses = new Set<string>();
  const cursors = new Set<string>();
  const seen = new Map<string, number>();
  const counts = rules.how === "page" || rules.how === "offset";

  /** Looks at a page before it is printed: P1. */
  const check = (page: Page, items: readonly unknown[] | undefined): void => {
    addresses.add(page.url.href);
    const empty = items !== undefined ? items.length === 0 : page.bytes.length === 0;
    if (empty) return;
    const content = counts && items !== undefined ? JSON.stringify(items) : page.bytes;
    const digest = createHash("sha256").update(content).digest("base64");
    const before = seen.get(digest);
    if (before !== undefined)
      throw new HttpProblem(
        HttpExit.SAME_PAGE,
        "same-page",
        `Page ${page.number} is the same as page ${before}: the server does not go on.`,
        "Check --page-param, or say when to stop: --stop has_more=false, --max-pages N.",
      );
    seen.set(digest, page.number);
  };

  /** The next page; undefined: this was the last. */
  const next = (page: Page, value: unknown, items: readonly unknown[] | undefined): Next | undefined => {
    if (rules.stop.some((rule) => stops(rule, value, items))) return undefined;
    const found = nextOf(rules, page, value, items);
    if (found === undefined) return undefined;
    if (found.cursor !== undefined) {
      if (cursors.has(String(found.cursor))) throw again(page.number);
      cursors.add(String(found.cursor));
    } else if (addresses.has(found.url.href)) throw again(page.number);
    if (rules.most !== undefined || page.number < limits.httpPagesMax) return found;
    throw new HttpProblem(
      HttpExit.PAGES_MAX,
      "too-many-pages",
      `There are more than ${limits.httpPagesMax} pages.`,
      "--max-pages N allows more; --stop says when to end.",
    );
  };
  /** P5. */
  const isPastLast = (status: number, number: number): boolean => status === 404 && number > 1 && counts;
  /** What the page does not have, where a person said that a cursor is. */
  const lacks = (value: unknown): string | undefined =>
    rules.cursor === undefined || at(value, rules.cursor) !== undefined ? undefined : rules.cursor.join(".");
  return { check, next, isPastLast, lacks };
}

function again(number: number): HttpProblem {
  return new HttpProblem(
    HttpExit.SAME_PAGE,
    "same-page",
    `Page ${number} leads back to a page that came before: it would never end.`,
    "Check the API's pagination; --max-pages N ends it early.",
  );
}

function stops({ path, value: wanted }: StopRule, value: unknown, items: readonly unknown[] | undefined): boolean {
  if (path.length === 0) return items?.length === 0;
  const found = at(value, path);
  if (wanted === undefined)
    return found !== undefined && found !== null && found !== false && found !== "" && found !== 0;
  return found !== undefined && (typeof found === "object" ? JSON.stringify(found) : String(found)) === wanted;
}

function nextOf(rules: PageRules, page: Page, value: unknown, items: readonly unknown[] | undefined): Next | undefined {
  switch (rules.how) {
    case "link":
      return byLink(page);
    case "cursor":
      return byCursor(rules, page, value);
    case "page":
      return items?.length === 0
        ? undefined
        : { url: withParam(page.url, rules.param, numberIn(page.url, rules.param, 1) + 1) };
    case "offset": {
      if (items?.length === 0) return undefined;
      if (items === undefined)
        throw broken(
          page.number,
          "its items are not found, so the next offset is not known",
          "Say where they are: --items data.items.",
        );
      return { url: withParam(page.url, rules.param, numberIn(page.url, rules.param, 0) + items.length) };
    }
  }
}

function numberIn(url: URL, param: string, first: number): number {
  const text = url.searchParams.get(param);
  if (text === null || text === "") return first;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage("bad-url", `The parameter ${param} of the URL is no number: pages cannot be counted from it.`);
}

/** Every other byte of the query stays as it was. */
function withParam(url: URL, param: string, value: string | number): URL {
  const to = new URL(url);
  const parts = to.search
    .replace(/^\?/, "")
    .split("&")
    .filter((part) => part !== "");
  const name = (part: string) => new URLSearchParams(part).keys().next().value;
  const put = `${encodeURIComponent(param)}=${encodeURIComponent(value)}`;
  const index = parts.findIndex((part) => name(part) === param);
  if (index < 0) parts.push(put);
  else parts[index] = put;
  to.search = parts.join("&");
  return to;
}

function byLink({ url, link, number }: Page): Next | undefined {
  if (link === undefined || link.trim() === "") return undefined;
  const links = linksIn(link);
  if (links === undefined) throw broken(number, "its Link header cannot be read", "--include shows it.");
  const to = links.find(({ rels }) => rels.includes("next"))?.to;
  return to === undefined ? undefined : { url: onSameHost(to, url, number) };
}

/** RFC 8288: `<…>; rel="next", <…>; rel=last`. Undefined when it is none. */
export function linksIn(header: string): { to: string; rels: string[] }[] | undefined {
  const found: { to: string; rels: string[] }[] = [];
  const one = /\s*<([^<>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:\\.|[^"\\])*"|[^\s",;]+))?)*)\s*(?:,|$)/y;
  while (one.lastIndex < header.length) {
    const match = one.exec(header);
    if (match === null) return undefined;
    found.push({
      to: match[1] ?? "",
      rels: relOf(match[2] ?? "")
        .toLowerCase()
        .split(/\s+/),
    });
  }
  return found;
}

/** The first counts, also in the wrong quotes ('next'); what stands inside another parameter's quotes does not. */
function relOf(parameters: string): string {
  const each = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s",;]+)))?/g;
  for (const [, name, quoted, plain] of parameters.matchAll(each))
    if (name?.toLowerCase() === "rel") return quoted ?? plain?.replace(/^'(.*)'$/, "$1") ?? "";
  return "";
}

/** P4. */
function onSameHost(to: string, from: URL, number: number): URL {
  const url = URL.parse(to, from.href);
  if (url === null) throw broken(number, "it names a next page whose address cannot be read", "--include shows it.");
  if (!/^https?:$/.test(url.protocol))
    throw broken(number, `it leads to an address that is no http (${url.protocol})`, "--include shows it.");
  if (url.hostname !== from.hostname)
    throw broken(
      number,
      `it leads to another host, ${url.host}`,
      "Call that host by itself, when it is the right one.",
    );
  // Behind a proxy an API often names itself by http.
  if (url.protocol === "http:" && from.protocol === "https:") url.protocol = "https:";
  if (url.origin !== from.origin)
    throw broken(number, `it leads to another port, ${url.host}`, "Call that one by itself, when it is the right one.");
  url.hash = "";
  return url;
}

const CURSORS = [
  "next_cursor",
  "nextCursor",
  "next_page_token",
  "nextPageToken",
  "next",
  "cursor.next",
  "paging.next.after",
  "pagination.next_cursor",
  "pagination.next",
  "meta.next_cursor",
  "meta.next",
  "response_metadata.next_cursor",
  "links.next",
  "_links.next.href",
  "next_page",
];
/** Of OData, Microsoft Graph's too; a dot in a name is one of the name. */
const ODATA = ["@odata.nextLink"];
/** Whose cursor goes by another parameter than \`cursor\`: Google's, HubSpot's. */
const PARAMS: Readonly<Record<string, string>> = { nextPageToken: "pageToken", "paging.next.after": "after" };
const MORE = ["has_more", "hasMore", "has_next", "hasNext", "has_next_page"];

function byCursor(
  { cursor, param: usual, isParamGiven }: PageRules,
  { url, number }: Page,
  value: unknown,
): Next | undefined {
  if (typeof value !== "object" || value === null)
    throw broken(number, "it is no JSON object, so it names no cursor", "--paginate link, page or offset, perhaps?");
  const path = cursor ?? [ODATA, ...CURSORS.map(pathOf)].find((one) => at(value, one) !== undefined);
  const sibling = path === undefined ? undefined : at(value, [...path.slice(0, -1), "hasNextPage"]);
  if (sibling === false || MORE.some((name) => at(value, [name]) === false)) return undefined;
  if (path === undefined) {
    if (number > 1) return undefined;
    throw broken(
      number,
      "it names no cursor that is known",
      `Say where it is: --cursor data.next. Looked for ${CURSORS.slice(0, 4).join(", ")} and others.`,
    );
  }
  const param = (isParamGiven ? undefined : PARAMS[path.join(".")]) ?? usual;
  const found = asNumber(at(value, path));
  if (found === undefined || found === null || found === "" || found === false) return undefined;
  if (typeof found === "string" && /^(?:https?:\/\/|\/|\?)/i.test(found))
    return { url: onSameHost(found, url, number) };
  if (typeof found === "string" || Number.isSafeInteger(found))
    return { url: withParam(url, param, found as string | number), cursor: found as string | number };
  throw broken(
    number,
    `its cursor at ${path.join(".")} is ${kindOf(found)}, not a text or a whole number`,
    "Say where the cursor is: --cursor PATH.",
  );
}

/** A whole number of any size, as the text it was. */
function asNumber(value: unknown): unknown {
  const raw = typeof value === "object" && value !== null && "rawJSON" in value ? String(value.rawJSON) : "";
  return /^-?\d+$/.test(raw) ? raw : value;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === true ? "true" : typeof value === "object" ? "an object" : `the number ${String(value)}`;
}

export function broken(number: number, what: string, help: string): HttpProblem {
  return new HttpProblem(
    HttpExit.PAGE_BROKEN,
    "page-broken",
    `Page ${number} does not say how to go on: ${what}.`,
    help,
  );
}

const ITEMS = ["items", "data", "results", "records", "values", "entries", "rows", "nodes"];

/** The list that is a page; undefined when there is none, or more than one that could be. */
export function itemsOf(value: unknown, path: readonly string[] | undefined): readonly unknown[] | undefined {
  if (path !== undefined) {
    const found = at(value, path);
    return Array.isArray(found) ? found : found === null ? [] : undefined;
  }
  if (Array.isArray(value)) return value;
  if (value === null) return [];
  if (typeof value !== "object") return undefined;
  const named = ITEMS.map((name) => at(value, [name]));
  const found = named.find(Array.isArray);
  if (found !== undefined) return found;
  const lists = Object.values(value).filter(Array.isArray);
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
