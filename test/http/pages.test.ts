// `curlew http --paginate` and `--graphql` against servers that behave, and servers that don't (spec 3.6).

import { expect, test } from "vitest";
import { call, type Seen, serve } from "./server.ts";

const ALL = Array.from({ length: 25 }, (_, at) => ({ id: at + 1 }));
const query = ({ url }: Seen) => new URL(url, "http://x").searchParams;
const number = (seen: Seen, name: string, first: number) => Number(query(seen).get(name) ?? first);

async function pages(
  answer: (seen: Seen, count: number) => unknown,
  headers?: (seen: Seen) => Record<string, string | string[]>,
) {
  return serve((seen, response, count) => {
    const value = answer(seen, count);
    response.writeHead(200, headers?.(seen) ?? {}).end(typeof value === "string" ? value : JSON.stringify(value));
  });
}

test("page: stops at the first empty page; prints items as one array, as lines, or the pages as they came", async () => {
  const { url, seen } = await pages((one) => ({
    items: ALL.slice((number(one, "page", 1) - 1) * 10).slice(0, 10),
    n: 1,
  }));
  const array = await call(["GET", `${url}/?a=b%20c`, "--paginate", "page", "--items", "items"]);
  expect(array.stderr).toBe("");
  expect(JSON.parse(array.stdout)).toEqual(ALL);
  expect(seen.map((one) => one.url)).toEqual(["/?a=b%20c", "/?a=b%20c&page=2", "/?a=b%20c&page=3", "/?a=b%20c&page=4"]);
  const lines = await call(["GET", url, "--paginate", "page", "--lines"]);
  expect(lines.stdout).toBe(ALL.map((item) => `${JSON.stringify(item)}\n`).join(""));
  const plain = await call(["GET", `${url}/?page=2`, "--paginate", "page", "--max-pages", "1"]);
  expect(JSON.parse(plain.stdout).items[0]).toEqual({ id: 11 });
  expect(plain).toMatchObject({
    code: 0,
    stderr: "curlew: stopped after 1 pages (--max-pages); there are more.\n",
  });
});

test("cursor: in a field, as a URL, or as an integer too large for JavaScript", async () => {
  const { url, seen } = await pages((one) => {
    const at = number(one, "cursor", 0);
    return { data: ALL.slice(at, at + 10), next_cursor: at + 10 < ALL.length ? String(at + 10) : null };
  });
  expect(JSON.parse((await call(["GET", url, "--paginate", "cursor", "--items", "data"])).stdout)).toEqual(ALL);
  expect(seen).toHaveLength(3);
  const linked = await pages((one) => ({
    results: [number(one, "p", 1)],
    next: number(one, "p", 1) < 3 ? `/?p=${number(one, "p", 1) + 1}` : null,
  }));
  expect((await call(["GET", linked.url, "--paginate", "cursor", "--lines"])).stdout).toBe("1\n2\n3\n");
  const big = await pages((one) =>
    query(one).get("c") === null
      ? '{"items":[12345678901234567891],"at":98765432109876543210}'
      : '{"items":[1.50],"at":null}',
  );
  const got = await call(["GET", big.url, "--paginate", "cursor", "--cursor", "at", "--page-param", "c", "--lines"]);
  expect(got.stdout).toBe("12345678901234567891\n1.5\n");
  expect(query(big.seen[1]!).get("c")).toBe("98765432109876543210");
  // A field that no page has may be a spelling mistake.
  const once = await call(["GET", url, "--paginate", "cursor", "--cursor", "nextCursor", "--items", "data"]);
  expect(once).toMatchObject({ code: 0, stderr: "curlew: page 1 has no nextCursor, so it is the only page.\n" });
});

test("cursor: knows the parameters of OData, Google and HubSpot", async () => {
  const odata = await pages((one) => {
    const at = number(one, "$skip", 0);
    return { value: [at], ...(at < 4 ? { "@odata.nextLink": `/?$skip=${at + 2}` } : {}) };
  });
  expect((await call(["GET", odata.url, "--paginate", "cursor", "--items", "value", "--lines"])).stdout).toBe(
    "0\n2\n4\n",
  );
  const google = await pages((one) =>
    query(one).get("pageToken") === null ? { items: [1], nextPageToken: "t/2=" } : { items: [2] },
  );
  expect((await call(["GET", google.url, "--paginate", "cursor", "--lines"])).stdout).toBe("1\n2\n");
  const hubspot = await pages((one) =>
    query(one).get("after") === null ? { results: [1], paging: { next: { after: "2" } } } : { results: [2] },
  );
  expect((await call(["GET", hubspot.url, "--paginate", "cursor", "--lines"])).stdout).toBe("1\n2\n");
  // A name that you give wins.
  const named = await call(["GET", google.url, "--paginate", "cursor", "--page-param", "cursor", "--lines"]);
  expect(named).toMatchObject({ code: 111, stdout: "1\n" });
});

test("link: follows rel=next on the same host only; without a Link header there is one page", async () => {
  const { url, seen } = await pages(
    (one) => [number(one, "p", 1)],
    (one) => {
      const p = number(one, "p", 1);
      return {
        link: `<${p < 3 ? `/?p=${p + 1}` : "/?p=1"}>; rel="${p < 3 ? "next" : "first"}", </x,y>; title="a, b"; rel=last`,
      };
    },
  );
  expect((await call(["GET", url, "--paginate", "link", "--lines"])).stdout).toBe("1\n2\n3\n");
  expect(seen).toHaveLength(3);
  const none = await pages(() => [1]);
  expect(await call(["GET", none.url, "--paginate", "link"])).toMatchObject({ code: 0, stdout: "[1]\n" });
  // Two headers of one name are one list: the second is not lost.
  const two = await pages(
    (one) => [number(one, "p", 1)],
    (one) => {
      const p = number(one, "p", 1);
      return {
        link: ['</?p=1>; rel="first"', ...(p < 3 ? [`</?p=${p + 1}>; title="a, b"; rel="next prefetch"`] : [])],
      };
    },
  );
  expect((await call(["GET", two.url, "--paginate", "link", "--lines"])).stdout).toBe("1\n2\n3\n");
  for (const link of [
    "<http://other.example/>; rel=next",
    "no link",
    "<http://[>; rel=next",
    "<file:///x>; rel=next",
  ]) {
    const bad = await pages(
      () => [1],
      () => ({ link }),
    );
    expect(await call(["GET", bad.url, "--paginate", "link"])).toMatchObject({ code: 112, stdout: "[1]" });
  }
});

test("endless paging is stopped", async () => {
  const same = await pages(() => ({ items: [1, 2] }));
  const got = await call(["GET", same.url, "--paginate", "page", "--lines"]);
  expect(got).toMatchObject({ code: 111, stdout: "1\n2\n" });
  expect(got.stderr).toContain("Page 2 is the same as page 1");
  // The same items in another envelope, and pages in a circle: neither shows that there is more.
  const stamped = await pages((one, count) => ({
    items: [{ id: 1 }, { id: 2 }],
    page: number(one, "page", 1),
    at: count,
  }));
  const again = await call(["GET", stamped.url, "--paginate", "page", "--lines"]);
  expect(again).toMatchObject({ code: 111, stdout: '{"id":1}\n{"id":2}\n' });
  expect(again.stderr).toContain("Page 2 is the same as page 1");
  const round = await pages((one) => ({ items: [((number(one, "page", 1) - 1) % 3) + 1] }));
  const wrapped = await call(["GET", round.url, "--paginate", "page", "--lines"]);
  expect(wrapped).toMatchObject({ code: 111, stdout: "1\n2\n3\n" });
  expect(wrapped.stderr).toContain("Page 4 is the same as page 1");
  const cursor = await pages((_, count) => ({ items: [count], next: count % 2 === 1 ? "a" : "b" }));
  expect(await call(["GET", cursor.url, "--paginate", "cursor", "--lines"])).toMatchObject({
    code: 111,
    stdout: "1\n2\n3\n",
  });
  const circle = await pages(
    (_, count) => [count],
    (one) => ({ link: `</?p=${(number(one, "p", 0) + 1) % 3}>; rel=next` }),
  );
  expect((await call(["GET", `${circle.url}/?p=0`, "--paginate", "link"])).code).toBe(111);
  const endless = await pages((_, count) => ({ items: [count] }));
  const stopped = await call(["GET", endless.url, "--paginate", "page", "--lines"]);
  expect(stopped.code).toBe(110);
  expect(stopped.stdout.split("\n")).toHaveLength(1_001);
  endless.seen.length = 0;
  expect((await call(["GET", endless.url, "--paginate", "page", "--max-pages", "3"])).code).toBe(0);
  expect(endless.seen).toHaveLength(3);
}, 60_000);

test("an unreadable page is named with the reason", async () => {
  const wrong: [unknown, string[], string][] = [
    [{ items: [1], next: { a: 1 } }, ["cursor"], "its cursor is not a string or an integer"],
    [{ items: [1], next: true }, ["cursor"], "its cursor is not a string or an integer"],
    [{ items: [1], next: 1.5 }, ["cursor"], "its cursor is not a string or an integer"],
    [{ items: [1] }, ["cursor"], "it names no cursor that is known"],
    [[1], ["cursor"], "the next"],
    ["<html>", ["page"], "it is not JSON"],
    [{ a: [1], b: [2] }, ["offset"], "its items are not found"],
    [{ a: 1 }, ["page", "--items", "list"], "its items are not found"],
  ];
  for (const [value, [how, ...more], what] of wrong) {
    const { url } = await pages(() => value);
    const got = await call(["GET", url, "--paginate", how!, ...more]);
    expect({ value, code: got.code }).toEqual({ value, code: what === "the next" ? 112 : 112 });
    if (what !== "the next") expect(got.stderr).toContain(what);
  }
  // An error object of the server is not an item.
  const failing = await serve(
    (_, response, count) => void response.writeHead(count % 2 === 1 ? 200 : 403).end(`{"items":[${count}]}`),
  );
  const lines = await call(["GET", failing.url, "--paginate", "page", "--lines"]);
  expect(lines).toMatchObject({ code: 22, stdout: "1\n" });
  expect(lines.stderr).toMatch(/^\{"items":\[2\]\}\ncurlew: error\[http-error\]/);
  const whole = await call(["GET", failing.url, "--paginate", "page"]);
  expect(whole).toMatchObject({ code: 22, stdout: '{"items":[3]}\n{"items":[4]}' });
  const marked = await serve((_, response, count) => void response.end(`\ufeff[${count < 3 ? count : ""}]`));
  expect(await call(["GET", marked.url, "--paginate", "page", "--lines"])).toMatchObject({ code: 0, stdout: "1\n2\n" });
});

test("--stop ends paging by a value of the page", async () => {
  const { url, seen } = await pages((_, count) => ({ items: [count], more: count < 2, last: count === 4 }));
  expect((await call(["GET", url, "--paginate", "page", "--lines", "--stop", "more=false"])).stdout).toBe("1\n2\n");
  seen.length = 0;
  expect((await call(["GET", url, "--paginate", "page", "--lines", "--stop", "last"])).stdout).toBe("1\n2\n3\n4\n");
});

test("a page whose connection breaks is retried, and printed once", async () => {
  const { url } = await serve((seen, response, count) => {
    if (count === 2) response.destroy();
    else if (count === 3) response.writeHead(503).end("[]");
    else response.end(JSON.stringify(number(seen, "page", 1) < 3 ? [number(seen, "page", 1)] : []));
  });
  const got = await call(["GET", url, "--paginate", "page", "--lines", "--retry", "3", "--retry-delay", "1ms"]);
  expect(got).toMatchObject({ code: 0, stdout: "1\n2\n" });
});

const QUERY = "query($id: Int!, $after: String) { item(id: $id) { id } }";

test("graphql: variables from stdin; errors in a 200 answer are a failure", async () => {
  const { url, seen } = await serve(({ body }, response) => {
    const { variables } = JSON.parse(String(body));
    response.end(
      JSON.stringify(variables?.id === 0 ? { data: null, errors: [{ message: "no such item" }] } : { data: { ok: 1 } }),
    );
  });
  const good = await call(["POST", url, "--graphql", QUERY], { input: '{"id": 1}' });
  expect(good).toMatchObject({ code: 0, stdout: '{"data":{"ok":1}}' });
  expect((await call(["POST", url, "--graphql", "{ a }"])).code).toBe(0);
  expect(seen.map(({ body }) => JSON.parse(String(body)))).toEqual([
    { query: QUERY, variables: { id: 1 } },
    { query: "{ a }" },
  ]);
  const bad = await call(["POST", url, "--graphql", QUERY], { input: '{"id": 0}' });
  expect(bad).toMatchObject({ code: 113, stdout: '{"data":null,"errors":[{"message":"no such item"}]}' });
  expect(bad.stderr).toContain("error[graphql-errors]: (113) GraphQL: no such item");
  for (const input of ["[]", "{"]) expect((await call(["POST", url, "--graphql", QUERY], { input })).code).toBe(2);
});

test("graphql: follows a cursor that becomes a variable", async () => {
  const { url, seen } = await serve(({ body }, response) => {
    const at = Number(JSON.parse(String(body)).variables.after ?? 0);
    const pageInfo = { endCursor: String(at + 10), hasNextPage: at + 10 < ALL.length };
    response.end(JSON.stringify({ data: { items: { nodes: ALL.slice(at, at + 10), pageInfo } } }));
  });
  const words = ["--paginate", "cursor", "--cursor", "data.items.pageInfo.endCursor", "--page-param", "after"];
  const got = await call(["POST", url, "--graphql", QUERY, ...words, "--items", "data.items.nodes"], {
    input: '{"id":1}',
  });
  expect(JSON.parse(got.stdout)).toEqual(ALL);
  expect(seen.map(({ body }) => JSON.parse(String(body)).variables)).toEqual([
    { id: 1 },
    { id: 1, after: "10" },
    { id: 1, after: "20" },
  ]);
});
