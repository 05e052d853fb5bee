// What `curlew http` reads: NO_PROXY, Link headers, .netrc (spec 3.6).

import { expect, test } from "vitest";
import { loginIn } from "./netrc.ts";
import { itemsOf, linksIn } from "./pages.ts";
import { isExempt, proxyFor } from "./proxies.ts";

test.each([
  ["https://a.example.com/", "example.com", true],
  ["https://a.example.com/", ".example.com", true],
  ["https://a.example.com/", "*.example.com", true],
  ["https://example.com/", "EXAMPLE.com.", true],
  ["https://badexample.com/", "example.com", false],
  ["https://example.com:8443/", "example.com:443", false],
  ["https://example.com/", "other, example.com:443", true],
  ["https://10.1.2.3/", "10.0.0.0/8", true],
  ["https://11.1.2.3/", "10.0.0.0/8", false],
  ["https://10.1.2.3/", "2.3", false],
  ["https://[::1]/", "::1", true],
  ["https://[fd00::5]/", "fd00::/8", true],
  ["https://a.example/", "*", true],
  ["https://a.example/", "", false],
  ["https://a.example/", ".", false],
  ["https://a.example/", "1.2.3.4/99", false],
])("%s with NO_PROXY=%s: %s", (url, list, wanted) => {
  expect(isExempt(new URL(url), list)).toBe(wanted);
});

test("the proxy is read as curl reads it", () => {
  const by = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href;
  expect(by("https://a.example", { HTTPS_PROXY: "proxy:3128" })).toBe("http://proxy:3128/");
  expect(by("http://a.example", { HTTP_PROXY: "http://proxy" })).toBeUndefined();
  expect(by("http://a.example", { http_proxy: "http://proxy" })).toBe("http://proxy/");
  expect(by("https://a.example", { ALL_PROXY: "socks5h://proxy:1080" })).toBe("socks5://proxy:1080");
  expect(by("https://a.example", { https_proxy: "", ALL_PROXY: "http://all" })).toBe("http://all/");
  expect(() => by("https://a.example", { https_proxy: "ftp://proxy" })).toThrow(expect.objectContaining({ exit: 5 }));
});

test("links are read as the standard writes them", () => {
  const found = (text: string) => linksIn(text)?.map(({ to, rels }) => `${to} ${rels.join("+")}`);
  expect(found('<https://a/?p=2>; rel="next"')).toEqual(["https://a/?p=2 next"]);
  expect(found("</a,b>;REL=Next;title=x , <b>; title=\"a, <c>; rel=next\"; rel='prev'")).toEqual([
    "/a,b next",
    "b prev",
  ]);
  expect(found('<a>; rel="first next"; hreflang=de,<b>')).toEqual(["a first+next", "b "]);
  expect(found("https://a; rel=next")).toBeUndefined();
  expect(found("<a; rel=next")).toBeUndefined();
});

test("a .netrc may hold comments, quotes, macros and a default", () => {
  const text = `# mine
machine a.example login ann password "p \\"w"
macdef init
machine b.example login evil password evil

machine b.example
  login bob account x password pw
default login any password any`;
  expect(loginIn(text, "A.example")).toMatchObject({ login: "ann", password: 'p "w' });
  expect(loginIn(text, "b.example")).toMatchObject({ login: "bob", password: "pw" });
  expect(loginIn(text, "c.example")).toMatchObject({ login: "any", password: "any" });
  expect(loginIn("machine a login b password c", "d")).toBeUndefined();
});

test("the items of a page are found where there is no doubt", () => {
  expect(itemsOf([1], undefined)).toEqual([1]);
  expect(itemsOf({ data: [1], links: [2] }, undefined)).toEqual([1]);
  expect(itemsOf({ issues: [1], total: 1 }, undefined)).toEqual([1]);
  expect(itemsOf({ a: [1], b: [2] }, undefined)).toBeUndefined();
  expect(itemsOf({ a: { b: null } }, ["a", "b"])).toEqual([]);
  expect(itemsOf(null, undefined)).toEqual([]);
  expect(itemsOf({ items: null, total: 0 }, undefined)).toEqual([]);
  expect(itemsOf({ items: null, issues: [1] }, undefined)).toEqual([1]);
  expect(itemsOf({ a: null }, undefined)).toBeUndefined();
  expect(itemsOf({ a: { b: 1 } }, ["a", "b"])).toBeUndefined();
});
