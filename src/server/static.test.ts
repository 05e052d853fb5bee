// The files of the web UI: what a browser may keep, what is compressed, and what is asked for again.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { openPages } from "./static.ts";

const SCRIPT = `console.log("${"curlew ".repeat(300)}")`;
const PAGE = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">';

function built(): (path: string, headers?: Record<string, string>, method?: string) => Response {
  const folder = tempFolder();
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "theme.js"), SCRIPT);
  writeFileSync(join(folder, "assets/app-D-9_jOwy.js"), SCRIPT);
  writeFileSync(join(folder, "assets/app-D-9_jOwy.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/inter-Dx4kXJAl.woff2"), Buffer.alloc(2_000));
  const pages = openPages(folder);
  return (path, headers, method) => pages.answer(new Request(`http://127.0.0.1${path}`, { headers, method }));
}

const bytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test("browsers keep assets for a year, and get the best encoding that they accept", async () => {
  const get = built();
  const asset = (accepted: string) => get("/assets/app-D-9_jOwy.js", { "accept-encoding": accepted });
  const brotli = asset("gzip, deflate, br");
  expect(Object.fromEntries(brotli.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
    vary: "accept-encoding",
    "content-type": "text/javascript; charset=utf-8",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
  expect(brotliDecompressSync(await bytes(brotli)).toString()).toBe(SCRIPT);
  for (const accepted of ["gzip", "GZIP;q=0.5", "br;q=0, gzip"])
    expect([accepted, gunzipSync(await bytes(asset(accepted))).toString()]).toEqual([accepted, SCRIPT]);
  for (const accepted of ["identity", "", "gzip;q=0", "brotli"])
    expect([accepted, await asset(accepted).text()]).toEqual([accepted, SCRIPT]);
  const head = get("/assets/app-D-9_jOwy.js", { "accept-encoding": "br" }, "HEAD");
  expect([head.headers.get("content-length"), await head.text()]).toEqual([brotli.headers.get("content-length"), ""]);
  // Fonts are compressed already. The copies are not served by name.
  expect(get("/assets/inter-Dx4kXJAl.woff2", { "accept-encoding": "gzip" }).headers.get("content-encoding")).toBe(null);
  expect(get("/assets/app-D-9_jOwy.js.br").status).toBe(404);
});

test("other files are revalidated, and 304 confirms the copy, with the same policy", async () => {
  const get = built();
  const first = get("/theme.js", { "accept-encoding": "gzip" });
  expect(first.headers.get("cache-control")).toBe("no-cache");
  const etag = first.headers.get("etag")!;
  const again = get("/theme.js", { "accept-encoding": "gzip", "if-none-match": `"other", ${etag}` });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect(again.headers.get("content-security-policy")).toBe(first.headers.get("content-security-policy"));
  expect(get("/theme.js", { "if-none-match": etag }).status, "another encoding").toBe(200);
});

test("the page is always revalidated, and each response has its own nonce", async () => {
  const get = built();
  const pages = ["/", "/runs"].map((path) => get(path, { "accept-encoding": "gzip, br" }));
  const nonces = await Promise.all(pages.map(async (page) => /content="([^"]+)"/.exec(await page.text())![1]));
  expect(new Set(nonces).size).toBe(2);
  for (const [index, page] of pages.entries()) {
    expect(page.headers.get("content-security-policy")).toContain(`'nonce-${nonces[index]}'`);
    expect([page.headers.get("cache-control"), page.headers.get("etag")]).toEqual(["no-store", null]);
  }
});
