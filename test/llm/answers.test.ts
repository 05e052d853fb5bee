// How a model's reply becomes a value (spec 1.2 LLM): text, JSON that fits, repairs, and everything that is not a reply.

import { expect, test } from "vitest";
import { type Folder, folder } from "../cli/curlew.ts";
import { type Model, model, type Reply, refuses, says } from "./servers.ts";

const SCHEMA = `schema: {type: object, properties: {verdict: {enum: [ok, fail]}, tags: {type: array, items: {type: string}}}, required: [verdict], additionalProperties: false}`;

const doc = (data: string, more = ""): string =>
  `curlew: 1\nname: T\n${more}nodes:\n  - {id: ask, type: llm, data: {title: Ask, model: ollama/m, content: "Judge it.", ${data}}}\n`;

async function asked(
  data: string,
  ...replies: Reply[]
): Promise<{ at: Folder; it: Model; env: { OLLAMA_HOST: string } }> {
  const it = await model(...replies);
  return { it, at: folder({ "t.flow.yaml": doc(data) }), env: { OLLAMA_HOST: it.url } };
}

const attempts = async (at: Folder) => JSON.parse((await at.run("runs show latest --json")).stdout).nodes[0].attempts;

test("an answer is the node's value, byte for byte, and the record has the request and its cost", async () => {
  const { at, it, env } = await asked(
    "system: Be brief., temperature: 0.5, maxOutputTokens: 50",
    says(["  Hällo", " wörld\n"]),
  );
  at.write(".home/config.yaml", "llm: { prices: { ollama/m: { input: 2, output: 4 } } }\n");
  expect(await at.run("run t.flow.yaml --quiet", { env })).toEqual({
    code: 0,
    stdout: "  Hällo wörld\n\n",
    stderr: "",
  });
  expect(it.asked[0]).toMatchObject({
    url: "/v1/chat/completions",
    body: { model: "m", temperature: 0.5, max_tokens: 50, stream: true },
  });
  expect(it.asked[0]?.body.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Judge it." },
  ]);
  expect(it.asked[0]?.headers.authorization).toBeUndefined();
  expect(await attempts(at)).toMatchObject([
    {
      status: "succeeded",
      usage: { model: "ollama/m", tokensIn: 10, tokensOut: 5, usd: 0.00004 },
      http: [{ method: "POST", url: `${it.url}/v1/chat/completions`, status: 200 }],
      stdout: { bytes: 16 },
    },
  ]);
});

test("JSON that fits is the value as the model wrote it, without a fence around it", async () => {
  const { at, it, env } = await asked(SCHEMA, says(["```json\n", '{"verdict": "ok"', "}\n```"]));
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe('{"verdict": "ok"}\n');
  expect(it.asked[0]?.body.response_format?.json_schema?.schema).toMatchObject({ required: ["verdict"] });
  expect(it.asked).toHaveLength(1);
});

test("an answer that does not fit is sent back with the reason, and the second or third is taken", async () => {
  const { at, it, env } = await asked(
    SCHEMA,
    says('{"verdict":"maybe"}'),
    says('{"verdict":"ok","tags":["a",7]}'),
    says('{"verdict":"fail"}', { usage: [30, 6] }),
  );
  const ran = await at.run("run t.flow.yaml", { env });
  expect([ran.code, ran.stdout]).toEqual([0, '{"verdict":"fail"}\n']);
  const [, second, third] = it.asked.map(({ body }) => body.messages);
  expect(second?.slice(1)).toEqual([
    { role: "assistant", content: '{"verdict":"maybe"}' },
    { role: "user", content: expect.stringContaining('"verdict" must be one of "ok","fail", it is "maybe"') },
  ]);
  expect(third?.at(-1)?.content).toContain('"tags[1]" must be string, it is 7');
  expect(await attempts(at)).toMatchObject([{ usage: { tokensIn: 50, tokensOut: 16 } }]);
  const logs = await at.run("runs logs latest ask");
  expect(logs.stdout).toBe('{"verdict":"maybe"}\n{"verdict":"ok","tags":["a",7]}\n{"verdict":"fail"}');
  expect(logs.stderr).toContain("Trying again (2 of 2).");
});

test("after two repairs it fails and says what did not fit; retry does not repeat it either", async () => {
  const { at, it, env } = await asked(`${SCHEMA}, retry: {initialInterval: 1ms}`, says("I would say: ok"));
  const ran = await at.run("run t.flow.yaml", { env });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("llm-schema-mismatch");
  expect(ran.stderr).toContain('even after 2 repairs: it is not JSON (it begins "I would say: ok")');
  expect(it.asked).toHaveLength(3);
});

const piece = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

test.for<[string, string, Reply, string, string]>([
  ["was cut", "maxOutputTokens: 5", says("half of", { finish: "length" }), "llm-answer-cut", "maxOutputTokens (5)"],
  ["was filtered", "temperature: 1", says("I", { finish: "content_filter" }), "llm-filtered", "content filter"],
  [
    "is a refusal of the model's own",
    "temperature: 1",
    (r) =>
      void r.end(
        `data: ${JSON.stringify(piece({ refusal: "I cannot help " }))}\n\ndata: ${JSON.stringify(piece({ refusal: "with that." }, "stop"))}\n\ndata: [DONE]\n\n`,
      ),
    "llm-filtered",
    "ollama/m refused to reply: «I cannot help with that.»",
  ],
  ["is empty", "temperature: 1", says(""), "llm-empty", "The reply of ollama/m is empty"],
  ["broke off", "temperature: 1", says(["so", " far"], { cut: true }), "llm-stream-broken", "broke off"],
  ["never ended", "temperature: 1", says("so far", { finish: null, done: false }), "llm-stream-broken", "broke off"],
  [
    "is not a stream",
    "temperature: 1",
    (r) => void r.writeHead(200, { "content-type": "text/event-stream" }).end("data: {nonsense\n\n"),
    "llm-stream-broken",
    "broke off",
  ],
  [
    "is a web page",
    "temperature: 1, retry: { maxAttempts: 3 }",
    (r) =>
      void r.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html><body>Sign in</body></html>"),
    "llm-web-page",
    "responded with a web page",
  ],
  [
    "is a refusal of the key",
    "temperature: 1",
    refuses(401, "Incorrect API key provided"),
    "llm-not-authorised",
    "responded with 401: «Incorrect API key provided»",
  ],
  [
    "is a refusal of the model",
    "temperature: 1",
    refuses(404, "The model m does not exist", {}, "model_not_found"),
    "llm-model-unknown",
    "The model ollama/m does not exist",
  ],
  [
    "is a refusal of the request",
    "temperature: 1",
    refuses(400, "max_tokens is too large"),
    "llm-refused",
    "max_tokens is too large",
  ],
  [
    "sends elsewhere",
    "temperature: 1",
    refuses(302, "", { location: "http://127.0.0.1:1/" }),
    "llm-redirected",
    "redirects to another URL (302)",
  ],
])("an answer that %s is rejected, and fails with its own code", async ([, data, reply, code, words]) => {
  const { at, env } = await asked(data, reply);
  const ran = await at.run("run t.flow.yaml", { env });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(`error[${code}`);
  expect(ran.stderr).toContain(words);
  expect(ran.stderr).not.toMatch(/\n\s+at |AI_|APICallError/);
});

const whole = (message: object) => ({ choices: [{ index: 0, message, finish_reason: "stop" }] });
const CALL = { id: "c", type: "function", function: { name: "search", arguments: "{}" } };
const sends =
  (body: string | object, type = "application/json", status = 200): Reply =>
  (response) =>
    void response
      .writeHead(status, { "content-type": type })
      .end(typeof body === "string" ? body : JSON.stringify(body));
const streams = (...data: (object | string)[]): Reply =>
  sends(
    data.map((one) => `data:${typeof one === "string" ? one : JSON.stringify(one)}\r\n\r\n`).join(""),
    "text/event-stream",
  );

/** By the name of the model: what a server answers, and the value, or a part of the failure. */
const ODD: Record<string, [Reply, string]> = {
  "an-error-after-words": [
    streams(piece({ content: "4" }), { object: "error", message: "out of memory" }),
    "llm-stream-broken: …broke off: «out of memory».",
  ],
  "words-of-another-form": [
    sends({ detail: [{ loc: ["body", "messages"], msg: "field required" }] }, "application/json", 422),
    "llm-refused: …responded with 422: «body.messages: field required».",
  ],
  "not-there": [sends("404 page not found", "text/plain", 404), "llm-model-unknown: …404: «404 page not found»."],
  "a-tool-in-a-stream": [
    streams(piece({ tool_calls: [{ index: 0, ...CALL }] }), piece({}, "tool_calls"), "[DONE]"),
    "llm-empty: … is empty.",
  ],
  "thoughts-alone": [
    streams(piece({ reasoning_content: "Hm." }), piece({}, "stop"), "[DONE]"),
    "llm-empty: … is empty.",
  ],
  "no-stream": [sends(whole({ content: "42" })), "llm-stream-broken: …broke off"],
};

test("the error that a server sends is shown, whatever its form", async () => {
  const it = await model((response, asked) => ODD[asked.body.model ?? ""]?.[0](response, asked));
  const node = (name: string) =>
    `  - {id: ${name}, type: llm, data: {title: Ask, model: ollama/${name}, content: x, continueOnError: true}}\n`;
  const at = folder({ "t.flow.yaml": `curlew: 1\nname: T\nnodes:\n${Object.keys(ODD).map(node).join("")}` });
  const ran = await at.run("run t.flow.yaml --quiet", { env: { OLLAMA_HOST: it.url } });
  expect(ran.code, ran.stderr).toBe(0);
  const { nodes } = JSON.parse((await at.run("runs show latest --json")).stdout);
  expect(nodes).toHaveLength(Object.keys(ODD).length);
  for (const { id, value, failure } of nodes) {
    const [, expected] = ODD[id]!;
    const [code, words = ""] = expected.split(": …");
    if (failure === undefined) expect([id, value]).toEqual([id, expected]);
    else expect([id, failure.code, failure.message]).toEqual([id, code, expect.stringContaining(words)]);
  }
}, 60_000);

test("JSON is found after a model's thoughts and between its words, if there is one fence", async () => {
  const two = '```json\n{"verdict":"ok"}\n```\nor\n```json\n{"verdict":"fail"}\n```';
  const { at, it, env } = await asked(
    SCHEMA,
    says('<think>The word is {"verdict"}.</think>\n{"verdict": "ok"}'),
    says(two),
    says('Here you are:\n```json\n{"verdict":"fail"}\n```\nAnything else?'),
  );
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe('{"verdict": "ok"}\n');
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe('{"verdict":"fail"}\n');
  expect(it.asked).toHaveLength(3);
}, 60_000);

test("an unusable schema is reported before anything is sent", async () => {
  const { at, it, env } = await asked("schema: {type: objekt}", says("{}"));
  expect((await at.run("run t.flow.yaml", { env })).stderr).toContain("error[llm-schema-invalid]");
  expect(it.asked).toHaveLength(0);
});

test("a server without support for schemas gets the schema in words", async () => {
  const { at, it } = await asked(SCHEMA, says('{"verdict":"ok"}'));
  at.write(
    ".home/config.yaml",
    `llm: { providers: { ollama: { type: openai-compatible, baseURL: "${it.url}/v1", structuredOutputs: false } } }\n`,
  );
  expect((await at.run("run t.flow.yaml --quiet")).stdout).toBe('{"verdict":"ok"}\n');
  expect(it.asked[0]?.body.response_format).toBeUndefined();
  expect(it.asked[0]?.body.messages[0]?.content).toContain('"required":["verdict"]');
});
