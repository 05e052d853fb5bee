// Which server the LLM node calls, with which key, and what it sends: providers, URLs, secrets, approvals (spec 1.2
// LLM, 2.7, 4.2).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { type Folder, folder } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { CA_FILE } from "../setup/servers.ts";
import { type Asked, closedPort, model, proxy, type Reply, refuses, says, tinyModel, tlsBefore } from "./servers.ts";

const doc = (model: string, data = "temperature: 0", more = ""): string =>
  `curlew: 1\nname: T\n${more}nodes:\n  - {id: ask, type: llm, data: {title: Ask, model: ${model}, content: "Judge it.", ${data}}}\n`;

const KEY = "sk-test-3f9a1b7c5d2e";

/** Every byte that a run has left in its data directory. */
function kept(at: Folder): string {
  const names = readdirSync(at.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
}

const openai = (response: Parameters<Reply>[0], asked: Asked) => says("from openai")(response, asked);

const anthropic: Reply = (response) => {
  const event = (data: { type: string }) => response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  const usage = { input_tokens: 11, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], stop_reason: null, usage };
  response.writeHead(200, { "content-type": "text/event-stream" });
  event({ type: "message_start", message } as { type: string });
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as { type: string });
  for (const text of ["from ", "anthropic"])
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } } as { type: string });
  event({ type: "content_block_stop", index: 0 } as { type: string });
  event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } } as { type: string });
  event({ type: "message_stop" });
  response.end();
};

const google: Reply = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const part = (text: string, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }], usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 } })}\n\n`,
    );
  part("from ");
  part("google", { finishReason: "STOP" });
  response.end();
};

test.for<[string, Reply, (url: string) => Record<string, string>, string, string, string]>([
  [
    "openai/gpt",
    openai,
    (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY }),
    "/v1/chat/completions",
    "authorization",
    `Bearer ${KEY}`,
  ],
  [
    "anthropic/claude",
    anthropic,
    (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
    "/v1/messages",
    "x-api-key",
    KEY,
  ],
  [
    "google/gemini",
    google,
    (url) => ({ GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`, GOOGLE_GENERATIVE_AI_API_KEY: KEY }),
    "/v1beta/models/gemini:streamGenerateContent?alt=sse",
    "x-goog-api-key",
    KEY,
  ],
])("%s is asked in its own way, with the key of its usual variable", async ([name, reply, env, url, header, value]) => {
  const it = await model(reply);
  const at = folder({ "t.flow.yaml": doc(name) });
  const ran = await at.run("run t.flow.yaml --quiet", { env: env(it.url) });
  expect(ran).toEqual({ code: 0, stdout: `from ${name.split("/")[0]}\n`, stderr: "" });
  expect(it.asked[0]?.url).toBe(url);
  expect(it.asked[0]?.headers[header]).toBe(value);
  const [{ usage }] = JSON.parse((await at.run("runs show latest --json")).stdout).nodes[0].attempts;
  expect(usage).toMatchObject({ model: name, tokensIn: name.startsWith("openai") ? 10 : 11 });
  expect(kept(at)).not.toContain(KEY);
});

test("a provider of config.yaml is called with the secret that it names, from its source", async () => {
  const it = await model(says("hello"));
  const at = folder();
  at.write(
    ".home/config.yaml",
    `llm:\n  providers:\n    work: { type: openai-compatible, baseURL: "${it.url}/api/v3", apiKey: "\${WORK_KEY}" }\n`,
  );
  at.write(".env", `WORK_KEY=${KEY}\n`);
  at.write("t.flow.yaml", doc("work/big-model", "temperature: 0, streamOutput: true"));
  const ran = await at.run("run t.flow.yaml");
  expect([ran.stdout, ran.stderr]).toEqual(["hello\n", expect.stringContaining("\nask │ hello\n")]);
  expect(it.asked[0]).toMatchObject({
    url: "/api/v3/chat/completions",
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: "big-model" },
  });
});

test("a node without a model uses llm.model of config.yaml, and without that the error says where to name one", async () => {
  const it = await model(says("hello"));
  const at = folder({ "t.flow.yaml": doc("x/y").replace("model: x/y, ", "") });
  const env = { OLLAMA_HOST: it.url };
  const without = await at.run("run t.flow.yaml", { env });
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("error[llm-model-missing]")]);
  expect(without.stderr).toContain("llm: { model: provider/model }");
  at.write(".home/config.yaml", "llm:\n  model: ollama/small\n");
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe("hello\n");
  expect(it.asked).toMatchObject([{ body: { model: "small" } }]);
});

test("a key that config.yaml names and that is not set is an error with its line, on this machine as well", async () => {
  const it = await model(says("hello"));
  const at = folder({ "t.flow.yaml": doc("work/m") });
  at.write(
    ".home/config.yaml",
    `llm:\n  providers:\n    work: { type: openai-compatible, baseURL: "${it.url}", apiKey: "\${WORK_KEY}" }\n`,
  );
  const ran = await at.run("run t.flow.yaml");
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("error[llm-key-missing]")]);
  expect(ran.stderr).toMatch(/config\.yaml:3:\d+: apiKey names WORK_KEY/);
  expect(it.asked).toEqual([]);
});

test("a server that repeats the key does not get it shown", async () => {
  const it = await model(refuses(401, `Incorrect API key provided: ${KEY}.`));
  const at = folder({ "t.flow.yaml": doc("openai/gpt") });
  const ran = await at.run("run t.flow.yaml", { env: { OPENAI_BASE_URL: it.url, OPENAI_API_KEY: KEY } });
  expect(ran.stderr).toContain("llm-not-authorised");
  expect(ran.stderr).toContain("OPENAI_API_KEY: is it complete");
  expect(ran.stdout + ran.stderr + kept(at)).not.toContain(KEY);
});

test("a server that repeats a secret gets none of it shown, whole or cut, in text or in an answer that does not fit", async () => {
  const odd = `${KEY}'"\\n\\x${KEY.toUpperCase()}`;
  const long = (most: number) => `${"w".repeat(most - 8)}${odd}`;
  const answered =
    (body: object): Reply =>
    (response) =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  for (const reply of [
    refuses(401, `no ${odd} here`),
    refuses(401, long(limits.approvalInlineCharsMax)),
    answered({ detail: long(limits.approvalInlineCharsMax) }),
    says(long(60)),
    says(JSON.stringify({ no: long(58) })),
    says(JSON.stringify({ no: odd })),
  ]) {
    const it = await model(reply);
    const schema = "schema: { properties: { no: { type: integer } } }";
    const at = folder({ "t.flow.yaml": doc("ollama/m", `system: "\${TOKEN}", ${schema}`, "secrets: [TOKEN]\n") });
    const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url, TOKEN: odd } });
    expect(ran.code, ran.stderr).toBe(1);
    const all = ran.stdout + ran.stderr + kept(at) + JSON.stringify(it.asked.map(({ body }) => body.messages.at(-1)));
    for (const part of [KEY.slice(0, 6), KEY.toUpperCase().slice(0, 6)]) expect(all).not.toContain(part);
  }
});

test("a secret in the prompt does not reach the model", async () => {
  const it = await model(says("fine"));
  const at = folder({
    "t.flow.yaml": doc("ollama/m", 'system: "Mind ${TOKEN}"', "secrets: [TOKEN]\n").replace(
      "Judge it.",
      "Judge ${TOKEN}.",
    ),
  });
  const ran = await at.run("run t.flow.yaml --quiet", { env: { OLLAMA_HOST: it.url, TOKEN: KEY } });
  expect(ran.code, ran.stderr).toBe(0);
  expect(it.asked[0]?.body.messages.map(({ content }) => content)).toEqual(["Mind ***", "Judge ***."]);
});

test.for([
  [
    "nosuch/m",
    {},
    "llm-provider-unknown",
    'Unknown provider "nosuch". Known providers: anthropic, openai, google, ollama.',
  ],
  ["anthropic/m", {}, "llm-key-missing", "ANTHROPIC_API_KEY is not set"],
  ["ollama/m", { OLLAMA_HOST: "models.example:11434" }, "llm-not-https", "http://models.example:11434"],
  ["sample/m", { SAMPLE_BASE_URL: "http://models.example/v1" }, "llm-not-https", "http://models.example"],
  [
    "openai/m",
    { OPENAI_BASE_URL: "http://llm.example/v1", OPENAI_API_KEY: KEY },
    "llm-not-https",
    "http://llm.example",
  ],
  [
    "openai/m",
    { OPENAI_BASE_URL: "https://me:secret@llm.example/v1", OPENAI_API_KEY: KEY },
    "llm-address-invalid",
    "OPENAI_BASE_URL",
  ],
] as const)("%s with %o is reported plainly", async ([name, env, code, words]) => {
  const at = folder({ "t.flow.yaml": doc(name) });
  const ran = await at.run("run t.flow.yaml", { env });
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`error[${code}]`)]);
  expect(ran.stderr).toContain(words);
});

test("an unreachable server is reported as unreachable", async () => {
  const at = folder({ "t.flow.yaml": doc("ollama/m") });
  const host = `127.0.0.1:${await closedPort()}`;
  const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: host } });
  expect(ran.stderr).toContain(
    `Curlew could not reach ${host} for ollama/m: no program is listening there (ECONNREFUSED).`,
  );
});

test("a document that lists its hosts is limited to them, and its rule about http counts", async () => {
  const at = folder({ "t.flow.yaml": doc("openai/m", "temperature: 0", "egress: { allow: [api.example.com] }\n") });
  const env = { OPENAI_API_KEY: KEY };
  expect((await at.run("run t.flow.yaml", { env })).stderr).toContain(
    'api.openai.com, which is not in "egress" of the workflow',
  );
  at.write("t.flow.yaml", doc("ollama/m", "temperature: 0", "egress: any\n"));
  // Curlew tries it: no such host is found.
  expect((await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: "models.invalid:1" } })).stderr).toContain(
    "llm-unreachable",
  );
});

test.for([
  ["llm: { providers: { x: { type: openai-compatible } } }", "llm.providers.x needs a baseURL"],
  [
    "llm: { providers: { x: { type: opanai } } }",
    "llm.providers.x.type must be one of openai-compatible, openai, anthropic, google",
  ],
  [`llm: { providers: { x: { type: openai, apiKey: ${KEY} } } }`, "llm.providers.x.apiKey must name a secret"],
  ["llm: { prices: { openai/gpt: 3 } }", "llm.prices.openai/gpt must be { input, output }"],
  ["llm: { provider: {} }", 'llm has no setting "provider". Known settings: model, providers, prices'],
])("%s in config.yaml is reported with its place", async ([config, words]) => {
  const at = folder({ "t.flow.yaml": doc("x/m"), ".home/config.yaml": `${config}\n` });
  const ran = await at.run("run t.flow.yaml");
  expect(ran.stderr).toContain(words);
  expect(ran.stderr).toMatch(/config\.yaml:1:\d+/);
  expect(ran.stderr).not.toContain(KEY);
});

test("you see the prompt as it is sent, and nothing is sent before", async () => {
  const it = await model(says("yes"));
  const env = { OLLAMA_HOST: it.url };
  const at = folder({ "t.flow.yaml": doc("ollama/m", "needsUserApproval: true") });
  expect((await at.run("run t.flow.yaml", { env })).code).toBe(3);
  expect(it.asked).toHaveLength(0);
  const [waiting] = JSON.parse((await at.run("approvals --json")).stdout);
  expect(JSON.stringify(waiting)).toContain("Judge it.");
  expect((await at.run("approve latest ask", { env })).stdout).toBe("yes\n");
  expect(it.asked).toHaveLength(1);
});

test("a model's answer never becomes a command automatically", async () => {
  const it = await model(says("touch owned"));
  const more =
    '  - {id: run, type: cli, data: {title: Run, content: "${1}", needsUserApproval: true}}\nedges: [ask -> run]\n';
  const at = folder({ "t.flow.yaml": doc("ollama/m") + more });
  expect((await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } })).code).toBe(3);
  expect(readdirSync(at.path)).not.toContain("owned");
});

test("the answer of a secret Variable is shown nowhere, and stored only sealed", async () => {
  const it = await model(says(["tok-5f2a", "9b1c77e0"]));
  const more = `  - {id: v, type: variable, data: {title: V, variableName: v, secret: true}}\n  - {id: use, type: cli, data: {title: Use, content: "printf %s \\"\${v}\\" | wc -c"}}\nedges: [ask -> v -> use]\n`;
  const at = folder({ "t.flow.yaml": doc("ollama/m") + more });
  const ran = await at.run("run t.flow.yaml --json", { env: { OLLAMA_HOST: it.url } });
  expect(ran.code, ran.stderr).toBe(0);
  expect((await at.run("runs logs latest use")).stdout.trim()).toBe("16");
  expect(ran.stdout + ran.stderr + kept(at)).not.toContain("9b1c77e0");
});

test("a proxy of the environment is used, except for this machine", async () => {
  const it = await model(says("through"));
  const way = await proxy(Number(new URL(it.url).port));
  const at = folder({ "t.flow.yaml": doc("ollama/m", "temperature: 0", "egress: any\n") });
  const env = { http_proxy: way.url, OLLAMA_HOST: "http://models.invalid:80" };
  const ran = await at.run("run t.flow.yaml --quiet", { env });
  expect([ran.stdout, ran.stderr]).toEqual(["through\n", ""]);
  expect(way.passed).toEqual(["models.invalid"]);
  expect((await at.run("run t.flow.yaml --quiet", { env: { ...env, OLLAMA_HOST: it.url } })).stdout).toBe("through\n");
  expect(way.passed).toHaveLength(1);
});

test("an unknown certificate is rejected, and a known one is accepted", async () => {
  const it = await model(says("safe"));
  const port = await tlsBefore(Number(new URL(it.url).port));
  const at = folder({ "t.flow.yaml": doc("openai/m", "retry: {initialInterval: 1ms}") });
  const env = { OPENAI_BASE_URL: `https://localhost:${port}/v1` };
  const ran = await at.run("run t.flow.yaml", { env });
  expect(ran.stderr).toContain("error[llm-certificate]");
  expect(ran.stderr).toContain("NODE_EXTRA_CA_CERTS");
  expect(ran.stderr).not.toContain("2 attempts");
  expect((await at.run("run t.flow.yaml --quiet", { env: { ...env, NODE_EXTRA_CA_CERTS: CA_FILE } })).stdout).toBe(
    "safe\n",
  );
});

test("Google puts an invalid key, and the time to wait, into the body of its response", async () => {
  const says =
    (code: number, message: string, detail: object): Reply =>
    (response) => {
      response.writeHead(code, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { code, message, status: "X", details: [detail] } }, null, 2));
    };
  const it = await model(
    says(429, "Quota exceeded.", { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }),
    says(400, "API key not valid. Please pass a valid API key.", { reason: "API_KEY_INVALID" }),
  );
  const at = folder({ "t.flow.yaml": doc("google/gemini", "retry: { maxAttempts: 3, initialInterval: 1ms }") });
  const env = { GOOGLE_GENERATIVE_AI_BASE_URL: it.url, GEMINI_API_KEY: KEY };
  const ran = await at.run("run t.flow.yaml", { env });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("error[llm-not-authorised]");
  expect(ran.stderr).toContain("GEMINI_API_KEY");
  expect(ran.stderr).toContain("\n  prompt: ");
  expect((await at.run("runs show latest")).stdout).toContain("\n  prompt: ");
  const { attempts } = JSON.parse((await at.run("runs show latest --json")).stdout).nodes[0];
  expect(attempts).toHaveLength(2);
  expect(Date.parse(attempts[1].startedAt) - Date.parse(attempts[0].endedAt)).toBeGreaterThanOrEqual(1_450);
});

test("if everything new must be seen, the prompt is shown first, once", async () => {
  const it = await model(says("yes"));
  const env = { OLLAMA_HOST: it.url };
  const at = folder({ "t.flow.yaml": doc("ollama/m"), ".home/config.yaml": "trust: all-new\n" });
  expect((await at.run("run t.flow.yaml", { env })).code).toBe(3);
  expect(it.asked).toHaveLength(0);
  expect((await at.run("approve latest ask", { env })).stdout).toBe("yes\n");
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe("yes\n");
});

test("a dry run shows the prompt and the model, hides secrets, and calls no model", async () => {
  const text = doc(
    "openai/m",
    'system: "Be ${how}, ${TOKEN}"',
    "secrets: [TOKEN]\ninputs: { how: {type: string, default: brief} }\n",
  );
  const at = folder({ "t.flow.yaml": text });
  const ran = await at.run("run t.flow.yaml --dry-run", { env: { TOKEN: KEY } });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain("Judge it.");
  expect(ran.stdout).toMatch(/model +openai\/m/);
  expect(ran.stdout).toContain("Be brief, ‹");
  expect(ran.stdout).not.toContain(KEY);
});

if (has("tiny-llm")) {
  test("a real model answers, in words and as JSON of a schema", async () => {
    const url = await tinyModel();
    const env = { OLLAMA_HOST: url };
    const at = folder({ "t.flow.yaml": doc("ollama/tiny-http").replace("Judge it.", "What does HTTP 429 mean?") });
    expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe("Too Many Requests\n");
    const schema =
      "temperature: 0, schema: {type: object, properties: {verdict: {enum: [ok, fail]}, retry: {type: boolean}}, required: [verdict, retry]}";
    at.write(
      "t.flow.yaml",
      doc("ollama/tiny-http", schema).replace("Judge it.", "Judge HTTP 503 Service Unavailable."),
    );
    expect(JSON.parse((await at.run("run t.flow.yaml --quiet", { env })).stdout)).toEqual({
      verdict: "fail",
      retry: true,
    });
    const [{ usage }] = JSON.parse((await at.run("runs show latest --json")).stdout).nodes[0].attempts;
    expect(usage.tokensIn).toBeGreaterThan(5);
    expect(usage.tokensOut).toBeGreaterThan(5);
    at.write("t.flow.yaml", doc("ollama/other"));
    expect((await at.run("run t.flow.yaml", { env })).stderr).toContain("llm-model-unknown");
  });
}
