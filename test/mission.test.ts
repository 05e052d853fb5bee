// The mission's page, row by row, against the real sample API: fields, requests, patterns, signing in, and errors.
// Where Curlew differs on purpose, a row says so.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SampleApi, startSampleApi } from "../examples/sample-api/main.ts";
import { CREDENTIALS } from "../examples/sample-api/seed.ts";
import { folder, type Ran } from "./cli/curlew.ts";

let api: SampleApi;
beforeAll(async () => {
  api = await startSampleApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

type Node = { id: string; type: string; data: Record<string, unknown> };
interface Row {
  nodes: Node[];
  edges?: string[];
  words?: string;
  env?: Record<string, string>;
  secrets?: string[];
}

/** Every node knows `${api_url}`, from its `env.static` or the one given. */
function cli(id: string, content: string, data: Record<string, unknown> = {}): Node {
  const { env, ...rest } = data as { env?: { static?: Record<string, string> } };
  const statics = { api_url: `${api.url}/api`, ...env?.static };
  return { id, type: "cli", data: { title: id, content, env: { ...env, static: statics }, ...rest } };
}

const FIRST = { source: "parent-index", parentIndex: 0 };

async function run({ nodes, edges = [], words = "", env, secrets = [] }: Row): Promise<Ran> {
  const it = folder({ "a.flow.json": JSON.stringify({ curlew: 1, secrets, nodes, edges }) });
  return it.run(`run -q a.flow.json ${words}`, { env });
}

async function check(row: Row, result: unknown): Promise<void> {
  const ran = await run(row);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const value: unknown = /^\s*[[{]/.test(ran.stdout) ? JSON.parse(ran.stdout) : ran.stdout.trim();
  if (typeof result === "object") expect(value).toMatchObject(result as object);
  else expect(value).toEqual(result);
}

describe("2.1 and 2.2: the fields of a CLI node", () => {
  test("every field in one node, with its parent's output on stdin", () =>
    check(
      {
        nodes: [
          cli("first", "printf 'one\\ntwo\\n'"),
          cli("count", 'wc -l | tr -d " "; echo "$MODE $WHO"', {
            mode: "command",
            shell: "bash",
            safetyLevel: "safe",
            streamOutput: true,
            stdin: FIRST,
            env: { static: { MODE: "command", WHO: "${who}" } },
            flags: {},
            needsUserApproval: false,
          }),
          { id: "who", type: "variable", data: { title: "Who", variableName: "who", initialValue: "Ada" } },
        ],
        edges: ["first -> count"],
      },
      "1\ncommand Ada",
    ));

  test("needsUserApproval waits for a person, and advanced needs none", async () => {
    const asked = cli("asks", "echo done", { needsUserApproval: true });
    expect(await run({ nodes: [asked] })).toMatchObject({ code: 3, stdout: "" });
    await check({ nodes: [asked], words: "--yes" }, "done");
    const trusted = cli("trusted", `curl -sS -X DELETE ${api.url}/api/items/1 -o /dev/null -w '%{http_code}'`, {
      safetyLevel: "advanced",
      flags: { executionPolicyBypass: true },
    });
    await check({ nodes: [trusted] }, "200");
  });

  test("Curlew suggests the type that the mission writes in another way", async () => {
    const ran = await run({ nodes: [{ id: "a", type: "NodeType.CLI", data: { title: "A", content: "true" } }] });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "cli"?') });
  });
});

test("2.3 and 2.4: ${name} of env.static and of a Variable, ${1} of the parent, ${i} of the loop", () =>
  check(
    {
      nodes: [
        { id: "v", type: "variable", data: { title: "V", variableName: "limit", initialValue: "5" } },
        cli("first", "echo first"),
        { id: "start", type: "loop-start", data: { title: "Twice", iterations: 2 } },
        cli("print", "echo ${1}-${i}-${limit}-${mine}", { env: { static: { mine: "static" } } }),
        { id: "all", type: "accumulator", data: { title: "All", variableName: "all" } },
        { id: "end", type: "loop-end", data: { title: "End" } },
      ],
      edges: ["start -> print -> all -> end", "first -> start"],
    },
    expect.stringContaining("-2-5-static"),
  ));

describe("4.1: the shapes of requests", () => {
  const JSON_HEADER = '-H "Content-Type: application/json"';
  const FAIL = "--fail-with-body -sS --max-time 20";
  const body = (text: string): Node => ({ id: "body", type: "text", data: { title: "Body", content: text } });

  test("fetch a collection, and parse it with a processor behind the pipe (4.4)", () =>
    check({ nodes: [cli("get", `curl ${FAIL} "\${api_url}/items" | jq length`)] }, "12"));

  test("create, with the body from the parent by stdin", () =>
    check(
      {
        nodes: [
          body('{"title": "New"}'),
          cli("post", `curl ${FAIL} -X POST ${JSON_HEADER} -d @- "\${api_url}/items"`, { stdin: FIRST }),
        ],
        edges: ["body -> post"],
      },
      { title: "New" },
    ));

  test("update and delete a row; DELETE asks first, which is Curlew's own rule", async () => {
    const id = { env: { static: { id: "2" } } };
    await check(
      {
        nodes: [
          body('{"title": "Changed", "status": "open"}'),
          cli("put", `curl ${FAIL} -X PUT ${JSON_HEADER} -d @- "\${api_url}/items/\${id}"`, { stdin: FIRST, ...id }),
        ],
        edges: ["body -> put"],
      },
      { id: 2, title: "Changed" },
    );
    const remove = cli("delete", `curl ${FAIL} -X DELETE "\${api_url}/items/\${id}"`, id);
    expect(await run({ nodes: [remove] })).toMatchObject({ code: 3 });
    await check({ nodes: [remove], words: "--approve delete" }, { deleted: 2 });
  });

  test("search by query and limit", () =>
    check(
      {
        nodes: [
          cli("search", `curl ${FAIL} "\${api_url}/search?q=\${query|uri}&limit=\${limit}" | jq length`, {
            env: { static: { query: "e", limit: "3" } },
          }),
        ],
      },
      "3",
    ));

  test("GraphQL, with query and variables from the parent", () =>
    check(
      {
        nodes: [
          body('{"query": "query($id: ID!) { item(id: $id) { id } }", "variables": {"id": "3"}}'),
          cli("ask", `curl ${FAIL} -X POST ${JSON_HEADER} -d @- ${api.url}/graphql`, { stdin: FIRST }),
        ],
        edges: ["body -> ask"],
      },
      { data: { item: { id: 3 } } },
    ));
});

describe("4.3: patterns", () => {
  const get = (id: string, path: string): Node =>
    cli(id, `curl --fail-with-body -sS --max-time 20 "\${api_url}/${path}" | jq -c length`);

  test("conditional calls", () =>
    check(
      {
        nodes: [
          get("count", "items"),
          { id: "if", type: "if", data: { title: "Many?", content: "inputs[0] > 100" } },
          cli("a", "echo API A"),
          cli("b", "echo API B"),
        ],
        edges: ["count -> if", "if:true -> a", "if:false -> b"],
      },
      "API B",
    ));

  test("a pagination loop", () =>
    check(
      {
        nodes: [
          { id: "start", type: "loop-start", data: { title: "Pages", iterations: 3 } },
          cli("page", `curl --fail-with-body -sS --max-time 20 "\${api_url}/pages?page=\${i}&size=5"`),
          {
            id: "collect",
            type: "accumulator",
            data: { title: "Collect", variableName: "rows", content: "${1.items}", format: "json", flatten: true },
          },
          { id: "end", type: "loop-end", data: { title: "End" } },
          cli("count", "jq length", { stdin: FIRST }),
        ],
        edges: ["start -> page -> collect -> end -> count"],
      },
      "12",
    ));

  test("parallel calls, collected", () =>
    check(
      {
        nodes: [
          { id: "start", type: "start", data: { title: "Start" } },
          get("items", "items"),
          get("notes", "notes"),
          { id: "all", type: "accumulator", data: { title: "All", variableName: "all", format: "json" } },
        ],
        edges: ["start -> items -> all", "start -> notes -> all"],
      },
      [12, 0],
    ));
});

describe("5: signing in", () => {
  const protectedBy = (path: string, header: string, statics: Record<string, string>): Node =>
    cli("call", `curl --fail-with-body -sS --max-time 20 ${header} ${api.url}/protected/${path}`, {
      env: { static: statics },
    });

  test.each([
    ["API key", "api-key", '-H "X-API-Key: ${apiKey}"', { apiKey: "${API_KEY}" }, { API_KEY: CREDENTIALS.apiKey }],
    [
      "bearer token",
      "bearer",
      '-H "Authorization: Bearer ${token}"',
      { token: "${ACCESS_TOKEN}" },
      { ACCESS_TOKEN: CREDENTIALS.accessToken },
    ],
    [
      "basic auth",
      "basic",
      '-u "${username}:${password}"',
      { username: "${USERNAME}", password: "${PASSWORD}" },
      { USERNAME: CREDENTIALS.username, PASSWORD: CREDENTIALS.password },
    ],
  ])("%s", async (_, path, header, statics, env) => {
    const ran = await run({ nodes: [protectedBy(path, header, statics)], env });
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("You came in by") });
    for (const value of Object.values(env)) if (value.length > 12) expect(ran.stdout).not.toContain(value);
  });

  test("OAuth 2.0 client credentials by a script", () =>
    check(
      {
        nodes: [
          cli(
            "ask",
            `jq -n --arg id "$CLIENT_ID" --arg secret "$CLIENT_SECRET" \\
  '{grant_type: "client_credentials", client_id: $id, client_secret: $secret}' |
  curl --fail-with-body -sS --max-time 20 --json @- ${api.url}/oauth/token | jq -r .access_token`,
            { mode: "script", env: { inherit: ["CLIENT_ID", "CLIENT_SECRET"] } },
          ),
          { id: "keep", type: "variable", data: { title: "Keep", variableName: "token", secret: true } },
          cli(
            "call",
            `curl --fail-with-body -sS --max-time 20 -H "Authorization: Bearer \${token}" ${api.url}/protected/oauth`,
          ),
        ],
        edges: ["ask -> keep -> call"],
        secrets: ["CLIENT_ID", "CLIENT_SECRET"],
        env: { CLIENT_ID: CREDENTIALS.clientId, CLIENT_SECRET: CREDENTIALS.clientSecret },
      },
      expect.anything(),
    ));
});

describe("7: errors", () => {
  const failing = (content: string, data = {}) => run({ nodes: [cli("call", content, data)] });

  test("the client's exit code is 0 on a 4xx, unless its flag is set", async () => {
    const url = `${"${api_url}"}/items/999`;
    expect(await failing(`curl -sS --max-time 9 "${url}"`)).toMatchObject({ code: 0 });
    expect(await failing(`curl --fail -sS --max-time 9 "${url}"`)).toMatchObject({ code: 1 });
  });

  test("a client that is not there, an endpoint that is not there, a key that is wrong", async () => {
    expect((await failing("no-such-client https://localhost")).stderr).toContain("error[command-not-found]");
    expect((await failing("curl -sS --max-time 9 http://127.0.0.1:1/")).stderr).toContain("error[curl-connect]");
    const refused = await failing(`curl --fail -sS --max-time 9 -H "X-API-Key: wrong" ${api.url}/protected/api-key`);
    expect(refused.stderr).toContain("error[http-error]");
  });

  test("only HTTPS endpoints: another host by http is refused before it is called", async () => {
    expect(await failing("curl -sS --max-time 9 http://example.com/")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("http-not-allowed"),
    });
  });
});
