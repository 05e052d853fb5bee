// A credential goes to the hosts of its entry only, whatever address an answer or a redirect names (spec 8.4).

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { CURL_FRONT } from "../../src/process/http-observer/curl-front.ts";
import { folder } from "../cli/curlew.ts";
import { type Answer, serve } from "./server.ts";

const env = { TOKEN: "the-token-of-the-test" };
const workflow = (entry: string, content: string) => `curlew: 1
name: Calls
inputs: { api: { type: string } }
secrets: [TOKEN]
auth: { api: { ${entry} } }
nodes:
  - { id: call, type: cli, data: { title: Call, auth: api, content: ${JSON.stringify(content)} } }
`;

const BEARER = 'type: bearer, token: "${TOKEN}"';
const KEY = 'type: header, name: X-Api-Key, value: "${TOKEN}"';

const answer: Answer = ({ url, headers }, response) => {
  const elsewhere = `http://localhost:${headers.host?.split(":")[1]}/there`;
  if (url === "/next") response.end(elsewhere);
  else if (url === "/moved") response.writeHead(302, { location: elsewhere }).end();
  else response.end("answer\n");
};

interface Expected {
  entry?: string;
  content: string;
  /** Paths that were called with the credential. */
  with: string[];
  without: string[];
  warned?: string;
}

async function check({ entry = BEARER, content, with: signed, without, warned }: Expected): Promise<void> {
  const { url, seen } = await serve(answer);
  const it = folder({ "a.flow.yaml": workflow(entry, content) });
  const ran = await it.run(["run", "a.flow.yaml", "--input", `api=${url}`], { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const isSigned = ({ headers }: (typeof seen)[number]) => JSON.stringify(headers).includes(env.TOKEN);
  expect(seen.filter(isSigned).map((one) => one.url)).toEqual(signed);
  expect(seen.filter((one) => !isSigned(one)).map((one) => one.url)).toEqual(without);
  const shown = (await it.run("runs show latest --json")).stdout;
  if (warned === undefined) expect(shown).not.toContain("auth-held-back");
  else expect(shown).toContain(`because it is not for ${warned}.`);
}

test("the help of a 401 without the credential names the host, not the key", async () => {
  const { url } = await serve((_, response) => response.writeHead(401).end());
  const content = `curl -sS ${url}/a || true; curl --fail -sS ${url.replace("127.0.0.1", "localhost")}/b`;
  const it = folder({ "a.flow.yaml": workflow(`${BEARER}, hosts: [127.0.0.1]`, content) });
  const ran = await it.run("run -q a.flow.yaml", { env });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("because it is not for localhost.") });
  expect(ran.stderr).not.toContain("check the key");
});

const FOLLOW = 'next=$(curl -sS "${api}/next"); curl -sS "$next"';

test("an address in an answer gets no credential", () =>
  check({ content: FOLLOW, with: ["/next"], without: ["/there"], warned: "localhost" }));

test("a script that calls what it assigns keeps to the hosts that it writes down", () =>
  check({
    content: 'u="${api}/next"; u=$(curl -sS "$u"); curl -sS "$u"',
    with: ["/next"],
    without: ["/there"],
    warned: "localhost",
  }));

test("an input that an event has filled names no host", async () => {
  const { url, seen } = await serve(answer);
  const content = `curl -sS ${url}/a; curl -sS "\${to}"`;
  const hook = `on: [{ webhook: { path: in, verify: none } }]\ninputs: { to: { type: string } }`;
  const text = workflow(BEARER, content).replace("inputs: { api: { type: string } }", hook);
  const it = folder({ "a.flow.yaml": text });
  const to = `http://localhost:${new URL(url).port}/there`;
  const ran = await it.run(["run", "a.flow.yaml", "--input", `to=${to}`, "--input", "event={}"], { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/a", `Bearer ${env.TOKEN}`],
    ["/there", undefined],
  ]);
});

test("curlew http keeps to the hosts, too", () =>
  check({
    content: 'next=$(curlew http GET "${api}/next"); curlew http GET "$next"',
    with: ["/next"],
    without: ["/there"],
    warned: "localhost",
  }));

test("hosts that the entry lists all get it", () =>
  check({
    entry: `${BEARER}, hosts: ["127.0.0.1", localhost]`,
    content: FOLLOW,
    with: ["/next", "/there"],
    without: [],
  }));

test("hosts that the entry lists are the only ones", () =>
  check({
    entry: `${BEARER}, hosts: ["*.example.org"]`,
    content: 'curl -sS "${api}/a"',
    with: [],
    without: ["/a"],
    warned: "127.0.0.1",
  }));

test("a redirect takes no credential along, and a header of one's own is not sent where it might", async () => {
  await check({ content: 'curl -sSL "${api}/moved"', with: ["/moved"], without: ["/there"] });
  await check({
    entry: KEY,
    content: 'curl -sSL "${api}/moved"; curl -sS "${api}/b"',
    with: ["/b"],
    without: ["/moved", "/there"],
    warned: "where a redirect leads (-L)",
  });
});

test("a value of another node names no host", async () => {
  const { url, seen } = await serve(answer);
  const it = folder({
    "a.flow.yaml": `curlew: 1
name: Calls
inputs: { api: { type: string } }
secrets: [TOKEN]
auth: { api: { ${BEARER} } }
nodes:
  - { id: first, type: cli, data: { title: First, auth: api, content: 'curl -sS "\${api}/next"' } }
  - { id: second, type: cli, data: { title: Second, auth: api, content: 'curl -sS "\${1}"' } }
edges: [first -> second]
`,
  });
  expect(await it.run(["run", "a.flow.yaml", "--input", `api=${url}`], { env })).toMatchObject({ code: 0 });
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/next", `Bearer ${env.TOKEN}`],
    ["/there", undefined],
  ]);
});

test("an answer that a subflow gets as input names no host, however deep", async () => {
  const { url, seen } = await serve(answer);
  const inputs = "inputs: { api: { type: string }, to: { type: string } }";
  const call = `{ id: call, type: cli, data: { title: Call, auth: api, content: 'curl -sS "\${api}/a"; curl -sS "\${to}"' } }`;
  const subflow = (file: string, to: string) =>
    `{ id: sub, type: subflow, data: { title: Sub, workflow: ./${file}, inputs: { api: "\${api}", to: "\${${to}}" } } }`;
  const head = (name: string) => `curlew: 1\nname: ${name}\n${inputs}\nsecrets: [TOKEN]\n`;
  const it = folder({
    "a.flow.yaml": `${head("Outer").replace(", to: { type: string }", "")}nodes:
  - { id: ask, type: cli, data: { title: Ask, content: 'curl -sS "\${api}/next"' } }
  - ${subflow("b.flow.yaml", "1")}
edges: [ask -> sub]
`,
    "b.flow.yaml": `${head("Between")}nodes:\n  - ${subflow("c.flow.yaml", "to")}\n`,
    "c.flow.yaml": `${head("Inner")}auth: { api: { ${BEARER} } }\nnodes:\n  - ${call}\n`,
  });
  const ran = await it.run(["run", "a.flow.yaml", "--input", `api=${url}`], { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/next", undefined],
    ["/a", `Bearer ${env.TOKEN}`],
    ["/there", undefined],
  ]);
});

test("the front of curl reads each URL as curl does, or sends no credential", () => {
  const path = mkdtempSync(join(tmpdir(), "curlew-hosts-"));
  const front = join(path, "http-front/curl");
  mkdirSync(join(path, "http-front"));
  mkdirSync(join(path, "real"));
  writeFileSync(front, CURL_FRONT);
  writeFileSync(join(path, "real/curl"), '#!/bin/sh\n[ "$2" = --version ] || printf %s "${CURL_HOME-none}"\n');
  for (const file of [front, join(path, "real/curl")]) chmodSync(file, 0o700);
  const called = (args: string[], more: Record<string, string> = {}): string =>
    spawnSync(front, args, {
      encoding: "utf8",
      env: {
        PATH: [join(path, "http-front"), join(path, "real"), "/usr/bin", "/bin"].join(delimiter),
        ...{ CURLEW_HTTP: join(path, "calls"), CURL_HOME: "with", CURLEW_AUTH_WITHOUT: "without" },
        ...{ CURLEW_AUTH_HOSTS: "api.example.com *.example.org [::1]", ...more },
      },
    }).stdout;
  const ours = [
    "https://api.example.com",
    "https://api.example.com:8443/a?b=//evil.com",
    "api.example.com/a@evil.com",
    "https://me:secret@api.example.com/",
    "https://a.b.example.org/",
    "http://[::1]:80/",
  ];
  const theirs = [
    "https://evil.com/",
    "https://api.example.com@evil.com/",
    "https://api.example.com.evil.com/",
    "https://evilapi.example.com/",
    "https://example.org/",
    "evil.com/x://api.example.com/",
    "https://evil.com\\@api.example.com/",
    "https://{api.example.com,evil.com}/",
    "https:///evil.com",
    "https:/evil.com",
    "//evil.com",
    " https://evil.com",
    "https://[::2]/",
    "$(evil.com)",
    "*.example.org",
  ];
  expect(ours.filter((url) => called(["-sS", url]) !== "with")).toEqual([]);
  expect(theirs.filter((url) => called(["-sS", url]) !== "without")).toEqual([]);
  expect(called(["-o", "https://evil.com", "-d", "u=https://evil.com", "https://api.example.com"])).toBe("with");
  for (const args of [
    ["https://api.example.com", "https://evil.com"],
    ["--url", "https://evil.com"],
    ["https://api.example.com", "--next", "https://evil.com"],
    ["-K", "file", "https://api.example.com"],
    ["--location-trusted", "https://api.example.com"],
  ])
    expect(called(args), args.join(" ")).toBe("without");
  expect(called(["-L", "https://api.example.com"])).toBe("with");
  expect(called(["-sSL", "https://api.example.com"], { CURLEW_AUTH_KEEPS: "1" })).toBe("without");
  expect(called(["https://evil.com"], { CURLEW_AUTH_WITHOUT: "" })).toBe("none");
});
