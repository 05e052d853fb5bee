// Settings, doctor, validate and import over HTTP (spec 2.2, 2.3, 2.7).

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { DoctorReport, Problem, ProviderTest, Settings, ValidateResult } from "../../src/api/shapes.ts";
import { onOneMachine } from "../setup/on-postgres.ts";
import { type Served, served } from "./served.ts";

/** Without the setup of the test's machine. */
const { PATH, HOME, LANG } = process.env;
const CLEAN = { PATH, HOME, LANG, CURLEW_KEYRING: "off" } as NodeJS.ProcessEnv;

function writeConfig(it: Served, text: string): string {
  mkdirSync(it.home, { recursive: true, mode: 0o700 });
  const file = join(it.home, "config.yaml");
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
}

const json = async <T>(answer: Response | Promise<Response>): Promise<T> => (await (await answer).json()) as T;

describe("settings", () => {
  test("without config.yaml come from the environment, and the first change makes the file", async () => {
    const it = await served(
      {},
      {
        env: {
          ...CLEAN,
          OPENAI_API_KEY: "a key of the test",
          OPENAI_BASE_URL: "https://u:p4ssw0rd@llm.example.com/v1",
        },
      },
    );
    const answer = await it.api("GET", "/settings");
    const text = await answer.text();
    const settings = JSON.parse(text) as Settings;
    expect(settings.retention).toEqual({});
    expect(settings.providers.map(({ name, key, from }) => [name, key, from])).toEqual([
      ["anthropic", "missing", "environment"],
      ["openai", "set", "environment"],
      ["google", "missing", "environment"],
      ["ollama", "none", "environment"],
    ]);
    expect(text).not.toMatch(/a key of the test|p4ssw0rd/);
    const changed = await json<Settings>(it.api("PUT", "/settings", { retention: { days: 30, runs: 500 } }));
    expect(changed.retention).toEqual({ days: 30, runs: 500 });
    expect(readFileSync(join(it.home, "config.yaml"), "utf8")).toBe("history:\n  keep: 30d\n  maxRuns: 500\n");
  });

  test("are changed in place: comments, order and everything else stay", async () => {
    const it = await served();
    const file = writeConfig(
      it,
      `# how we do it here
trust: all-new
history: # by agreement with ops
  keep: 90d # three months
llm:
  providers:
    work: { type: openai, baseURL: "https://llm.example.com/v1", apiKey: "\${WORK_KEY}", structuredOutputs: false } # the proxy
secrets:
  WORK_KEY: { command: [pass, show, work] } # never printed
`,
    );
    const change = {
      retention: { days: null, runs: 10 },
      providers: {
        work: { type: "anthropic" },
        local: { type: "openai-compatible", baseURL: "http://127.0.0.1:1/v1" },
      },
    };
    const settings = await json<Settings>(it.api("PUT", "/settings", change));
    expect(settings.providers.slice(0, 2)).toEqual([
      {
        name: "work",
        type: "anthropic",
        from: "config",
        key: "missing",
        baseURL: "https://api.anthropic.com/v1",
        secret: "ANTHROPIC_API_KEY",
      },
      { name: "local", type: "openai-compatible", from: "config", key: "none", baseURL: "http://127.0.0.1:1/v1" },
    ]);
    expect(readFileSync(file, "utf8")).toBe(`# how we do it here
trust: all-new
history:
  # by agreement with ops
  maxRuns: 10
llm:
  providers:
    work: { type: anthropic, structuredOutputs: false } # the proxy
    local:
      type: openai-compatible
      baseURL: http://127.0.0.1:1/v1
secrets:
  WORK_KEY: { command: [ pass, show, work ] } # never printed
`);
    await it.api("PUT", "/settings", { retention: { runs: null }, providers: { work: null, local: null } });
    expect(readFileSync(file, "utf8")).not.toMatch(/history|llm/);
  });

  test("that are invalid, or were invalid already, change nothing", async () => {
    const it = await served();
    const file = writeConfig(it, "trust: imported\n");
    for (const body of [
      [],
      "x",
      { keyring: "off" },
      { retention: { days: 0 } },
      { retention: { days: 1.5 } },
      { retention: { days: "90d" } },
      { retention: { bytes: 1 } },
      { providers: { work: { type: "nope" } } },
      { providers: { work: { type: "openai", apiKey: "sk-a-key-itself" } } },
      { providers: { work: { type: "openai", secret: "sk-a-key-itself" } } },
      { providers: { work: { type: "openai", baseURL: "no address" } } },
      { providers: { work: { type: "openai", baseURL: "javascript:alert(1)" } } },
      { providers: { work: { type: "openai", baseURL: "file:///etc/passwd" } } },
    ])
      expect((await it.api("PUT", "/settings", body)).status, JSON.stringify(body)).toBe(422);
    for (const body of [
      { providers: { "no name": { type: "openai" } } },
      { providers: { own: { type: "openai-compatible" } } },
    ]) {
      const answer = await it.api("PUT", "/settings", body);
      expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([409, "config-invalid"]);
    }
    expect(readFileSync(file, "utf8")).toBe("trust: imported\n");
    writeConfig(it, "trust: [\n");
    expect((await it.api("PUT", "/settings", { retention: { days: 1 } })).status).toBe(409);
    expect((await it.api("GET", "/settings")).status).toBe(409);
    expect(readFileSync(file, "utf8")).toBe("trust: [\n");
  });

  test("lose nothing when many change them at once", async () => {
    const it = await served();
    const names = Array.from({ length: 12 }, (_, number) => `p${number}`);
    await Promise.all(names.map((name) => it.api("PUT", "/settings", { providers: { [name]: { type: "openai" } } })));
    const { providers } = await json<Settings>(it.api("GET", "/settings"));
    expect(
      providers
        .filter(({ from }) => from === "config")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names.sort());
  });
});

test("GET /doctor returns the findings of `curlew doctor`", async () => {
  const it = await served();
  const { findings } = await json<DoctorReport>(it.api("GET", "/doctor"));
  expect(findings.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["home", "config", "bash", "curl", "store"].filter((what) => what !== "config")),
  );
  writeConfig(it, "histroy: {}\n");
  const [, again] = await Promise.all([it.api("GET", "/doctor"), json<DoctorReport>(it.api("GET", "/doctor"))]);
  expect(again.findings.find(({ title }) => title === "config")).toMatchObject({
    code: "config-invalid",
    level: "error",
  });
});

test("a document is validated without being saved, as if it were at that path", async () => {
  const it = await served({
    "sub/inner.flow.yaml": "curlew: 1\nname: i\nnodes:\n  - { id: a, type: text, data: { title: A, content: x } }\n",
  });
  const outer =
    "curlew: 1\nname: o\nnodes:\n  - { id: s, type: subflow, data: { title: S, workflow: inner.flow.yaml } }\n";
  const codes = async (body: unknown) =>
    (await json<ValidateResult>(it.api("POST", "/validate", body))).diagnostics.map(
      ({ code, range }) => `${code}:${range.start.line}`,
    );
  expect(await codes({ text: outer, path: "sub/new.flow.yaml" })).toEqual([]);
  expect(await codes({ text: outer })).toEqual(["subflow-missing:4"]);
  for (const body of [{}, { text: 1 }, { text: "", path: 3 }, "x"])
    expect((await it.api("POST", "/validate", body)).status).toBe(422);
  expect((await it.api("POST", "/validate", { text: outer, path: "../x.flow.yaml" })).status).toBe(400);
});

test("an import of invalid text says why it is invalid", async () => {
  const it = await served();
  for (const [source, status, code] of [
    ["hello", 422, "import-unknown"],
    ["curl 'unclosed", 422, "import-curl"],
    ['{"openapi":"3.1.0"}', 422, "not-yet"],
    ["curlew: 1\nname: x\nnodes: []\nedges: [a -> b]\n", 422, "import-invalid"],
  ] as const) {
    const answer = await it.api("POST", "/import", { source });
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([status, code]);
  }
});

describe("a provider is tested by requesting its models", () => {
  test("with its key, and nothing of the key comes back, whatever the provider says", async () => {
    const KEY = "the-key-of-a-provider";
    const asked: { path: string | undefined; key: string | undefined }[] = [];
    let status = 200;
    const provider = createServer((request, response) => {
      asked.push({ path: request.url, key: request.headers.authorization });
      response.writeHead(status, { location: "http://127.0.0.1:1/elsewhere" });
      response.end(
        JSON.stringify({ data: [{ id: "small" }, { id: "large" }, { id: `<b>${KEY}</b>` }, null], error: KEY }),
      );
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void provider.close());
    const { port } = provider.address() as AddressInfo;
    const it = await served({}, { env: { ...CLEAN, LOCAL_KEY: KEY } });
    const local = { type: "openai-compatible", baseURL: `http://127.0.0.1:${port}/v1`, secret: "LOCAL_KEY" };
    const plain = { type: "openai-compatible", baseURL: "http://llm.example.com/v1", secret: "LOCAL_KEY" };
    await it.api("PUT", "/settings", { providers: { local, plain } });
    const said: string[] = [];
    const tried = async (name: string) => {
      const text = await (await it.api("POST", `/settings/providers/${name}/test`)).text();
      said.push(text);
      return JSON.parse(text) as ProviderTest;
    };
    expect(await tried("local")).toEqual({ ok: true, models: ["small", "large"] });
    expect(asked).toEqual([{ path: "/v1/models", key: `Bearer ${KEY}` }]);
    for (const [answer, word] of [
      [401, "was not accepted"],
      [404, "HTTP 404"],
      [302, "HTTP 302"],
    ] as const) {
      status = answer;
      expect(await tried("local")).toMatchObject({ ok: false, problem: expect.stringContaining(word) });
    }
    expect(await tried("plain")).toMatchObject({ ok: false, problem: expect.stringContaining("not https") });
    expect(asked).toHaveLength(4);
    provider.close();
    provider.closeAllConnections();
    expect(await tried("local")).toMatchObject({ ok: false, problem: expect.stringContaining("ECONNREFUSED") });
    // Without a key no request is sent.
    expect(await tried("anthropic")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("anthropic needs a key"),
    });
    expect((await it.api("POST", "/settings/providers/nobody/test")).status).toBe(404);
    expect(said.join("")).not.toContain(KEY);
  });
});

const local = onOneMachine("a server of a cluster lists its machines.");
local("a server of one machine has no list of machines, and says why", async () => {
  const it = await served();
  expect(await json(it.api("GET", "/server"))).not.toHaveProperty("cluster");
  for (const [method, path] of [
    ["GET", "/machines"],
    ["POST", "/machines/one/drain"],
    ["POST", "/machines/one/forget"],
  ] as const) {
    const answer = await it.api(method, path, method === "POST" ? {} : undefined);
    expect(answer.status).toBe(404);
    const { code, detail } = await json<Problem>(answer);
    expect([code, detail]).toEqual(["not-found", expect.stringContaining("keeps its runs on this machine")]);
  }
});
