// The HTTP form: what it reads from a curl call, what it writes into it, and that the rest of the command stays.

import { describe, expect, test } from "vitest";
import {
  type HttpCall,
  type HttpForm,
  readHttp,
  titleOfRequest,
  withBodyKind,
  withBodyText,
  withFormRow,
  withHeader,
  withMethod,
  withQuery,
  withUrl,
} from "./http-form.ts";

async function call(content: string): Promise<HttpCall> {
  const read = await readHttp(content);
  if (read === undefined || "unfit" in read) throw new Error(`${content}: ${read?.unfit ?? "no curl"}`);
  return read;
}
const formOf = async (content: string): Promise<HttpForm> => (await call(content)).form;
type Step = (one: HttpCall) => string;
/** The command after several changes of the form, each of which reads the text again. */
async function changed(content: string, ...steps: Step[]): Promise<string> {
  let text = content;
  for (const step of steps) text = step(await call(text));
  return text;
}
const row = (name: string, value: string) => ({ name, value });
const free = (name: string, value: string) => ({ name, value, fixed: false });

describe("the form reads", () => {
  test("method, URL, query, headers, and a JSON body, with values by name", async () => {
    const content =
      'curl -sS -X put "https://api.test/${repo}/issues?page=2&q=a%20b+c&${more}" -H "Authorization: Bearer ${TOKEN}" ' +
      "-H'Accept: */*' --json '{\"n\": ${1|json}}' -fL -m 20";
    expect(await formOf(content)).toEqual({
      method: "PUT",
      url: { text: "https://api.test/${repo}/issues?page=2&q=a%20b+c&${more}", fixed: false },
      query: [free("page", "2"), free("q", "a b c"), free("${more}", "")],
      headers: [free("Authorization", "Bearer ${TOKEN}"), free("Accept", "*/*")],
      body: { kind: "json", text: '{"n": ${1|json}}', fixed: false },
    });
  });

  test.each<[command: string, method: string, body: HttpForm["body"]]>([
    ["curl x.test", "GET", { kind: "none" }],
    ["curl -I x.test", "HEAD", { kind: "none" }],
    ["curl x.test -d 'a=1&b=2'", "POST", { kind: "raw", text: "a=1&b=2", fixed: false }],
    [
      "curl x.test -H 'content-type: application/json; charset=utf-8' -d '{}'",
      "POST",
      { kind: "json", text: "{}", fixed: false },
    ],
    ["curl x.test -d @file.json", "POST", { kind: "raw", text: "@file.json", fixed: false }],
    ["curl x.test --json @-", "POST", { kind: "stdin" }],
    ["curl x.test --data-binary @- -X PATCH", "PATCH", { kind: "stdin" }],
    [
      "curl x.test --data-urlencode 'q=a b' --data-urlencode r=${x}",
      "POST",
      { kind: "form", rows: [free("q", "a b"), free("r", "${x}")] },
    ],
    [
      "curl x.test -F file=@a.png -F n=1",
      "POST",
      { kind: "multipart", rows: [free("file", "@a.png"), free("n", "1")] },
    ],
    ["curl x.test -d a=1 -d b=2", "POST", { kind: "other" }],
    ["curl -T big.iso x.test", "PUT", { kind: "other" }],
    ['curl x.test -d "$HOME"', "POST", { kind: "raw", text: "$HOME", fixed: true }],
  ])("%s", async (command, method, body) => {
    expect(await formOf(command)).toMatchObject({ method, body });
  });

  test("literal text that looks like a value is escaped, as in any template", async () => {
    expect(await formOf("curl x.test -H 'X: $${a}' -H \"Y: \\${b} \\$5\"")).toMatchObject({
      headers: [free("X", "$${a}"), free("Y", "$${b} $5")],
    });
  });

  test.each([
    ["curl a.test | jq .", "pipe"],
    ["set -e\ncurl a.test", "several commands"],
    ["curl a.test && curl b.test", "several commands"],
    ['curl "a.test/$(date)"', "several commands"],
    ["for i in 1 2; do curl a.test; done", "loop"],
    ["sh -c 'curl a.test'", "several commands"],
    ["curl a.test --next b.test", "--next"],
    ["curl -K file", "-K"],
    ['curl "$@"', "-K"],
    ["curl a.test b.test", "several URLs"],
    ["curl -G -d a=1 a.test", "-G"],
    ["curl 'a.test", "not complete"],
  ])("%s cannot be shown", async (command, why) => {
    expect(await readHttp(command)).toEqual({ unfit: expect.stringContaining(why) });
  });

  test("a command without curl has no form", async () => {
    expect(await readHttp("echo hello")).toBeUndefined();
    expect(await readHttp("wget a.test")).toBeUndefined();
  });
});

describe("the form writes", () => {
  test.each<[from: string, step: Step, to: string]>([
    [
      "curl  a.test   # note",
      (one) => withUrl(one, "https://b.test/${id}?q=1"),
      'curl  "https://b.test/${id}?q=1"   # note',
    ],
    ["curl 'a.test' -s", (one) => withUrl(one, "https://b.test"), "curl 'https://b.test' -s"],
    ["curl --url=a.test -s", (one) => withUrl(one, "b.test"), "curl --url=b.test -s"],
    ["curl -s", (one) => withUrl(one, "b.test"), "curl -s b.test"],
    ["curl a.test", (one) => withMethod(one, "DELETE"), "curl -X DELETE a.test"],
    ["curl -sXPOST a.test", (one) => withMethod(one, "PUT"), "curl -sXPUT a.test"],
    ["curl -sXPOST a.test", (one) => withMethod(one, "GET"), "curl -s a.test"],
    ["curl -sX POST a.test", (one) => withMethod(one, "GET"), "curl -s a.test"],
    ["curl -sI a.test", (one) => withMethod(one, "GET"), "curl -s a.test"],
    ["curl --request PUT a.test", (one) => withMethod(one, "HEAD"), "curl --head a.test"],
    ["curl -X PUT --json '{}' a.test", (one) => withMethod(one, "POST"), "curl --json '{}' a.test"],
    ["curl a.test", (one) => withHeader(one, 0, row("Accept", "text/plain")), "curl -H 'Accept: text/plain' a.test"],
    [
      "curl -H'A: 1' \\\n  -H 'B: 2' \\\n  a.test",
      (one) => withHeader(one, 2, row("C", "${c}")),
      "curl -H'A: 1' \\\n  -H 'B: 2' \\\n  -H \"C: ${c}\" \\\n  a.test",
    ],
    [
      "curl -H'A: 1' \\\n  -H 'B: 2' \\\n  a.test",
      (one) => withHeader(one, 0, undefined),
      "curl \\\n  -H 'B: 2' \\\n  a.test",
    ],
    ["curl -H'A: 1' a.test", (one) => withHeader(one, 0, row("A", "it's")), 'curl -H"A: it\'s" a.test'],
    ["curl -H 'A: 1' a.test", (one) => withHeader(one, 0, row("A", "")), "curl -H 'A;' a.test"],
    [
      "curl 'a.test?x=1&y=%zz#top'",
      (one) => withQuery(one, 2, row("a b", "ü&${q|uri}")),
      "curl 'a.test?x=1&y=%zz&a%20b=%C3%BC%26${q|uri}#top'",
    ],
    ["curl 'a.test?x=1&y=+2'", (one) => withQuery(one, 0, undefined), "curl 'a.test?y=+2'"],
    ["curl 'a.test?x=1'", (one) => withQuery(one, 0, undefined), "curl 'a.test'"],
    ["curl a.test", (one) => withBodyKind(one, "json"), "curl --json '{}' a.test"],
    ["curl -X GET a.test", (one) => withBodyKind(one, "form"), "curl --data-urlencode name=value a.test"],
    ["curl --json '{\"a\":1}' a.test", (one) => withBodyKind(one, "raw"), "curl --data-raw '{\"a\":1}' a.test"],
    ["curl -d a=1 -d b=2 a.test", (one) => withBodyKind(one, "none"), "curl a.test"],
    [
      "curl --json '{\"a\":1}' a.test",
      (one) => withBodyText(one, '{"a": ${1|json}}'),
      "curl --json '{\"a\": ${1|json}}' a.test",
    ],
    ["curl -d@x a.test", (one) => withBodyText(one, "a'b"), 'curl -d"a\'b" a.test'],
    ["curl -F a=1 -F b=2 a.test", (one) => withFormRow(one, 2, row("c", "3")), "curl -F a=1 -F b=2 -F c=3 a.test"],
  ])("%s", async (from, step, to) => {
    expect(await changed(from, step)).toBe(to);
  });
});

test("a title is the method and the path, or the host", async () => {
  const title = async (content: string) => titleOfRequest(await formOf(content));
  expect(await title("curl https://api.test/v1/items/?page=2")).toBe("GET /v1/items");
  expect(await title('curl -X PUT "${api}/items/${id}"')).toBe("PUT /items/${id}");
  expect(await title("curl api.test -d 1")).toBe("POST api.test");
  expect(await title("curl -s")).toBeUndefined();
});

/** Texts with every character that a shell, a URL, or a template treats specially. */
const TEXTS = [
  ...[
    "",
    "plain",
    "two words",
    "it's",
    'say "hi"',
    "a\\b",
    "back`tick`",
    "$5 and $HOME",
    "50%",
    "a&b=c?d#e",
    "!x",
    "~",
    "*",
    "-x",
  ],
  ...[
    "${x}",
    "a ${x} b",
    "${x|json}${y.z[0]}",
    '${x|default("n}o\\"")}',
    "$${x}",
    "a $${x} ${y}",
    "${un",
    "}{",
    "ü → 語",
    "a\nb",
    "@file",
    ";",
    "(x)",
    "'${x}'",
  ],
];

describe("reading what was written gives the same", () => {
  test.each(TEXTS)("%j", async (text) => {
    for (const like of ["", "'", '"']) {
      const from = `curl -H ${like}A: 1${like}`.replace("A: 1", like === "" ? "A:1" : "A: 1");
      const start = `${from} -d ${like}x${like} ${like}https://a.test/?q=1${like}`;
      const written = await changed(
        start,
        (one) => withQuery(one, 0, row("q", text)),
        (one) => withBodyText(one, text),
        (one) => withHeader(one, 0, row("B", text.trim())),
      );
      const form = await formOf(written);
      expect(form.query, written).toEqual([free("q", text)]);
      expect(form.body, written).toEqual({ kind: "raw", text, fixed: false });
      expect(form.headers, written).toEqual([free("B", text.trim())]);
      if (/[\s?#]/.test(text)) continue;
      expect((await formOf(await changed(written, (one) => withUrl(one, `https://a.test/${text}`)))).url).toEqual({
        text: `https://a.test/${text}`,
        fixed: false,
      });
    }
  });
});
