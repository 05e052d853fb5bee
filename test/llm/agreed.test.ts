// Servers that are nearly OpenAI's and do not take a setting of the request: they are asked without it, or by its other name, once for each; it is
// told, and remembered as long as the process lives (spec 1.2 LLM, "any OpenAI-compatible base URL").

import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { type Asked, model, type Reply, refuses, says } from "./servers.ts";

const SCHEMA = "schema: {type: object, properties: {verdict: {enum: [ok, fail]}}, required: [verdict]}";
const ALL = "system: Be brief., temperature: 0.5, maxOutputTokens: 50";

/** Refuses as such a server does, with the first words that apply. */
type Refusal = [applies: (body: Asked["body"]) => boolean, status: number, said: object | string];

function picky(refusals: readonly Refusal[], answer: Reply): Reply {
  return (response, asked) => {
    const refusal = refusals.find(([applies]) => applies(asked.body));
    if (refusal === undefined) return answer(response, asked);
    const [, status, said] = refusal;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof said === "string" ? said : JSON.stringify(said));
  };
}

const openai = (param: string, message: string, code = "unsupported_parameter") => ({
  error: { message, type: "invalid_request_error", param, code },
});
const OLD_NAME: Refusal = [
  (body) => body.max_tokens !== undefined,
  400,
  openai(
    "max_tokens",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ),
];
const OWN_TEMPERATURE: Refusal = [
  (body) => body.temperature !== undefined,
  400,
  openai(
    "temperature",
    "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    "unsupported_value",
  ),
];
const NO_COUNT: Refusal = [
  (body) => body.stream_options !== undefined,
  422,
  {
    detail: [
      { type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted", input: {} },
    ],
  },
];
const NO_STREAM: Refusal = [
  (body) => body.stream === true,
  501,
  { error: "Streaming is not implemented for this model" },
];
const NO_FORMAT: Refusal = [
  (body) => body.response_format !== undefined,
  400,
  { error: { message: "This response_format type is unavailable now", type: "invalid_request_error", param: null } },
];
const NO_SYSTEM: Refusal = [
  (body) => body.messages.some(({ role }) => role === "system"),
  400,
  { object: "error", message: "System role not supported", type: "BadRequestError", code: 400 },
];
const NEW_NAME: Refusal = [
  (body) => body.max_completion_tokens !== undefined,
  400,
  {
    error: {
      code: 400,
      message: 'Invalid JSON payload received. Unknown name "max_completion_tokens": Cannot find field.',
    },
  },
];

const whole =
  (content: string): Reply =>
  (response) => {
    const usage = { prompt_tokens: 5, completion_tokens: 7 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: "stop" }], usage }));
  };

async function check(
  given: { refusals: Refusal[]; data?: string; of?: string; answer?: Reply },
  expected: { statuses: number[]; told: string[]; last: object },
): Promise<void> {
  const { refusals, data = ALL, of = "ollama/m", answer = says('{"verdict":"ok"}') } = given;
  const it = await model(picky(refusals, answer));
  const at = folder({
    "t.flow.yaml": `curlew: 1\nname: T\nnodes:\n  - {id: ask, type: llm, data: {title: Ask, model: ${of}, content: "Judge it.", ${data}}}\n`,
  });
  const env = { OLLAMA_HOST: it.url, OPENAI_BASE_URL: `${it.url}/v1`, OPENAI_API_KEY: "sk-test-3f9a1b7c5d2e" };
  const ran = await at.run("run t.flow.yaml --quiet", { env });
  expect(ran).toEqual({ code: 0, stdout: '{"verdict":"ok"}\n', stderr: "" });
  const [attempt, ...more] = JSON.parse((await at.run("runs show latest --json")).stdout).nodes[0].attempts;
  expect(more).toEqual([]);
  expect(attempt.http.map(({ status }: { status: number }) => status)).toEqual(expected.statuses);
  const host = new URL(it.url).host;
  const told = (await at.run("runs logs latest ask")).stderr;
  expect(told).toBe(expected.told.map((words) => `${host} does not take ${words}.\n`).join(""));
  expect(it.asked.at(-1)?.body).toMatchObject(expected.last);
  expect(it.asked).toHaveLength(expected.statuses.length);
}

test("a model that thinks wants the other name for the most tokens, and its own temperature", () =>
  check(
    { refusals: [OLD_NAME, OWN_TEMPERATURE] },
    {
      statuses: [400, 400, 200],
      told: ["max_tokens: max_completion_tokens says the same", "temperature 0.5: it has its own"],
      last: { max_completion_tokens: 50, stream: true, messages: [{ role: "system" }, { role: "user" }] },
    },
  ));

test("a server of before does not know the new name", () =>
  check(
    { refusals: [NEW_NAME], of: "openai/o3", data: "maxOutputTokens: 50" },
    {
      statuses: [400, 200],
      told: ["max_completion_tokens: max_tokens says the same"],
      last: { max_tokens: 50 },
    },
  ));

test("a server that does not stream answers at once", () =>
  check(
    { refusals: [NO_STREAM], answer: whole('{"verdict":"ok"}') },
    { statuses: [501, 200], told: ["stream: its answer comes at once"], last: { stream: false, max_tokens: 50 } },
  ));

test("a server that cannot be told a schema gets it in words, with the prompt", () =>
  check(
    { refusals: [NO_FORMAT], data: SCHEMA },
    {
      statuses: [400, 200],
      told: ["response_format: the schema is told in words"],
      last: {
        messages: [{ role: "user", content: expect.stringMatching(/^Judge it[\s\S]+"required":\["verdict"\]/) }],
      },
    },
  ));

test("a server that takes next to nothing is asked with the prompt alone, one refusal after the other", () =>
  check(
    {
      refusals: [NO_COUNT, NO_SYSTEM, OWN_TEMPERATURE, OLD_NAME, NO_FORMAT, NO_STREAM],
      data: `${ALL}, ${SCHEMA}`,
      answer: (response, asked) => {
        // What stood above the prompt, and the schema that no setting may tell, both arrive.
        const said = asked.body.messages.map(({ content }) => content).join();
        return whole(said.includes("Be brief.") && said.includes("JSON Schema") ? '{"verdict":"ok"}' : "{}")(
          response,
          asked,
        );
      },
    },
    {
      statuses: [422, 400, 400, 400, 400, 501, 200],
      told: [
        "stream_options: tokens may have to be estimated",
        "messages of the role system: they begin the prompt",
        "temperature 0.5: it has its own",
        "max_tokens: max_completion_tokens says the same",
        "response_format: the schema is told in words",
        "stream: its answer comes at once",
      ],
      last: { stream: false, max_completion_tokens: 50, messages: [{ role: "user" }] },
    },
  ));

test("what a model does not take is remembered as long as the process lives, and told each time", async () => {
  const it = await model(picky([OLD_NAME], says("yes")));
  const node = (id: string) =>
    `  - {id: ${id}, type: llm, data: {title: Ask, model: ollama/m, content: "Judge it.", maxOutputTokens: 50}}\n`;
  const at = folder({ "t.flow.yaml": `curlew: 1\nname: T\nnodes:\n${node("a")}${node("b")}edges: [a -> b]\n` });
  const ran = await at.run("run t.flow.yaml --quiet", { env: { OLLAMA_HOST: it.url } });
  expect(ran.code, ran.stderr).toBe(0);
  expect(it.asked.map(({ body }) => body.max_tokens ?? "new")).toEqual([50, "new", "new"]);
  for (const id of ["a", "b"])
    expect((await at.run(`runs logs latest ${id}`)).stderr).toContain("does not take max_tokens");
});

test.for<[string, string, number]>([
  [
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
    "temperature: 3",
    1,
  ],
  ["temperature 3 is not allowed, it must be between 0 and 2", "temperature: 3", 1],
  ["max_tokens is too large: 99999. This model supports at most 4096 completion tokens.", "maxOutputTokens: 99999", 1],
  ["This model's maximum context length is 8192 tokens; reduce the messages or max_tokens.", "maxOutputTokens: 99", 1],
  ["Neither max_tokens nor max_completion_tokens is supported.", "maxOutputTokens: 99", 2],
  ["Model is not supported", "temperature: 1, maxOutputTokens: 99", 1],
  ["unknown", "temperature: 1", 1],
])("refused for good: %s", async ([said, data, times]) => {
  const it = await model(refuses(400, said));
  const at = folder({
    "t.flow.yaml": `curlew: 1\nname: T\nnodes:\n  - {id: ask, type: llm, data: {title: Ask, model: ollama/m, content: x, ${data}}}\n`,
  });
  const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } });
  expect(ran.stderr).toContain("error[llm-refused]");
  expect(it.asked).toHaveLength(times);
});
