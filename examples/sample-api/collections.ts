// collections: create, read, update, delete and search over small in-memory tables, and the three usual kinds of
// pagination (spec: mission 4.1).
//   GET    /api/NAME            array; ?page=&per_page= pages it, with Link and X-Total-Count headers. ?FIELD=VALUE filters.
//                           ETag, and 304 for If-None-Match.
//   POST   /api/NAME            201, the new row, Location.
//   GET    /api/NAME/ID         one row. PUT replaces, PATCH merges, DELETE removes it.
//   GET    /api/search?q=&limit=          items whose title contains q.
//   GET    /api/pages?page=&size=         { items, page, pages, total }.
//   GET    /api/cursor?cursor=&limit=     { items, next }. The last page has next: null

import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { jsonObject, Refusal, wholeNumber } from "./answer.ts";
import { COLLECTIONS, type CollectionName, isCollectionName, type Row } from "./seed.ts";

const ROWS_MAX = 10_000;

export class Tables {
  readonly #tables = new Map<CollectionName, { rows: Row[]; nextId: number }>();

  constructor() {
    this.reset();
  }

  reset(): void {
    for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
      const rows: Row[] = structuredClone(COLLECTIONS[name].rows);
      this.#tables.set(name, { rows, nextId: rows.length + 1 });
    }
  }

  rows(name: CollectionName): Row[] {
    return this.#tables.get(name)!.rows;
  }

  find(name: CollectionName, id: number): Row | undefined {
    return this.rows(name).find((row) => row.id === id);
  }

  add(name: CollectionName, members: Record<string, unknown>): Row {
    const table = this.#tables.get(name)!;
    if (table.rows.length >= ROWS_MAX) {
      throw new Refusal(507, "full", `${name} holds ${ROWS_MAX} rows, its limit. POST /reset empties it.`);
    }
    const row = { ...COLLECTIONS[name].defaults, ...members, id: table.nextId++ };
    table.rows.push(row);
    return row;
  }

  replace(name: CollectionName, old: Row, members: Record<string, unknown>): Row {
    const row = { ...members, id: old.id };
    const rows = this.rows(name);
    rows[rows.indexOf(old)] = row;
    return row;
  }

  remove(name: CollectionName, row: Row): void {
    const rows = this.rows(name);
    rows.splice(rows.indexOf(row), 1);
  }
}

export function collections(tables: Tables): Hono {
  const app = new Hono();
  app.get("/search", (c) => c.json(search(c, tables)));
  app.get("/pages", (c) => c.json(numberedPage(c, tables)));
  app.get("/cursor", (c) => c.json(cursorPage(c, tables)));
  app.get("/:name", etag(), (c) => {
    const page = linkedPage(c, filtered(c, tables.rows(nameOf(c))));
    return c.json(page.rows, 200, page.headers);
  });
  app.post("/:name", (c) => {
    const name = nameOf(c);
    const row = tables.add(name, withRequired(name, jsonObject(c)));
    return c.json(row, 201, { Location: `/api/${name}/${row.id}` });
  });
  app.get("/:name/:id", (c) => c.json(rowOf(c, tables)));
  app.put("/:name/:id", (c) => {
    const row = rowOf(c, tables);
    return c.json(tables.replace(nameOf(c), row, withRequired(nameOf(c), jsonObject(c))));
  });
  app.patch("/:name/:id", (c) => {
    const row = rowOf(c, tables);
    return c.json(tables.replace(nameOf(c), row, withRequired(nameOf(c), { ...row, ...jsonObject(c) })));
  });
  app.delete("/:name/:id", (c) => {
    const row = rowOf(c, tables);
    tables.remove(nameOf(c), row);
    return c.json({ deleted: row.id });
  });
  return app;
}

function nameOf(c: Context): CollectionName {
  const name = c.req.param("name") ?? "";
  if (isCollectionName(name)) return name;
  const known = Object.keys(COLLECTIONS).join(", ");
  throw new Refusal(404, "no-such-collection", `There is no collection "${name}". There are: ${known}.`);
}

function rowOf(c: Context, tables: Tables): Row {
  const id = c.req.param("id") ?? "";
  const row = /^\d{1,9}$/.test(id) ? tables.find(nameOf(c), Number(id)) : undefined;
  if (row !== undefined) return row;
  throw new Refusal(404, "not-found", `There is no row "${id}" in ${nameOf(c)}.`);
}

function withRequired(name: CollectionName, members: Record<string, unknown>): Record<string, unknown> {
  const { required } = COLLECTIONS[name];
  const value = members[required];
  if (typeof value === "string" && value.trim() !== "") return members;
  throw new Refusal(422, "missing-member", `A row of ${name} needs "${required}", a string that is not empty.`);
}

function search(c: Context, tables: Tables): { query: string; total: number; items: Row[] } {
  const query = c.req.query("q");
  if (query === undefined) throw new Refusal(400, "bad-parameter", 'Give the words to look for: "?q=WORDS".');
  const limit = wholeNumber(c, "limit", 10, 1, 100);
  const found = tables.rows("items").filter((row) => String(row.title).toLowerCase().includes(query.toLowerCase()));
  return { query, total: found.length, items: found.slice(0, limit) };
}

function numberedPage(c: Context, tables: Tables) {
  const rows = tables.rows("items");
  const size = wholeNumber(c, "size", 4, 1, 100);
  const page = wholeNumber(c, "page", 1, 1, 1_000_000);
  const pages = Math.ceil(rows.length / size);
  return { items: rows.slice((page - 1) * size, page * size), page, pages, total: rows.length };
}

/** The last id seen, wrapped so that no client counts with it. */
function cursorPage(c: Context, tables: Tables): { items: Row[]; next: string | null } {
  const limit = wholeNumber(c, "limit", 4, 1, 100);
  const after = afterId(c.req.query("cursor") ?? "");
  const rest = tables.rows("items").filter((row) => row.id > after);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && rest.length > limit ? Buffer.from(`after:${last.id}`).toString("base64") : null };
}

function afterId(cursor: string): number {
  if (cursor === "") return 0;
  const match = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, "base64").toString("utf8"));
  if (match) return Number(match[1]);
  throw new Refusal(400, "bad-cursor", `"${cursor}" is not a cursor of this API. Send "next" exactly as you got it.`);
}

const PAGING = new Set(["page", "per_page"]);

function filtered(c: Context, rows: Row[]): Row[] {
  const wanted = Object.entries(c.req.query()).filter(([name]) => !PAGING.has(name));
  return rows.filter((row) => wanted.every(([name, value]) => String(row[name]) === value));
}

function linkedPage(c: Context, rows: Row[]): { rows: Row[]; headers: Record<string, string> } {
  const size = wholeNumber(c, "per_page", 100, 1, 100);
  const page = wholeNumber(c, "page", 1, 1, 1_000_000);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const to = (number: number, rel: string) => {
    const url = new URL(c.req.url);
    url.searchParams.set("page", String(number));
    url.searchParams.set("per_page", String(size));
    return `<${url}>; rel="${rel}"`;
  };
  const links = [
    ...(page < last ? [to(page + 1, "next"), to(last, "last")] : []),
    ...(page > 1 ? [to(1, "first"), to(page - 1, "prev")] : []),
  ];
  const headers = { "X-Total-Count": String(rows.length), ...(links.length > 0 ? { Link: links.join(", ") } : {}) };
  return { rows: rows.slice((page - 1) * size, page * size), headers };
}
