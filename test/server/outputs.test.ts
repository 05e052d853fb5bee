// Outputs through the API: ranges, tail, both streams in order, search, download; a gigabyte as fast as a line (spec
// 2.3, 2.4).

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DownloadLink, OutputLines, OutputMatches } from "../../src/api/shapes.ts";
import { limits } from "../../src/base/limits.ts";
import { refused, start } from "./asking.ts";
import { type Served, served } from "./served.ts";

const BOTH = `
curlew: 1
name: both
nodes:
  - id: talk
    type: cli
    data:
      title: Talk
      content: |
        echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; sleep 0.1; echo "fo ur" >&2
        printf 'é end'
`;

const INNER = `
curlew: 1
name: outer
nodes:
  - { id: sub, type: subflow, data: { title: Sub, workflow: both.flow.yaml } }
`;

const SECRET = `
curlew: 1
name: hush
secrets: [TOKEN]
nodes:
  - id: say
    type: cli
    data: { title: Say, content: 'echo "<$TOKEN>"', env: { static: { TOKEN: "\${TOKEN}" } } }
`;

const output = (id: string, path = "talk", n = 1) =>
  `/runs/${id}/nodes/${encodeURIComponent(path)}/attempts/${n}/output`;

async function lines(it: Served, path: string): Promise<OutputLines> {
  return (await it.api("GET", path, undefined, { accept: "application/json" })).json() as Promise<OutputLines>;
}

async function bytes(it: Served, path: string): Promise<[number, string | null, string]> {
  const response = await it.api("GET", path);
  return [response.status, response.headers.get("content-range"), await response.text()];
}

test("bytes are available by range and from the end, exactly as in the file", async () => {
  const it = await served({ "both.flow.yaml": BOTH, "outer.flow.yaml": INNER });
  const { id } = await start(it, "both.flow.yaml", {}, "?wait=30");
  const at = output(id);
  expect(await bytes(it, at)).toEqual([200, "bytes 0-15/16", "one\nthree\né end"]);
  expect(await bytes(it, `${at}?from=4&limit=5`)).toEqual([206, "bytes 4-8/16", "three"]);
  expect(await bytes(it, `${at}?tail=3`)).toEqual([206, "bytes 13-15/16", "end"]);
  expect(await bytes(it, `${at}?from=99`)).toEqual([206, "bytes */16", ""]);
  expect((await bytes(it, `${at}?stream=stderr`))[2]).toBe("two\nfo ur\n");
  expect(await bytes(it, `/runs/${id}/nodes/talk/value`)).toEqual([200, null, "one\nthree\né end"]);
  expect(await refused(await it.api("GET", `${at}?from=-1`))).toEqual([400, "bad-query"]);
  expect(await refused(await it.api("GET", `${at}?stream=up`))).toEqual([400, "bad-query"]);
  expect(await refused(await it.api("GET", output(id, "talk", 2)))).toEqual([404, "not-found"]);
  const outer = await start(it, "outer.flow.yaml", {}, "?wait=30");
  expect((await bytes(it, output(outer.id, "sub/talk")))[2]).toBe("one\nthree\né end");
});

test("a command that printed nothing has an empty output, not one that is missing", async () => {
  const it = await served({
    "silent.flow.yaml": "curlew: 1\nname: silent\nnodes: [{ id: talk, run: exit 7 }]\n",
  });
  const { id } = await start(it, "silent.flow.yaml", {}, "?wait=30");
  expect(await lines(it, `${output(id)}?stream=both&tail=100`)).toMatchObject({ lines: 0, bytes: 0, complete: true });
});

test("both streams come as lines in the order of their arrival, part by part", async () => {
  const it = await served({ "both.flow.yaml": BOTH });
  const { id } = await start(it, "both.flow.yaml", {}, "?wait=30");
  const at = `${output(id)}?stream=both`;
  const all = await lines(it, at);
  expect(all).toMatchObject({ bytes: 26, lines: 5, firstLine: 1, complete: true });
  expect(all.items.map(({ stream, text }) => `${stream[3]} ${text}`)).toEqual([
    "o one",
    "e two",
    "o three",
    "e fo ur",
    "o é end",
  ]);
  // The last line counts too, without its newline.
  const times = all.items.map((item) => Date.parse(item.at ?? "never"));
  expect(times).not.toContain(Number.NaN);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  const first = await lines(it, `${at}&limit=2`);
  expect(first.items.map(({ text }) => text)).toEqual(["one", "two"]);
  const next = await lines(it, `${at}&cursor=${first.after}`);
  expect(next.items.map(({ text }) => text)).toEqual(["three", "fo ur", "é end"]);
  expect(next.firstLine).toBe(3);
  const end = await lines(it, `${at}&tail=9`);
  expect([end.items.map(({ text }) => text), end.firstLine]).toEqual([["é end"], 5]);
  const back = await lines(it, `${at}&cursor=${end.before}&limit=1`);
  expect([back.items.map(({ text }) => text), back.firstLine]).toEqual([["fo ur"], 4]);
  const third = await lines(it, `${at}&line=3&limit=1`);
  expect([third.items.map(({ text }) => text), third.firstLine]).toEqual([["three"], 3]);
});

test("lines are found by text and by pattern", async () => {
  const it = await served({ "both.flow.yaml": BOTH });
  const { id } = await start(it, "both.flow.yaml", {}, "?wait=30");
  const find = async (query: string) => {
    const response = await it.api("GET", `${output(id)}/search?${query}`);
    return response.status === 200 ? ((await response.json()) as OutputMatches) : refused(response);
  };
  expect(await find("q=THREE&stream=both")).toEqual({ items: [] });
  expect(await find("q=three&stream=both")).toEqual({ items: [{ line: 3, start: 0, end: 5, text: "three" }] });
  expect(await find("q=%5E(o%7Cf).*%5Bur%7Cne%5D%24&regex=1&stream=both&limit=1")).toEqual({
    items: [{ line: 1, start: 0, end: 3, text: "one" }],
    next: 1,
  });
  expect(await find("q=o&stream=both&after=1&limit=1")).toMatchObject({ items: [{ line: 2 }], next: 2 });
  expect(await find("q=o&stream=both&after=2")).toMatchObject({ items: [{ line: 4, text: "fo ur" }] });
  expect(await find("q=end")).toMatchObject({ items: [{ line: 3, start: 2 }] });
  expect(await find("q=(&regex=1")).toEqual([400, "bad-query"]);
});

test("a line that is longer than one read is read to its end, and a match after it is found", async () => {
  const { searchMs } = limits;
  onTestFinished(() => void Object.assign(limits, { searchMs }));
  // As a larger output on a slower disk: one read is a chunk.
  Object.assign(limits, { searchMs: 0 });
  const it = await served({ "both.flow.yaml": BOTH });
  const { id } = await start(it, "both.flow.yaml", {}, "?wait=30");
  const folder = join(it.home, "runs", id);
  const file = readdirSync(folder).find((name) => name.endsWith(".out"))!;
  writeFileSync(join(folder, file), `first ${"x".repeat(8_000_000)} deep\nneedle\n`);
  let isCut = false;
  const found = async (text: string): Promise<OutputMatches["items"]> => {
    let after = 0;
    isCut = false;
    for (let looks = 0; looks < 1_000; looks++) {
      const answer = await it.api("GET", `${output(id)}/search?q=${text}&after=${after}`);
      const { items, next, cut = false } = (await answer.json()) as OutputMatches;
      isCut ||= cut;
      if (items.length > 0 || next === undefined) return items;
      after = next;
    }
    throw new Error("It never ends.");
  };
  expect(await found("needle")).toMatchObject([{ line: 2, start: 0 }]);
  // Results for another text say nothing about this one.
  expect(await found("first")).toMatchObject([{ line: 1, start: 0 }]);
  expect(isCut).toBe(false);
  // Only the start of such a line is searched, and the answer says so.
  for (const text of ["deep", "nowhere"]) expect([await found(text), isCut]).toEqual([[], true]);
});

test("lines of a large output are found by their numbers, wherever the server's chunks end", async () => {
  const it = await served({ "both.flow.yaml": BOTH });
  const { id } = await start(it, "both.flow.yaml", {}, "?wait=30");
  const folder = join(it.home, "runs", id);
  const file = readdirSync(folder).find((name) => name.endsWith(".out"))!;
  const all = Array.from({ length: 300_000 }, (_, index) => `this is line ${index + 1}, Überall`);
  writeFileSync(join(folder, file), all.join("\n"));
  const found = async (text: string): Promise<OutputMatches> =>
    (await it.api("GET", `${output(id)}/search?q=${encodeURIComponent(text)}`)).json() as Promise<OutputMatches>;
  for (const line of [1, 40_001, 99_999, 250_000, 299_999, 300_000])
    expect(await found(`line ${line},`)).toMatchObject({ items: [{ line, start: 8 }] });
  expect((await found("überall")).items).toHaveLength(limits.matchesMax);
});

test("a browser saves an output from a URL that works once, without a token", async () => {
  const it = await served({ "both.flow.yaml": BOTH });
  const { id } = await start(it, "both.flow.yaml", {}, "?wait=30");
  const link = async (): Promise<string> => {
    const answer = await it.api("POST", `${output(id)}/download?stream=both`, {});
    expect(answer.status).toBe(201);
    return ((await answer.json()) as DownloadLink).url;
  };
  const url = await link();
  expect(url).toMatch(/^\/api\/v1\/downloads\/[\w-]{43}$/);
  const first = await fetch(it.url + url);
  expect([first.status, await first.text()]).toEqual([200, "one\ntwo\nthree\nfo ur\né end"]);
  expect(first.headers.get("content-disposition")).toBe('attachment; filename="talk-1.log.txt"');
  expect(first.headers.get("content-length")).toBe("26");
  expect(first.headers.get("content-encoding")).toBeNull();
  // Used, guessed, and of another page.
  expect(await refused(await fetch(it.url + url))).toEqual([410, "download-expired"]);
  expect(await refused(await fetch(`${it.url}/api/v1/downloads/${"A".repeat(43)}`))).toEqual([410, "download-expired"]);
  const other = await link();
  const foreign = { headers: { "sec-fetch-site": "cross-site" } };
  expect(await refused(await fetch(it.url + other, foreign))).toEqual([403, "foreign-origin"]);
  expect((await fetch(it.url + other)).status).toBe(200);
  expect(await refused(await it.api("POST", `${output(id, "talk", 9)}/download`, {}))).toEqual([404, "not-found"]);
  expect(await refused(await fetch(`${it.url}/api/v1${output(id)}/download`, { method: "POST" }))).toEqual([
    401,
    "no-token",
  ]);
});

test("a secret does not get out: not by output, value, lines, search, events or the run", async () => {
  const it = await served({ "hush.flow.yaml": SECRET });
  const { id } = await start(it, "hush.flow.yaml", { secrets: { TOKEN: "correct-horse-battery" } }, "?wait=30");
  const paths = [
    `/runs/${id}`,
    `/runs/${id}/nodes/say/value`,
    output(id, "say"),
    `${output(id, "say")}?stream=both&download=1`,
    `${output(id, "say")}/search?q=c`,
  ];
  for (const path of paths) expect(await (await it.api("GET", path)).text()).not.toContain("correct-horse");
  const events = await it.api("GET", `/runs/${id}/events`, undefined, { accept: "application/json" });
  expect(await events.text()).not.toContain("correct-horse");
  expect((await bytes(it, output(id, "say")))[2]).toBe("<***>\n");
});
