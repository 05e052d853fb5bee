// paged: fetches and prints all pages of a response, one after the other (spec 3.6 `--paginate`).
//   P1. Without --items or --lines each page is printed unchanged, with a newline between pages. --items prints one
//       JSON array, --lines one item per line.
//   P2. A page is printed when it is complete and not a repetition. Pages printed before an error stay.
//   P3. The body of an error goes to the same place as pages. With --items or --lines it goes to stderr.

import { limits } from "../../base/limits.ts";
import { callOf, type Prepared, say } from "./call.ts";
import { checkGraphql, graphqlBody } from "./graphql.ts";
import type { Response } from "./network.ts";
import { failOnStatus, wholeBody } from "./output.ts";
import { at, brokenPage, createPager, itemsOf, type Next, type Page, type PageRules, pageRules } from "./pages.ts";
import { usage } from "./problem.ts";

export async function printPages(prepared: Prepared): Promise<void> {
  const { request, graphql } = prepared;
  const rules = checkedRules(prepared);
  const pager = createPager(rules);
  const printer = createPrinter(prepared);

  const read = async (response: Response, url: URL, number: number): Promise<Page | undefined> => {
    const bytes = await wholeBody(response);
    if (pager.isPastLast(response.status, number)) {
      say(`page ${number} is not there (404), so page ${number - 1} was the last.`);
      return undefined;
    }
    try {
      failOnStatus(response);
      if (graphql !== undefined) checkGraphql(bytes);
    } catch (reason) {
      await printer.error(bytes);
      throw reason;
    }
    const value = parsed(bytes, number, rules.how !== "link" || printer.needsItems);
    const link = response.headers.flatMap(([name, one]) => (name === "link" ? [one] : [])).join(", ");
    return { url, number, bytes, link, value, items: itemsOf(value, rules.items) };
  };

  let next: Next | undefined = { url: request.url };
  for (let number = 1; next !== undefined; number += 1) {
    const { url, cursor }: Next = next;
    const after = cursor === undefined ? undefined : { name: rules.param ?? "cursor", value: cursor };
    const pageRequest = graphql === undefined ? { ...request, url } : { ...request, body: graphqlBody(graphql, after) };
    const page: Page | undefined = await callOf(
      prepared,
      pageRequest,
      (response) => read(response, url, number),
      () => false,
    );
    if (page === undefined) break;
    pager.check(page);
    await printer.page(page);
    next = pager.next(page);
    if (number === 1 && next === undefined && rules.cursor !== undefined && at(page.value, rules.cursor) === undefined)
      say(`page 1 has no ${rules.cursor.join(".")}, so it is the only page.`);
    if (number >= (rules.most ?? Number.POSITIVE_INFINITY)) {
      if (next !== undefined) say(`stopped after ${number} pages (--max-pages); there are more.`);
      break;
    }
  }
  await printer.end();
}

function checkedRules({ options, request, graphql }: Prepared): PageRules {
  const rules = pageRules(options);
  if (graphql === undefined && request.method !== "GET" && request.method !== "POST")
    throw usage("bad-method", "Pages are fetched by GET or POST.");
  if (graphql === undefined || rules.how === "cursor") return rules;
  const help = "--cursor data.items.pageInfo.endCursor --page-param after";
  throw usage("bad-paginate", "Pages of GraphQL are found by --paginate cursor.", help);
}

/** `needed`: the page must be JSON because its items or cursor are needed. */
function parsed(bytes: Buffer, number: number, needed: boolean): unknown {
  if (bytes.length === 0) return null;
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  try {
    return /[\d.]{16}/.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
  } catch {
    if (!needed) return undefined;
    throw brokenPage(number, "it is not JSON", "Check that the URL leads to an API.");
  }
}

/** A number that JavaScript cannot represent keeps its text. */
function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };
  const source = typeof value === "number" ? context?.source : undefined;
  return source !== undefined && String(value) !== source ? rawJSON(source) : value;
}

function createPrinter({ options, sink }: Prepared) {
  const needsItems = options.items !== undefined || options.lines === true;
  let any = false;
  let endsLine = true;
  const page = async ({ bytes, number, items }: Page): Promise<void> => {
    if (!needsItems) {
      await sink.write(endsLine ? "" : "\n");
      await sink.write(bytes);
      endsLine = bytes.at(-1) === 0x0a;
      return;
    }
    if (items === undefined)
      throw brokenPage(number, "its items are not found", "Say where they are: --items data.items.");
    for (const item of items) {
      const text = JSON.stringify(item);
      await sink.write(options.lines ? `${text}\n` : `${any ? ",\n" : "[\n"}${text}`);
      any = true;
    }
  };
  const error = async (bytes: Buffer): Promise<void> => {
    if (!needsItems) {
      await sink.write(endsLine ? "" : "\n");
      return sink.write(bytes);
    }
    const text = bytes.subarray(0, limits.httpErrorBytesMax).toString("utf8");
    process.stderr.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  };
  const end = async (): Promise<void> => {
    if (needsItems && !options.lines) await sink.write(any ? "\n]\n" : "[]\n");
    else if (!endsLine) await sink.write("\n");
  };
  return { needsItems, page, error, end };
}
