// A command's HTTP calls, recorded by a whole run of the real program against the sample API (spec 3.6, 3.3, 2.7).

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import { eventsIn, folder } from "./curlew.ts";

let api: Awaited<ReturnType<typeof startSampleApi>>;
beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(() => api.close());

const node = (id: string, content: string, more = ""): string =>
  `  - id: ${id}\n    type: cli\n    data: { title: ${id}, content: ${JSON.stringify(content)}${more} }\n`;
const document = (nodes: string, rest = ""): string => `curlew: 1\nname: Calls\n${rest}nodes:\n${nodes}`;

test("every call is recorded with its status, without secrets, and no report file stays", async () => {
  const it = folder({
    "a.flow.yaml": document(
      node(
        "a",
        `curl -s "${api.url}/status/404?api_key=hunter22&q=$S"; curl -s -o /dev/null ${api.url}/api/users/1; curl -sI ${api.url}/api/users/2`,
        ', env: { static: { S: "${SECRET}" } }',
      ),
      "secrets: [SECRET]\n",
    ),
  });
  const ran = await it.run(["run", "a.flow.yaml"], { env: { SECRET: "very-secret-value" } });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("warning at a: curl got 404 from GET");
  expect(ran.stderr).toContain("and exited 0; add --fail-with-body.");
  const shown = await it.run(["runs", "show", "latest", "--json"]);
  const { nodes } = JSON.parse(shown.stdout);
  const { http, warnings } = nodes[0].attempts[0];
  expect(
    http.map(({ method, url, status }: never) => `${method} ${String(url).slice(api.url.length)} ${status}`),
  ).toEqual(["GET /status/404?api_key=***&q=*** 404", "GET /api/users/1 200", "HEAD /api/users/2 200"]);
  expect(http[1]).toMatchObject({ client: "curl", headers: { "content-type": expect.stringContaining("json") } });
  expect(http[1].receivedBytes).toBeGreaterThan(10);
  expect(http[1].durationMs).toBeGreaterThan(0);
  expect(warnings).toEqual([{ code: "http-error-unnoticed", message: expect.stringContaining("curl got 404") }]);
  const text = await it.run(["runs", "show", "latest"]);
  expect(text.stdout).toMatch(/http\n {2}a {2}404 {2}GET .*api_key=\*\*\*/);
  for (const file of filesBelow(it.home)) {
    expect(file).not.toMatch(/http-calls\/(?!version$)/);
    expect(readFileSync(file, "latin1")).not.toContain("very-secret-value");
  }
});

test("a missing program is reported, even if the script continues without it", async () => {
  const it = folder({
    "a.flow.yaml": document(
      node("a", 'x=$(no-such-client https://api.example.com/items); echo \\"got $x\\"') +
        node("b", "no-such-client 2>/dev/null || echo well"),
    ),
  });
  const ran = await it.run(["run", "a.flow.yaml"]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(
    /warning at a: there is no program "no-such-client" .*and the command exited with 0\. Install no-such-client/,
  );
  expect(ran.stderr).not.toContain("warning at b");
  const { nodes } = JSON.parse((await it.run(["runs", "show", "latest", "--json"])).stdout);
  expect(nodes[0].attempts[0].warnings).toEqual([
    {
      code: "command-not-found-unnoticed",
      message: expect.stringContaining("line 1: no-such-client: command not found"),
    },
  ]);
});

test("httpErrors: fail makes an HTTP error a failure, ignore reports nothing, and a retry in the script that succeeds counts as success", async () => {
  const again = `for i in 1 2; do curl -s "${api.url}/flaky?key=w&fail=1" && sleep 0; done`;
  const it = folder({
    "fail.flow.yaml": document(node("a", `curl -s ${api.url}/status/401`, ", httpErrors: fail")),
    "ignore.flow.yaml": document(node("a", `curl -s ${api.url}/status/404`, ", httpErrors: ignore")),
    "again.flow.yaml": document(node("a", again, ", httpErrors: fail")),
  });
  const failed = await it.run(["run", "fail.flow.yaml"]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("error[http-error]");
  expect(failed.stderr).toContain("curl got 401 from GET");
  const ignored = await it.run(["run", "ignore.flow.yaml"]);
  expect(ignored.code).toBe(0);
  expect(ignored.stderr).not.toContain("warning at a");
  expect((await it.run(["run", "again.flow.yaml"])).code).toBe(0);
});

test("the attempt says which calls are not recorded, and they work unchanged", async () => {
  const curl = execFileSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).trim();
  const it = folder({
    "a.flow.yaml": document(
      node("format", `curl -s -w ' %{http_code}' ${api.url}/api/users/1`) +
        node("path", `${curl} -s ${api.url}/status/200`) +
        node("plain", `curl -s ${api.url}/status/200; echo "<$LD_PRELOAD>"`),
      "egress: any\n",
    ),
  });
  const ran = await it.run(["run", "a.flow.yaml"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout).format).toMatch(/ 200$/);
  expect(JSON.parse(ran.stdout).plain).toMatch(/<>$/);
  const { nodes } = JSON.parse((await it.run(["runs", "show", "latest", "--json"])).stdout) as {
    nodes: { id: string; attempts: { http?: unknown[]; warnings?: { code: string; message: string }[] }[] }[];
  };
  const shown = nodes.map(({ id, attempts }) => [id, attempts[0]?.http?.length ?? 0, attempts[0]?.warnings]);
  const unrecorded = (why: string) => [{ code: "curl-unseen", message: `HTTP calls not recorded: ${why}.` }];
  expect(shown).toEqual([
    ["format", 0, unrecorded("curl was called with -w")],
    ["path", 0, unrecorded(`the script calls curl by its path, ${curl}`)],
    ["plain", 1, undefined],
  ]);
});

test("status and headers can be used in an if and in retry.on", async () => {
  const it = folder({
    "if.flow.yaml": document(
      `${node("a", `curl -s ${api.url}/status/202`)}  - { id: check, type: if, data: { title: c, content: "status = 202 and $contains(headers.\`content-type\`, 'json')" } }\n${node("yes", "echo yes")}`,
    ).concat("edges: [a -> check, check:true -> yes]\n"),
    "on.flow.yaml": document(
      node(
        "a",
        `curl -s "${api.url}/flaky?key=on&fail=1&status=409"; exit 9`,
        ', retry: { maxAttempts: 3, initialInterval: 10ms, on: "status = 409" }',
      ),
    ),
  });
  const decided = await it.run(["run", "if.flow.yaml"]);
  expect(decided.stdout).toBe("yes\n");
  const repeated = await it.run(["run", "on.flow.yaml"]);
  expect(repeated.code).toBe(1);
  const shown = JSON.parse((await it.run(["runs", "show", "latest", "--json"])).stdout);
  expect(shown.nodes[0].attempts.map(({ http }: { http: { status: number }[] }) => http[0]?.status)).toEqual([
    409, 200,
  ]);
});

test("Retry-After sets the wait to the second, and a POST is not retried by the document's defaults", async () => {
  const it = folder({
    "after.flow.yaml": document(
      node("a", `curl -sf "${api.url}/flaky?key=after&fail=1&retryAfter=2"`, ", retry: { initialInterval: 10ms }"),
    ),
    "post.flow.yaml": document(
      node("a", `curl -sf -d x "${api.url}/flaky?key=post&fail=1"`),
      "defaults: { retry: { initialInterval: 10ms } }\n",
    ),
    // An unrecorded call may have been a POST.
    "unknown.flow.yaml": document(
      node("a", `curl -sf -d x -w '' "${api.url}/flaky?key=unknown&fail=1"`),
      "defaults: { retry: { initialInterval: 10ms } }\n",
    ),
  });
  const ran = await it.run(["run", "after.flow.yaml", "--json"]);
  expect(ran.code).toBe(0);
  const events = eventsIn(ran);
  const failed = events.find(({ type }) => type === "attempt.failed");
  const waited = Date.parse(failed.retryAt) - Date.parse(failed.at);
  expect(waited).toBeGreaterThan(1_900);
  expect(waited).toBeLessThanOrEqual(3_000);
  expect((await it.run(["run", "post.flow.yaml"])).code).toBe(1);
  expect((await it.run(["run", "unknown.flow.yaml"])).code).toBe(1);
  for (const key of ["post", "unknown"]) expect(api.requests.filter(({ query }) => query.key === key)).toHaveLength(1);
});

test("a rate limit with 403, like GitHub's, is waited for and named; any other 403 is neither", async () => {
  const limited = (key: string, window: number) =>
    `"${api.url}/limited?key=${key}&limit=1&window=${window}&status=403"`;
  const once = (id: string, call: string, more = "") =>
    node(id, `${call} ${limited(id, 600_000)}`, `${more}, continueOnError: true`);
  const kinds = ["loud", "silent", "unasked", "own"];
  const it = folder({
    "a.flow.yaml": document(
      [
        node("first", `curl -s ${[...kinds.map((kind) => limited(kind, 600_000)), limited("wait", 4_000)].join(" ")}`),
        node("wait", `curl -sSf ${limited("wait", 4_000)}`, ", retry: { initialInterval: 10ms }"),
        node("denied", `curl -sSf ${api.url}/status/403`, ", continueOnError: true, retry: { initialInterval: 10ms }"),
        once("loud", "curl -sSf"),
        once("silent", "curl -sf"),
        once("unasked", "curl -s", ", httpErrors: fail"),
        once("own", "curlew http GET"),
      ].join(""),
      `edges:\n${["wait", "denied", ...kinds].map((id) => `  - first -> ${id}\n`).join("")}`,
    ),
  });
  const ran = await it.run(["run", "a.flow.yaml"]);
  expect(ran.code, ran.stderr).toBe(0);
  const { nodes } = JSON.parse((await it.run(["runs", "show", "latest", "--json"])).stdout);
  const [, wait, denied, ...told] = nodes;
  const statuses = (of: { attempts: { http: { status: number }[] }[] }) =>
    of.attempts.map(({ http }) => http[0]?.status);
  expect([statuses(wait), statuses(denied)]).toEqual([[403, 200], [403]]);
  expect(denied.failure.reason).toBe("access-denied");
  for (const { id, failure } of told) {
    expect([id, failure.code, failure.reason]).toEqual([id, "http-error", "rate-limited"]);
    expect(failure.hint).toContain("The rate limit is exceeded");
  }
}, 60_000);

function filesBelow(place: string): string[] {
  return readdirSync(place).flatMap((name) => {
    const path = join(place, name);
    const stat = statSync(path);
    return stat.isDirectory() ? filesBelow(path) : stat.isFile() ? [path] : [];
  });
}

test("errors that a GraphQL server answers with status 200 are a warning, and shown if select finds nothing", async () => {
  const call = `curl -sS --fail-with-body ${api.url}/graphql --json '{"query": "{ nope }"}'`;
  const it = folder({
    "a.flow.yaml": document(node("a", call)),
    "b.flow.yaml": document(node("b", call, ", output: { format: json, select: data.nope }")),
    "c.flow.yaml": document(node("c", call, ", httpErrors: ignore")),
  });
  const warned = await it.run("run a.flow.yaml");
  expect(warned.code).toBe(0);
  expect(warned.stderr).toContain("warning at a: The server answered with errors: ");
  const failed = await it.run("run b.flow.yaml");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/select-empty[\s\S]*printed:\n {4}\| \S[\s\S]*\{"errors"/);
  expect((await it.run("run c.flow.yaml")).stderr).not.toContain("answered with errors");
});
