// A command's HTTP calls, seen by a whole run of the real program against the sample API (spec 3.6, 3.3, 2.7).

import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import { folder } from "./curlew.ts";

let api: Awaited<ReturnType<typeof startSampleApi>>;
beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(() => api.close());

const node = (id: string, content: string, more = ""): string =>
  `  - id: ${id}\n    type: cli\n    data: { title: ${id}, content: ${JSON.stringify(content)}${more} }\n`;
const document = (nodes: string, rest = ""): string => `curlew: 1\nname: Calls\n${rest}nodes:\n${nodes}`;

test("every call stands in the record with its status, without secrets, and no report is left behind", async () => {
  const it = folder({
    "a.flow.yaml": document(
      node(
        "a",
        `curl -s "${api.url}/status/404?api_key=hunter22&q=$S"; curl -sv -o /dev/null ${api.url}/api/users/1 --next -sI ${api.url}/api/users/2`,
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

test("how often curl itself tried again is told for each operation; also of a server that never answered", async () => {
  const again = "--retry 1 --retry-delay 1 --retry-connrefused";
  const content = `curl -s -o got ${again} '${api.url}/flaky?key=told&fail=1' --next -s ${again} http://127.0.0.1:1/x; true`;
  const it = folder({ "a.flow.yaml": document(node("a", content)) });
  expect((await it.run(["run", "a.flow.yaml"])).code).toBe(0);
  const { nodes } = JSON.parse((await it.run(["runs", "show", "latest", "--json"])).stdout);
  expect(nodes[0].attempts[0].http).toMatchObject([
    { status: 200, retries: 1 },
    { status: 0, retries: 1, exitCode: 7 },
  ]);
  const text = (await it.run(["runs", "show", "latest"])).stdout;
  expect(text.match(/ · 1 retry/g)).toHaveLength(2);
});

test("a program that is not there is told, too, where the script goes on without it", async () => {
  const it = folder({
    "a.flow.yaml": document(
      node("a", 'x=$(no-such-client https://api.example.com/items); echo \\"got $x\\"') +
        node("b", "no-such-client 2>/dev/null || echo well"),
    ),
  });
  const ran = await it.run(["run", "a.flow.yaml"]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(
    /warning at a: no program called "no-such-client" .*and the command exited 0\. Install no-such-client/,
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

test("httpErrors: fail makes a failure of it, ignore says nothing, and what a script repeated until it went well went well", async () => {
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

test("what the text shows to be unseen is said once before the run, and stands in its record", async () => {
  // No program of this machine: a shell reads it itself, and nothing can be preloaded into it.
  const it = folder({ "bin/curl": "exit 0\n" });
  chmodSync(join(it.path, "bin/curl"), 0o755);
  it.write(
    "a.flow.yaml",
    document(
      node("a", `env -i PATH=/usr/bin:/bin curl -sS --fail-with-body -m 9 ${api.url}/api/users/1`) +
        node("b", `curl -sS --fail-with-body -m 9 ${api.url}/api/users/1; echo /usr/bin/curl`) +
        node("c", `echo; ${it.path}/bin/curl -sSf -m 9 ${api.url}/x; true`),
      "egress: any\n",
    ),
  );
  const ran = await it.run(["run", "a.flow.yaml"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr.match(/env takes away what makes Curlew see curl/g)).toHaveLength(1);
  const shown = await it.run(["runs", "show", "latest", "--json"]);
  const { nodes } = JSON.parse(shown.stdout) as { nodes: { id: string; attempts: { warnings?: unknown }[] }[] };
  const unseen = (how: string) => [
    { code: "curl-unseen", message: `Calls of curl that Curlew cannot see are missing here: ${how}.` },
  ];
  const byId = Object.fromEntries(nodes.map(({ id, attempts }) => [id, attempts.at(-1)?.warnings]));
  expect(byId).toEqual({
    a: unseen("env takes away what makes Curlew see curl"),
    b: undefined,
    c: unseen(`${it.path}/bin/curl is called by its path, past the curl that Curlew puts first on PATH`),
  });
  const text = await it.run(["runs", "show", "latest"]);
  expect(text.stdout).toContain("warning at a: Calls of curl that Curlew cannot see are missing here: env takes");
});

test("a program that gives curl an environment of its own is told, one that adds to its own is seen", async () => {
  const python = (env: string) =>
    `import os, subprocess\nmine = dict(U=os.environ["U"], PATH=os.environ["PATH"])\nsubprocess.run(["curl", "-s", os.environ["U"] + "/status/404"], env=${env})\n`;
  const script = (id: string, content: string) => node(id, content, ', mode: script, env: { static: { U: "${API}" } }');
  const it = folder({
    "own.py": python("mine"),
    "added.py": python("{**os.environ, 'X': '1'}"),
    "own.mjs": `import { execFileSync } from "node:child_process";\nconst env = { PATH: process.env.PATH };\nexecFileSync("curl", ["-s", process.env.U + "/status/404"], { env });\n`,
    "bare.sh": "#!/bin/sh\nenv -i PATH=$PATH curl -s $U/status/404\n",
    "a.flow.yaml": document(
      script("own", "python3 own.py") +
        script("added", "python3 added.py") +
        script("js", "node ./own.mjs") +
        script("bare", "sh bare.sh") +
        script("shebang", `#!/usr/bin/env python3\n${python("mine")}`) +
        script("unrelated", "curl -s -d 'env=prod' $U/status/200 | grep -c subprocess; true"),
      "egress: any\n",
    ),
  });
  const ran = await it.run(["run", "a.flow.yaml"], { env: { API: api.url } });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr.match(/the program gives curl an environment of its own/g)).toHaveLength(1);
  const { nodes } = JSON.parse((await it.run(["runs", "show", "latest", "--json"])).stdout) as {
    nodes: { id: string; attempts: { http?: unknown[]; warnings?: { code: string; message: string }[] }[] }[];
  };
  const told = nodes.map(({ id, attempts }) => [
    id,
    attempts[0]?.http?.length ?? 0,
    attempts[0]?.warnings?.find(({ code }) => code === "curl-unseen")?.message,
  ]);
  const unseen = (how: string) => `Calls of curl that Curlew cannot see are missing here: ${how}.`;
  const gives = "gives curl an environment of its own instead of adding to the one that it has";
  expect(told).toEqual([
    ["own", 0, unseen(`own.py ${gives}`)],
    ["added", 1, undefined],
    ["js", 0, unseen(`./own.mjs ${gives}`)],
    ["bare", 0, unseen("env in bare.sh takes away what makes Curlew see curl")],
    ["shebang", 0, unseen(`the program ${gives}`)],
    ["unrelated", 1, undefined],
  ]);
});

test.runIf(process.platform === "linux")(
  "curl by its path, in a login shell and in a script is seen, and signs in as any other; other commands have nothing preloaded",
  async () => {
    const curl = execFileSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).trim();
    const it = folder({
      "get.sh": `sh -c '${curl} -s ${api.url}/status/503 -o /dev/null'\n`,
      "a.flow.yaml": document(
        node(
          "a",
          `${curl} -s ${api.url}/echo | jq -r .headers.authorization`,
          ', auth: { type: bearer, token: "${T}" }',
        ) +
          node("b", `bash -lc 'curl -s ${api.url}/status/404'`) +
          node("c", "sh get.sh") +
          node("d", `curl -s ${api.url}/status/200; echo "<$LD_PRELOAD>"`),
        "secrets: [T]\negress: any\n",
      ),
    });
    const ran = await it.run(["run", "a.flow.yaml"], { env: { T: "token-of-a-test" } });
    expect(ran.code, ran.stderr).toBe(0);
    const { a, d } = JSON.parse(ran.stdout);
    expect([a.trim(), d.trim()]).toEqual(["Bearer ***", expect.stringMatching(/<>$/)]);
    const shown = await it.run(["runs", "show", "latest", "--json"]);
    const { nodes } = JSON.parse(shown.stdout) as {
      nodes: {
        id: string;
        attempts: { http?: { method: string; url: string; status: number }[]; warnings?: object[] }[];
      }[];
    };
    const told = nodes.map(({ id, attempts }) => [
      id,
      ...(attempts[0]?.http ?? []).map(({ method, url, status }) => `${method} ${new URL(url).pathname} ${status}`),
    ]);
    expect(told).toEqual([
      ["a", "GET /echo 200"],
      ["b", "GET /status/404 404"],
      ["c", "GET /status/503 503"],
      ["d", "GET /status/200 200"],
    ]);
    expect(shown.stdout + ran.stderr).not.toMatch(/curl-unseen|cannot see|token-of-a-test/);
  },
);

test("status and headers decide, in an if and in retry.on", async () => {
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

test("Retry-After sets the wait to the second, and a POST of a document's defaults is not repeated", async () => {
  const it = folder({
    "after.flow.yaml": document(
      node("a", `curl -sf "${api.url}/flaky?key=after&fail=1&retryAfter=2"`, ", retry: { initialInterval: 10ms }"),
    ),
    "post.flow.yaml": document(
      node("a", `curl -sf -d x "${api.url}/flaky?key=post&fail=1"`),
      "defaults: { retry: { initialInterval: 10ms } }\n",
    ),
  });
  const ran = await it.run(["run", "after.flow.yaml", "--json"]);
  expect(ran.code).toBe(0);
  const events = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failed = events.find(({ type }) => type === "attempt.failed");
  const waited = Date.parse(failed.retryAt) - Date.parse(failed.at);
  expect(waited).toBeGreaterThan(1_900);
  expect(waited).toBeLessThanOrEqual(3_000);
  expect((await it.run(["run", "post.flow.yaml"])).code).toBe(1);
  expect(api.requests.filter(({ query }) => query.key === "post")).toHaveLength(1);
});

test("a rate limit that says 403, as GitHub's does: waited for, and called by its name; any other 403 is neither", async () => {
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
