import { describe, expect, test } from "vitest";
import { curlNeedsPlainHttp, hostOf, isLoopbackUrl, schemeOf } from "./addresses.ts";

test.each([
  ["http://localhost", true],
  ["http://LOCALHOST:8080/x", true],
  ["http://api.localhost/x", true],
  ["http://127.0.0.1:4790", true],
  ["http://127.1.2.3/x?y#z", true],
  ["http://[::1]:80/", true],
  ["http://[0:0:0:0:0:0:0:1]/", true],
  ["http://localhost./", false],
  ["http://a.localhost.:80/", false],
  ["http://localhost.example.com", false],
  ["http://127.0.0.1.example.com/", false],
  ["http://localhost@example.com/", false],
  ["http://localhost:80@example.com/", false],
  ["http://example.com/localhost", false],
  ["http://example.com?localhost", false],
  ["http://128.0.0.1", false],
  ["http://10.0.0.1", false],
  ["http://[::2]", false],
  ["http://0.0.0.0", false],
  ["http://localhost\\@example.com", false],
  ["http://user:pw@127.0.0.1:8080/x", true],
  ["http://user@localhost/", true],
  ["http://us%40er:p%2Fw@[::1]/", true],
  ["http://a@b@127.0.0.1/", false],
  ["http://example.com\\@127.0.0.1/", false],
  ["http://example.com/@127.0.0.1/", false],
  ["http://example.com#@127.0.0.1/", false],
  ["http://example.com?@127.0.0.1/", false],
  ["http://user:pw@127.0.0.1.example.com/", false],
])("%s loopback: %s", (url, loopback) => expect(isLoopbackUrl(url)).toBe(loopback));

test.each([
  ["http://x", "http"],
  ["HTTPS://x", "https"],
  ["file:/etc/passwd", "file"],
  ["file:///etc/passwd", "file"],
  ["telnet:host", "telnet"],
  ["localhost:8080/x", undefined],
  ["example.com:443", undefined],
  ["example.com:path", undefined],
  ["example.com", undefined],
  ["custom://x", "custom"],
])("the scheme of %s is %s", (url, scheme) => expect(schemeOf(url)).toBe(scheme));

test("a host after user information is accepted only if every client reads it the same way", () => {
  expect(hostOf("https://user:x@host/")).toBe("host");
  expect(hostOf("https://user:x\\@host/")).toBeUndefined();
  expect(hostOf("https://user@x@host/")).toBeUndefined();
  expect(hostOf("https://Host:80/")).toBe("host");
});

describe("curl must be allowed http://", () => {
  test.each<[string, string[]]>([
    ["curl http://127.0.0.1:4790/items", []],
    ["curl http://127.0.0.1:4790\\\n --silent", []],
    ["curl http://me:pw@127.0.0.1:4790/items", []],
    ['curl "http://localhost:${port}/items"', ["4790"]],
    ['curl "${api}/items"', ["http://127.0.0.1:4790"]],
    ['curl "http://${host}/items"', ["localhost:8080"]],
    ['curl "http://$HOST/items"', ["127.0.0.1"]],
    ['curl "${api}/items"', ["https://x", "http://[::1]:80/"]],
  ])("%s with %j", (text, values) => expect(curlNeedsPlainHttp(text, values)).toBe(true));
  test.each<[string, string[]]>([
    ["curl https://127.0.0.1:4790/items", []],
    ["curl http://example.com", []],
    ["curl http://localhost.example.com", []],
    ['curl "${api}/items"', ["http://localhost@example.com"]],
    ['curl "${api}/items"', ["see http://localhost:1/"]],
    ['curl -d @- "https://x/"', ["localhost"]],
    ['curl "${api}/items"', ["http://localhost'@example.com"]],
    ['curl "http://${host}/items"', ["localhost.example.com"]],
  ])("not: %s with %j", (text, values) => expect(curlNeedsPlainHttp(text, values)).toBe(false));
});
