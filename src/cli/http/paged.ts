// paged: all pages of an answer, one after the other (spec 3.6 `--paginate`).
//   G1. Without --items or --lines each page is printed as it came, with a line break between pages: jq reads that. With --items all items
//       are one JSON array, with --lines one item a line.
//   G2. A page is printed when it is whole and known not to be one that came before. What was printed before an error stays.
//   G3. What the server says of an error goes where the pages go, but never among items: then to stderr.

import { limits } from "../../base/limits.ts";
import { callOf } from "./call.ts";
import { graphqlBody, graphqlProblem } from "./graphql.ts";
import type { Response } from "./network.ts";
import { headText, wholeBody } from "./output.ts";
import { broken, createPager, itemsOf, type Next, type Page, pageRules } from "./pages.ts";
import { failOnStatus, type Prepared } from "./prepared.ts";
import { usage } from "./problem.ts";

export async function printPages(prepared: Prepared): Promise<void> {
  const { options, call, graphql, settings } = prepared;
  const rules = pageRules({ ...options, paginate: options.paginate! });
  if (graphql === undefined && options.method !== "GET" && options.method !== "POST")
    throw usage("bad-method", "Pages are fetched by GET or POST.");
  if (graphql !== undefined && rules.how !== "cursor")
    throw usage(
      "bad-paginate",
      "Pages of GraphQL are found by --paginate cursor.",
      "--cursor data.items.pageInfo.endCursor --page-param after",
    );
  const pager = createPager(rules);
  const printer = createPrinter(prepared);
  let next: Next | undefined = { url: call.url };
  for (let number = 1; next !== undefined; number += 1) {
    const { url, cursor }: Next = next;
    const body =
      graphql === undefined
        ? call.body
        : graphqlBody(graphql, cursor === undefined ? undefined : { name: rules.param, value: cursor });
    const got = await callOf(
      prepared.network,
      { ...call, url, body },
      settings,
      async (response) => {
        const bytes = await wholeBody(response, options.compressed === true, limits.httpPageBytesMax);
        if (pager.isPastLast(response.status, number)) {
          settings.say(`curlew: page ${number} is not there (404): taken as the end.\n`);
          return undefined;
        }
        if (response.status >= 400) {
          await printer.error(bytes);
          failOnStatus(response, { ...options, noFail: undefined as never });
        }
        const found = read(bytes, number, rules.how !== "link" || printer.needsItems, rules.items);
        const problem = graphql === undefined ? undefined : graphqlProblem(bytes);
        if (problem !== undefined) {
          await printer.error(bytes);
          throw problem;
        }
        if (options.include) process.stderr.write(headText(response));
        return { ...found, page: { url, number, bytes, link: allOf(response, "link") } satisfies Page };
      },
      () => false,
    );
    if (got === undefined) break;
    const { page, value, items } = got;
    pager.check(page, items);
    await printer.page(page, items);
    next = pager.next(page, value, items);
    const lacking = number === 1 && next === undefined ? pager.lacks(value) : undefined;
    if (lacking !== undefined) settings.say(`curlew: page 1 has no ${lacking}: taken as the only one.\n`);
    if (rules.most !== undefined && number >= rules.most) {
      if (next !== undefined)
        settings.say(`curlew: stopped after ${number} pages, as --max-pages says; there are more.\n`);
      break;
    }
  }
  await printer.end();
}

/** A page of JSON, and the items in it. */
function read(
  bytes: Buffer,
  number: number,
  needed: boolean,
  path: readonly string[] | undefined,
): { value: unknown; items: readonly unknown[] | undefined } {
  if (bytes.length === 0) return { value: null, items: [] };
  let value: unknown;
  try {
    value = parsed(bytes.toString("utf8").replace(/^\ufeff/, ""));
  } catch {
    if (!needed) return { value: undefined, items: undefined };
    throw broken(number, "it is no JSON", "Check that the URL leads to an API.");
  }
  return { value, items: itemsOf(value, path) };
}

/** A number that JavaScript cannot hold stays the text it was. */
function parsed(text: string): unknown {
  if (!/[\d.]{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value, context?: { source?: string }) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source
      ? rawJson(context.source)
      : value,
  );
}

function createPrinter({ options, sink, settings }: Prepared) {
  const needsItems = options.items !== undefined || options.lines === true;
  let any = false;
  const page = async ({ bytes, number }: Page, items: readonly unknown[] | undefined): Promise<void> => {
    if (!needsItems) {
      await sink.write(any && !endsLine ? "\n" : "");
      await sink.write(bytes);
      endsLine = bytes.at(-1) === 0x0a;
      any = true;
      return;
    }
    if (items === undefined) throw broken(number, "its items are not found", "Say where they are: --items data.items.");
    for (const item of items) {
      const text = JSON.stringify(item);
      await sink.write(options.lines ? `${text}\n` : `${any ? ",\n" : "[\n"}${text}`);
      any = true;
    }
  };
  /** G3. */
  const error = async (bytes: Buffer): Promise<void> => {
    if (!needsItems) {
      await sink.write(any && !endsLine ? "\n" : "");
      return sink.write(bytes);
    }
    const text = bytes.subarray(0, limits.httpErrorBytesMax).toString("utf8");
    settings.say(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  };
  let endsLine = true;
  const end = async (): Promise<void> => {
    if (needsItems && !options.lines) await sink.write(any ? "\n]\n" : "[]\n");
    else if (!needsItems && !endsLine) await sink.write("\n");
  };
  return { needsItems, page, error, end };
}

/** Newer than the types that are known here. */
function rawJson(source: string): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(source);
}

/** A header that stands there more than once is one list. */
function allOf({ headers }: Pick<Response, "headers">, name: string): string {
  return headers.flatMap(([each, value]) => (each === name ? [value] : [])).join(", ");
}
