// Every workflow in examples/, run as a user would run it, against the real sample API: its output, its exit code, and
// the requests that arrived at the server. The last tests check that no example is missing here.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type SampleApi, startSampleApi } from "../examples/sample-api/main.ts";
import { cli, MAIN } from "./cli/curlew.ts";
import { closedPort } from "./llm/servers.ts";
import { endsWithTest } from "./setup/ends.ts";

const EXAMPLES = join(import.meta.dirname, "../examples");
const SAMPLE_ENV = join(EXAMPLES, "sample.env");

let api: SampleApi;
let home: string;
beforeAll(async () => {
  api = await startSampleApi();
  home = mkdtempSync(join(tmpdir(), "curlew-examples-"));
});
beforeEach(() => api.reset());
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

interface Given {
  input?: Record<string, string | number>;
  args?: string[];
  env?: Record<string, string>;
}
interface Expected {
  /** 0 by default. */
  exit?: number;
  /** The result: text, a pattern, or a value that it must be as JSON. By default nothing. */
  prints?: unknown;
  stderr?: RegExp;
  /** Each request as `METHOD /path?query body`, in order of arrival. */
  arrived: string[];
  /** Headers of the last request. */
  headers?: Record<string, string>;
  unordered?: boolean;
}
interface Story extends Given, Expected {
  /** The example has no input `api`. */
  withoutApi?: boolean;
}

function wordsOf(name: string, { input = {}, args = [] }: Given): string[] {
  const inputs = Object.entries(input).flatMap(([key, value]) => ["--input", `${key}=${value}`]);
  return ["run", join(EXAMPLES, `${name}.flow.yaml`), "--home", home, ...inputs, ...args];
}

async function runExample(name: string, given: Given) {
  const env = { ...process.env, ...given.env } as Record<string, string>;
  const { code, stdout, stderr } = await cli(wordsOf(name, given), process.cwd(), { env });
  return { exit: code, stdout, stderr };
}

/** Starts a process, which a signal can end. */
function start(name: string, given: Given) {
  const args = [MAIN, ...wordsOf(name, given)];
  const child = endsWithTest(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] }));
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stdout, stderr]) => ({ exit: code as number, stdout, stderr })) };
}

const checked = new Set<string>();

/** Examples that call a missing program are left out, with the reason. */
const missing = ["curl", "jq", "bwrap"].filter((program) => spawnSync(program, ["--version"]).error !== undefined);
function lacking(name: string): string[] {
  const source = readFileSync(join(EXAMPLES, `${name}.flow.yaml`), "utf8").replaceAll(/#(?!.*\bbwrap\b).*/g, "");
  return missing.filter((program) => new RegExp(`\\b${program}\\b`).test(source));
}

/** A test of one example. */
function example(name: string, title: string, body: () => Promise<void>): void {
  checked.add(name);
  const without = lacking(name);
  const why = without.length > 0 ? ` (left out: no ${without.join(" and no ")} on this machine)` : "";
  test.skipIf(without.length > 0)(`${name}: ${title}${why}`, body);
}

/** One example, run once. `title` says what happens. */
function check(name: string, title: string, story: Story | (() => Story)) {
  example(name, title, async () => {
    const { input, args, env, withoutApi, ...expected } = typeof story === "function" ? story() : story;
    const inputs = withoutApi ? input : { api: api.url, ...input };
    compare(await runExample(name, { input: inputs, args, env }), expected);
  });
}

function compare(run: { exit: number | string; stdout: string; stderr: string }, expected: Expected): void {
  const order = (lines: string[]) => (expected.unordered ? lines.toSorted() : lines);
  // The tests of the LLM node check what a model gets.
  const arrived = api.requests.filter(({ path }) => !path.startsWith("/v1/")).map(described);
  const seen = { exit: run.exit, prints: run.stdout, arrived: order(arrived) };
  const wanted = { exit: expected.exit ?? 0, prints: printed(expected.prints), arrived: order(expected.arrived) };
  expect(seen, run.stderr).toEqual(wanted);
  if (expected.stderr) expect(run.stderr).toMatch(expected.stderr);
  if (expected.headers) expect(api.requests.at(-1)?.headers).toMatchObject(expected.headers);
}

/** The expected standard output: nothing, a text and its newline, a pattern, or JSON of that value. */
function printed(wanted: unknown): unknown {
  if (wanted === undefined) return "";
  if (typeof wanted === "string") return `${wanted}\n`;
  if (wanted instanceof RegExp) return expect.stringMatching(wanted);
  return expect.toSatisfy((stdout: string) => {
    expect(JSON.parse(stdout)).toEqual(wanted);
    return stdout.endsWith("\n");
  });
}

function described({ method, path, query, body }: SampleApi["requests"][number]): string {
  const search = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return `${method} ${path}${search.length > 0 ? `?${search.join("&")}` : ""}${body === "" ? "" : ` ${body}`}`;
}

/** The item in the seed. */
function item(id: number, title: string, status: string, priority: string, assignee: number | null) {
  return { id, title, status, priority, assignee };
}
const LOGIN = item(1, "Login page ignores the Enter key", "open", "high", 1);
const TYPO = item(3, "Typo in the welcome mail", "closed", "low", 1);
const rows = (count: number) =>
  expect.toSatisfy((items: { id: number }[]) => {
    expect(items.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    return true;
  });
const JSON_TYPE = { "content-type": "application/json" };
const notFound = (id: number) => ({ error: { code: "not-found", message: `There is no row "${id}" in items.` } });

// Without a network.
example("hello", "greets, also by a name that a shell would trip over", async () => {
  const name = 'O\'Brien "$(id)" `id`';
  const { exit, stdout } = await runExample("hello", { input: { name } });
  expect([exit, stdout]).toEqual([0, `Hello, ${name}!\nHELLO, O'BRIEN "$(ID)" \`ID\`!\n`]);
});

// The request shapes.
check("fetch", "the body is the result", () => ({ prints: rows(12), arrived: ["GET /api/items"] }));
example("new-rows", "a run handles what is new since the last one", async () => {
  const input = { api: api.url };
  const arrived = ["GET /api/items?status=closed"];
  compare(await runExample("new-rows", { input }), {
    prints: /^closed: Typo in the welcome mail\n(closed: .*\n){3}$/,
    arrived,
  });
  const body = '{"status":"closed"}';
  await fetch(`${api.url}/api/items/12`, { method: "PATCH", body, headers: { "Content-Type": "application/json" } });
  api.requests.length = 0;
  compare(await runExample("new-rows", { input }), { prints: /^closed: .*\n$/, arrived });
});
example("changed", "a list is handled again only when it has changed", async () => {
  const input = { api: api.url };
  expect((await runExample("changed", { input })).stdout).toMatch(/^closed: Typo in the welcome mail\n/);
  expect((await runExample("changed", { input })).stdout).toBe("\n");
  const headers = { "Content-Type": "application/json" };
  await fetch(`${api.url}/api/items/12`, { method: "PATCH", body: '{"status":"closed"}', headers });
  expect((await runExample("changed", { input })).stdout).toMatch(/(closed: .*\n){4}/);
});
const hostile = `Say "hi" to $HOME & 'you' \\ $(id)`;
check("create", "the body arrives as it was meant", {
  input: { title: hostile },
  prints: item(13, hostile, "open", "normal", null),
  arrived: [`POST /api/items {"title": ${JSON.stringify(hostile)}, "priority": "normal"}`],
  headers: JSON_TYPE,
});
check("upload", "the file arrives as a part of a form, with its name and type", {
  prints: /filename=\\"report\.csv\\"\\r\\nContent-Type: text\/csv\\r\\n\\r\\nname,amount\\nTea,3/,
  arrived: [expect.stringMatching(/^POST \/echo .*name,amount/s) as unknown as string],
});
check("update", "the row is replaced", {
  prints: { id: 3, title: "Typo in the farewell mail", status: "open" },
  arrived: ['PUT /api/items/3 {"title": "Typo in the farewell mail", "status": "open"}'],
  headers: JSON_TYPE,
});
check("delete", "with approval beforehand the row is gone", {
  args: ["--approve", "remove"],
  prints: { deleted: 12 },
  arrived: ["DELETE /api/items/12"],
});
check("delete", "without approval nothing is sent, and the run waits", { exit: 3, stderr: /approv/i, arrived: [] });
check("asks", "allowed beforehand, the newest item is gone", {
  args: ["--yes"],
  prints: "deleted item 12",
  arrived: ["GET /api/items", "DELETE /api/items/12", 'POST /api/notes {"text": "deleted item 12"}'],
});
check("asks", "its command asks, although no field says so", {
  exit: 3,
  stderr: /It deletes: curl sends DELETE/,
  arrived: ["GET /api/items"],
});
check("approvals", "each call waits for itself, inside the subflow of its pass", {
  exit: 3,
  stderr: /each\[0\]\/remove[\s\S]*each\[1\]\/remove/,
  arrived: [],
});
check("approvals", "approved beforehand, both are gone", {
  args: ["--approve", "each/remove"],
  prints: [11, 12],
  arrived: ["DELETE /api/items/11", "DELETE /api/items/12"],
  unordered: true,
});
check("approvals-one", "it asks in the author's words", { input: { id: "3" }, exit: 3, stderr: /approv/, arrived: [] });
check("search", "the words arrive whole", {
  input: { query: "a&b=c d/ü%" },
  prints: { query: "a&b=c d/ü%", total: 0, items: [] },
  arrived: ["GET /api/search?q=a&b=c d/ü%&limit=5"],
});
check("graphql", "the list is passed on", {
  prints: [
    { id: 1, title: LOGIN.title, assignee: { name: "Ada" } },
    { id: 2, title: "Export stops after 1,000 rows", assignee: { name: "Grace" } },
    { id: 4, title: "Dark theme flickers on load", assignee: { name: "Katherine" } },
  ],
  arrived: ['POST /graphql {"query": "{ items(status: \\"open\\", limit: 3) { id title assignee { name } } }"}'],
  headers: JSON_TYPE,
});
check("sandbox", "the data is fetched outside and counted inside", { prints: "8", arrived: ["GET /api/items"] });
const secure = () => ({ secureApi: api.httpsUrl });
check("egress", "an address of a listed host is followed", () => ({
  input: secure(),
  withoutApi: true,
  prints: expect.objectContaining({ id: 3 }) as unknown,
  arrived: ["GET /api/items/3"],
}));
check("egress", "any other is refused", () => ({
  input: { ...secure(), next: "https://elsewhere.example/x" },
  withoutApi: true,
  exit: 1,
  stderr: /error\[egress-refused\][^\n]*elsewhere\.example/,
  arrived: [],
}));
check("graphql-variables", "what changes goes beside the query", () => ({
  input: { status: "closed" },
  prints: {
    data: {
      items: [
        { id: 3, title: TYPO.title },
        { id: 6, title: "Time zone of reports is wrong" },
      ],
    },
  },
  arrived: [expect.stringContaining('"variables": { "status": "closed", "limit": 2 }') as string],
}));

// Authentication.
const env = { args: ["--env-file", SAMPLE_ENV] };
const welcome = (scheme: string) => ({ message: `Welcome. You came in by ${scheme}.`, scheme });
check("api-key", "the key goes in its header", {
  ...env,
  prints: welcome("api-key"),
  arrived: ["GET /protected/api-key"],
  headers: { "x-api-key": "sample-api-key" },
});
check("bearer", "the token goes in the Authorization header", {
  ...env,
  prints: welcome("bearer"),
  arrived: ["GET /protected/bearer"],
  headers: { authorization: "Bearer sample-access-token" },
});
const ownHome = mkdtempSync(join(tmpdir(), "curlew-examples-home-"));
afterAll(() => rmSync(ownHome, { recursive: true, force: true }));
check("bearer", "the token may be in the local store", () => {
  const saves = ["secrets", "set", "ACCESS_TOKEN", "--home", ownHome];
  const options = { input: "sample-access-token\n", env: { ...process.env, CURLEW_KEYRING: "off" } };
  expect(spawnSync(process.execPath, [MAIN, ...saves], options).status).toBe(0);
  return {
    args: ["--home", ownHome],
    prints: welcome("bearer"),
    arrived: ["GET /protected/bearer"],
    headers: { authorization: "Bearer sample-access-token" },
  };
});
check("auth", "the token goes in the header, and is in no command", {
  ...env,
  prints: welcome("bearer"),
  arrived: ["GET /protected/bearer"],
  headers: { authorization: "Bearer sample-access-token" },
});
check("basic-auth", "name and password are sent as basic authentication", {
  ...env,
  prints: welcome("basic"),
  arrived: ["GET /protected/basic"],
  headers: { authorization: `Basic ${Buffer.from("ada.lovelace:sample-password").toString("base64")}` },
});
const GRANT = { grant_type: "client_credentials", client_id: "sample-client", client_secret: "sample-client-secret" };
check("oauth", "a token is asked for and used", () => ({
  ...env,
  prints: welcome("oauth"),
  arrived: [`POST /oauth/token ${JSON.stringify(GRANT)}`, "GET /protected/oauth"],
  headers: { authorization: expect.stringMatching(/^Bearer sample-[\w-]{32}$/) as string },
}));
test("oauth: the fetched token is nowhere in the data directory", () => {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(readFileSync(join(entry.parentPath, entry.name), "latin1"), entry.name).not.toMatch(/sample-[\w-]{32}/);
});
check("oauth-one-script", "a token is asked for and used", () => ({
  ...env,
  prints: welcome("oauth"),
  arrived: [`POST /oauth/token ${JSON.stringify(GRANT, null, 2)}\n`, "GET /protected/oauth"],
}));
check("auth-tokens", "one token for both nodes", {
  ...env,
  prints: welcome("bearer"),
  arrived: [`POST /oauth/token ${JSON.stringify(GRANT)}`, "GET /protected/oauth", "GET /protected/bearer"],
});
example("auth-device", "a person signs in once, and the run goes by it", async () => {
  const file = join(EXAMPLES, "auth-device.flow.yaml");
  const args = [MAIN, "auth", "login", "sample", file, "--input", `api=${api.url}`, "--home", home];
  const login = endsWithTest(spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] }));
  const closed = once(login, "close");
  let said = "";
  for await (const part of login.stderr.setEncoding("utf8")) {
    const before = said;
    said += part;
    const code = /The code there is {2}(\S+)\n/;
    if (code.test(said) && !code.test(before)) {
      const body = JSON.stringify({ user_code: code.exec(said)![1], decision: "allow" });
      await fetch(`${api.url}/oauth/device/answer`, { method: "POST", headers: JSON_TYPE, body });
    }
  }
  expect((await closed)[0], said).toBe(0);
  const { exit, stdout, stderr } = await runExample("auth-device", { input: { api: api.url } });
  expect([exit, JSON.parse(stdout)], stderr).toEqual([0, welcome("oauth")]);
});
for (const name of ["api-key", "bearer", "basic-auth", "oauth", "oauth-one-script", "auth-tokens"]) {
  check(name, "without credentials nothing is sent, and the message names what is missing", {
    exit: 2,
    stderr: /needs the secret (API_KEY|ACCESS_TOKEN|API_USERNAME|CLIENT_ID), but it is not set/,
    arrived: [],
  });
}

// The patterns.
const DIGEST =
  "8 open items, 4 of them urgent: Login page ignores the Enter key; Export stops after 1,000 rows; " +
  "Sync never ends on slow networks; Undo restores the wrong version.";
check("fetch-process-send", "what was fetched is worked on and sent", {
  prints: { text: DIGEST, id: 1 },
  arrived: ["GET /api/items?status=open", `POST /api/notes {\n  "text": "${DIGEST}"\n}`],
});
example("fetch-analyse-send", "the model's verdict is sent", async () => {
  const env = { SAMPLE_BASE_URL: `${api.url}/v1` };
  for (const [status, said] of [
    [503, "HTTP 503: fail, worth repeating: true"],
    [200, "HTTP 200: ok, worth repeating: false"],
  ] as const) {
    api.reset();
    const run = await runExample("fetch-analyse-send", { input: { api: api.url, status }, env });
    compare(run, {
      prints: { text: said, id: 1 },
      arrived: [`GET /status/${status}`, `POST /api/notes {"text": "${said}"}`],
    });
  }
});
check("conditional", "an open item takes the true branch", {
  prints: { text: `Please look at: ${LOGIN.title}`, id: 1 },
  arrived: ["GET /api/items/1", `POST /api/notes {\n  "text": "Please look at: ${LOGIN.title}"\n}\n`],
});
check("conditional", "a closed item takes the false branch", {
  input: { id: 3 },
  prints: { ...TYPO, id: 1 },
  arrived: ["GET /api/items/3", `POST /api/archive ${JSON.stringify(TYPO)}`],
});
check("pagination", "three pages, collected in order", () => ({
  prints: rows(12),
  arrived: [1, 2, 3].map((page) => `GET /api/pages?size=4&page=${page}`),
}));
check("pagination", "no pages are fine too", { input: { pages: 0 }, prints: "", arrived: [] });
check("pagination-cursor", "page after page until there is no next", () => ({
  prints: rows(12),
  arrived: ["", "YWZ0ZXI6NQ==", "YWZ0ZXI6MTA="].map((cursor) => `GET /api/cursor?limit=5&cursor=${cursor}`),
}));
check("http-pages", "all pages, as the Link headers lead", () => ({
  prints: rows(12),
  arrived: ["GET /api/items?per_page=5", "GET /api/items?per_page=5&page=2", "GET /api/items?per_page=5&page=3"],
}));
check("pagination-link", "page after page as the headers say", () => ({
  prints: rows(12),
  arrived: ["per_page=5", "per_page=5&page=2", "per_page=5&page=3"].map((query) => `GET /api/items?${query}`),
}));
check("parallel", "all at once, collected in the order of the edges", () => ({
  prints: [
    { waitedMs: 600 },
    expect.toSatisfy((users: unknown[]) => users.length === 3),
    expect.objectContaining({ total: 1 }),
  ],
  arrived: ["GET /slow?ms=600", "GET /api/users", "GET /api/search?q=sync&limit=1"],
  unordered: true,
}));
const REPORT = [
  "Login page ignores the Enter key: Ada",
  "Export stops after 1,000 rows: Grace",
  "Sync never ends on slow networks: Katherine",
  "Undo restores the wrong version: Grace",
].join("; ");
check("report", "each node names the values that it needs", {
  prints: `Login page ignores the Enter key is the first of the open items. Sent: ${REPORT}`,
  arrived: ["GET /api/items?status=open", "GET /api/users", `POST /api/notes ${JSON.stringify({ text: REPORT })}`],
  unordered: true,
});
check("field", "one field, without quotes", {
  input: { id: 5 },
  prints: "Search misses words with umlauts",
  arrived: ["GET /api/items/5"],
});
check("field", "a call that failed is not an empty field", {
  input: { id: 99 },
  exit: 1,
  stderr: /404/,
  arrived: ["GET /api/items/99"],
});
check("script-stdin", "the script reads JSON and prints a field", {
  input: { field: "priority" },
  prints: "high",
  arrived: ["GET /api/items/2"],
});
check("subflow", "two inner runs, each with its own inputs", {
  prints: `1. ${LOGIN.title}\n2. Export stops after 1,000 rows`,
  arrived: ["GET /api/items/1", "GET /api/items/2"],
  unordered: true,
});

// Errors, status and patience.
check("retry-wrapper", "notices, then the answer", {
  prints: { message: "Here you are, after 2 failures.", attempt: 3 },
  arrived: Array(3).fill("GET /flaky?key=wrapper&fail=2"),
});
check("retry-wrapper-exhausted", "notices, then an error", {
  exit: 1,
  stderr: /gave up after 3 attempts; the last time the server responded with HTTP status 503[\s\S]*try again later/,
  arrived: Array(3).fill("GET /status/503"),
});
check("retry", "Curlew repeats the node", {
  prints: { message: "Here you are, after 2 failures.", attempt: 3 },
  arrived: Array(3).fill("GET /flaky?key=retry&fail=2"),
});
check("rate-limit", "four calls, none of them refused", () => ({
  prints: /^(\{"key":"polite","remaining":[01]\}\n){4}$/,
  arrived: Array(4).fill("GET /limited?key=polite"),
}));
check(
  "shared-budget",
  "three calls under a budget of two, none of them refused; then an answer to be used again",
  () => ({
    prints: LOGIN,
    arrived: [...Array(3).fill("GET /limited?key=shared&limit=2&window=1000"), "GET /api/items/1"],
  }),
);
check("status-checked", "a 404 fails the run", { exit: 1, stderr: /\b22\b/, arrived: ["GET /api/items/404"] });
check("status-unchecked", "without the flag a 404 passes for an answer", {
  prints: notFound(404),
  arrived: ["GET /api/items/404"],
});
check("look-closer", "status, exit code, headers, and the conversation", {
  prints: /^status 200 in [\d.]+ s\nexit code 0\nx-ratelimit-\S+ \S+\n/i,
  arrived: ["GET /limited?key=look"],
});
check("status-decides", "a 404 is an answer", { prints: { found: false }, arrived: ["GET /api/items/404"] });
check("status-decides", "a 200 is the item", { input: { id: 1 }, prints: LOGIN, arrived: ["GET /api/items/1"] });
check("status-branch", "a 404 is seen without being parsed", {
  input: { id: 404 },
  prints: "There is no item 404.",
  arrived: ["GET /api/items/404"],
});
check("status-branch", "a 200 with JSON is read", { prints: LOGIN.title, arrived: ["GET /api/items/1"] });
const NOTE = 'POST /api/notes {"text": "looked for item';
check("error-branch", "the failure takes its own branch, and the run succeeds", {
  prints: "No such item (curl exited with 22).",
  arrived: ["GET /api/items/404", `${NOTE} 404"}`],
});
check("error-branch", "without a failure the plain branch is taken", {
  input: { id: 1 },
  prints: `Found: ${LOGIN.title}`,
  arrived: ["GET /api/items/1", `${NOTE} 1"}`],
});
const NO_ITEM = JSON.stringify({ error: { code: "not-found", message: 'There is no row "404" in items.' } });
check("on-failure", "the failure is posted to the chat, and the run stays failed", () => ({
  exit: 1,
  input: { chat: `${api.url}/api/notes` },
  stderr: /Node "fetch" failed/,
  arrived: [
    "GET /api/items/404",
    `POST /api/notes {"text": ${JSON.stringify(`Report failed at fetch with HTTP 404: ${NO_ITEM}`)}}`,
  ],
}));
check("program-not-found", "the error names the program", {
  exit: 1,
  stderr: /There is no program "surely-not-installed-http-client" on PATH[\s\S]*give its full path/,
  arrived: [],
});
check("certificate-refused", "curl exits 60 and sends nothing", () => ({
  input: { secureApi: api.httpsUrl },
  withoutApi: true,
  exit: 1,
  stderr: /certificate was rejected: it is self-signed, or signed by a CA[\s\S]*exit code: 60[\s\S]*--cacert FILE/,
  arrived: [],
}));
check("certificate-trusted", "with the CA given the call goes through", () => ({
  input: { secureApi: api.httpsUrl },
  withoutApi: true,
  prints: expect.toSatisfy((users: unknown[]) => users.length === 3),
  arrived: ["GET /api/users"],
}));

example("connection-refused", "curl exits 7", async () => {
  const run = await runExample("connection-refused", { input: { port: await freePort() } });
  compare(run, { exit: 1, stderr: /refused[\s\S]*exit code: 7\b[\s\S]*Check the URL, the port/, arrived: [] });
});

// From elsewhere.
test.skipIf(missing.includes("curl"))("copied-curl.txt: imported, it runs once someone has seen it", async () => {
  const folder = mkdtempSync(join(home, "import-"));
  const env = { ...process.env, CURLEW_HOME: home, API_TOKEN: "sample-access-token" } as Record<string, string>;
  const curlew = (...args: string[]) => cli(args, folder, { env });
  const copied = readFileSync(join(EXAMPLES, "copied-curl.txt"), "utf8").replace("http://127.0.0.1:4790", api.url);
  const imported = await curlew("import", copied, "--to", "welcome.flow.yaml");
  expect([imported.code, imported.stdout], imported.stderr).toEqual([0, "welcome.flow.yaml\n"]);
  expect(readFileSync(join(folder, "welcome.flow.yaml"), "utf8")).not.toContain("sample-access-token");
  expect((await curlew("run", "welcome.flow.yaml", "--yes")).code).toBe(3);
  expect(api.requests).toEqual([]);
  expect((await curlew("trust", "welcome.flow.yaml", "--all")).code).toBe(0);
  const run = await curlew("run", "welcome.flow.yaml");
  expect([run.code, JSON.parse(run.stdout || "0")], run.stderr).toEqual([0, welcome("bearer")]);
});

// Webhooks.
example("webhook-round-trip", "the event that was sent is the result", async () => {
  const run = await runExample("webhook-round-trip", { input: { api: api.url, port: await freePort() } });
  expect([run.exit, run.stdout], run.stderr).toEqual([0, '{"id":13}\n']);
  expect(api.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["POST", "/webhooks/send", 200],
  ]);
});

example(
  "webhook-listener",
  "200 without a body for JSON on /webhook, nothing else, and one line for each",
  async () => {
    const port = await freePort();
    const run = start("webhook-listener", { input: { port, hooks: 2 } });
    await expect.poll(() => answers(port), { timeout: 20_000 }).toBe(true);
    const post = async (path: string, body: string, method = "POST") => {
      const init = method === "GET" ? { method } : { method, body };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
      return [answer.status, await answer.text()];
    };
    expect(await post("/webhook", '{"n": 1,\n "text": "é"}')).toEqual([200, ""]);
    expect(await post("/webhook", "not JSON")).toEqual([400, ""]);
    expect(await post("/elsewhere", "{}")).toEqual([404, ""]);
    expect(await post("/webhook", "", "GET")).toEqual([405, ""]);
    expect(await post("/webhook", "[2]")).toEqual([200, ""]);
    const { exit, stdout, stderr } = await run.ended;
    expect([exit, stdout], stderr).toEqual([0, '{"n":1,"text":"é"}\n[2]\n']);
  },
);

example("webhook-listener", "runs until it is stopped, and leaves no process on the port", async () => {
  const port = await freePort();
  const run = start("webhook-listener", { input: { port } });
  await expect.poll(() => answers(port), { timeout: 20_000 }).toBe(true);
  run.child.kill("SIGINT");
  const { exit, stdout } = await run.ended;
  expect([exit, stdout]).toEqual([130, ""]);
  expect(await answers(port)).toBe(false);
});

example(
  "webhook-lines",
  "each webhook is an iteration with its own number; orders arrive at the API in order",
  async () => {
    const port = await freePort();
    const run = start("webhook-lines", { input: { api: api.url, port, hooks: 4 } });
    await expect.poll(() => answers(port), { timeout: 20_000 }).toBe(true);
    for (const event of [
      { type: "order", item: "tea" },
      { type: "visit" },
      { type: "order", item: 'a "quoted" cup' },
      { type: "order", item: "milk" },
    ]) {
      const answer = await fetch(`http://127.0.0.1:${port}/webhook`, { method: "POST", body: JSON.stringify(event) });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    }
    const { exit, stdout, stderr } = await run.ended;
    expect([exit, stdout], stderr).toEqual([0, '1. tea\n3. a "quoted" cup\n4. milk\n']);
    expect(api.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      'POST /api/notes {"text": "tea"}',
      'POST /api/notes {"text": "a \\"quoted\\" cup"}',
      'POST /api/notes {"text": "milk"}',
    ]);
  },
);

// The first run.
const demo = (says: string): Expected => ({
  prints: new RegExp(
    `^8 items are open\\. Here is everything there is:\\nLogin page[\\s\\S]*\\nPrint view cuts the last column\\n\\(and the slow report came in 8 lines\\)\\n${says}\\n$`,
  ),
  arrived: [
    "GET /slow/lines?lines=8&every=300",
    "GET /api/items?status=open",
    ...[1, 2, 3].map((page) => `GET /api/pages?page=${page}`),
    'POST /api/notes {"text": "8 items are open"}',
  ],
  unordered: true,
});
const MEANING = "A language model says that HTTP 429 means: Too Many Requests\\.";
example("demo", "a loop, a decision, a language model and parallel branches come together", async () => {
  const env = { SAMPLE_BASE_URL: `${api.url}/v1` };
  const run = await runExample("demo", { input: { api: api.url }, env });
  compare(run, demo(MEANING));
});
example("demo", "there is no model, and the output says so", async () => {
  const env = { SAMPLE_BASE_URL: `http://127.0.0.1:${await closedPort()}/v1` };
  const run = await runExample("demo", { input: { api: api.url }, env });
  compare(
    run,
    demo(
      "No language model was asked: Curlew could not reach 127\\.0\\.0\\.1:\\d+ for .* no program is listening there .*",
    ),
  );
});
const push = { ref: "refs/heads/main", pusher: { name: "ada $(id)" } };
check("webhook-verified", "what a delivery would bring can be given by hand", () => ({
  input: { event: JSON.stringify(push), delivery: JSON.stringify({ headers: { "x-github-event": "push" } }) },
  withoutApi: true,
  prints: "ada $(id) pushed to main",
  arrived: [],
}));
check("scheduled", "runs by hand as it does at its time", {
  prints: "8 items are open this morning.",
  arrived: ["GET /api/items?status=open"],
});
check("file-inbox", "what a watch would bring can be given by hand", () => ({
  input: { event: JSON.stringify({ path: "sample.env", change: "add" }) },
  withoutApi: true,
  prints: /^\d+ sample\.env\n$/,
  arrived: [],
}));

test("every example is checked here", () => {
  const files = readdirSync(EXAMPLES).filter((name) => name.endsWith(".flow.yaml"));
  expect([...checked].map((name) => `${name}.flow.yaml`).toSorted()).toEqual(files.toSorted());
});

// In the long form 55 examples took 1,600 lines. The short form has to do with 55 % of them.
test("an example takes 16 lines on average, and none is wider than 120 columns", () => {
  const files = readdirSync(EXAMPLES).filter((name) => name.endsWith(".flow.yaml"));
  const lines = files.flatMap((name) => readFileSync(join(EXAMPLES, name), "utf8").trimEnd().split("\n"));
  expect(lines.length).toBeLessThanOrEqual(files.length * 0.55 * (1600 / 55));
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test.each([
  // asks.flow.yaml is there to ask.
  ["valid, without a warning that is not meant", ["validate"], ["asks.flow.yaml:10:57: warning[asks-approval]"]],
  ["in canonical form", ["fmt", "--check"], []],
])("every example is %s", async (_, command, warnings) => {
  const files = readdirSync(EXAMPLES).filter((name) => name.endsWith(".flow.yaml"));
  const words = [...command, ...files.map((name) => join(EXAMPLES, name))];
  const { code, stdout, stderr } = await cli(words, process.cwd(), { env: process.env as Record<string, string> });
  const said = stdout + stderr;
  const seen = said.match(/\S+: warning\[\S+\]/g) ?? [];
  expect([code, seen.map((warning) => warning.slice(EXAMPLES.length + 1))], said).toEqual([0, warnings]);
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
