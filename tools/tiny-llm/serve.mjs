// serve: the tiny model behind an OpenAI-compatible endpoint, for tests and the demo.
//   `node tools/tiny-llm/serve.mjs [--port N]` prints { url, model } as one line of JSON when it listens on 127.0.0.1.
//   V1. There is one generation at a time. A caller that hangs up ends its own.
//   V2. A question that does not fit, an unknown model and bad JSON are rejected as the OpenAI API rejects them.
// The system prompt is not given to the model: it was trained on questions alone.

import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { getLlama, LlamaCompletion } from "node-llama-cpp";

const MODEL = "tiny-http";
const CONTEXT_TOKENS = 512;
const OUTPUT_TOKENS = 200;

const llama = await getLlama({ gpu: false, build: "never", maxThreads: 1, logLevel: "error" });
const model = await llama.loadModel({
  modelPath: join(import.meta.dirname, "../../examples/sample-api/tiny-http.gguf"),
});
const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads: 1 });
const sequence = context.getSequence();
const completion = new LlamaCompletion({ contextSequence: sequence });

let last = Promise.resolve();
/** V1. */
function alone(work) {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

const app = new Hono();
app.get("/v1/models", (c) => c.json({ object: "list", data: [{ id: MODEL, object: "model", owned_by: "curlew" }] }));
app.post("/v1/chat/completions", async (c) => {
  const body = await c.req.json().catch(() => undefined);
  if (!Array.isArray(body?.messages)) return refuse(c, 400, "invalid_request_error", "The body is not a chat request.");
  if (body.model !== MODEL) return refuse(c, 404, "model_not_found", `The model "${body.model}" does not exist.`);
  const prompt = promptOf(body.messages);
  const tokensIn = model.tokenize(prompt).length;
  if (tokensIn > CONTEXT_TOKENS - 16)
    return refuse(
      c,
      400,
      "context_length_exceeded",
      `The prompt has ${tokensIn} tokens; this model takes ${CONTEXT_TOKENS - 16}.`,
    );
  const wanted = { prompt, tokensIn, body };
  return body.stream === true ? streamed(c, wanted) : whole(c, wanted);
});

function refuse(c, status, code, message) {
  return c.json({ error: { message, type: "invalid_request_error", param: null, code } }, status);
}

function promptOf(messages) {
  const said = messages.filter(({ role }) => role === "user" || role === "assistant");
  const text = ({ content }) =>
    typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
  return `${said.map((message) => `${message.role}: ${text(message)}`).join("\n")}\nassistant: `;
}

async function generate({ prompt, tokensIn, body }, signal, onText) {
  const format = body.response_format;
  const schema = format?.type === "json_schema" ? format.json_schema?.schema : undefined;
  const grammar = schema === undefined ? undefined : await llama.createGrammarForJsonSchema(schema);
  const max = body.max_completion_tokens ?? body.max_tokens ?? OUTPUT_TOKENS;
  const room = CONTEXT_TOKENS - tokensIn - 1;
  let text = "";
  await sequence.clearHistory();
  const { metadata } = await completion.generateCompletionWithMeta(prompt, {
    temperature: body.temperature ?? 0,
    maxTokens: Math.min(max, room),
    ...(grammar === undefined ? {} : { grammar }),
    customStopTriggers: ["\n"],
    signal,
    stopOnAbortSignal: true,
    onTextChunk: (chunk) => {
      text += chunk;
      onText?.(chunk);
    },
  });
  const tokensOut = model.tokenize(text).length;
  return {
    text,
    finish: metadata.stopReason === "maxTokens" ? "length" : "stop",
    usage: { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut },
  };
}

const head = (object) => ({
  id: `chatcmpl-${Date.now()}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model: MODEL,
});

async function whole(c, wanted) {
  const { text, finish, usage } = await alone(() => generate(wanted, c.req.raw.signal));
  const message = { role: "assistant", content: text };
  return c.json({ ...head("chat.completion"), choices: [{ index: 0, message, finish_reason: finish }], usage });
}

function streamed(c, wanted) {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const send = (choices, more = {}) =>
      stream.writeSSE({ data: JSON.stringify({ ...head("chat.completion.chunk"), choices, ...more }) });
    const delta = (content) => [{ index: 0, delta: { content }, finish_reason: null }];
    await alone(async () => {
      if (gone.signal.aborted) return;
      await send([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
      const { finish, usage } = await generate(wanted, gone.signal, (chunk) => void send(delta(chunk)));
      await send([{ index: 0, delta: {}, finish_reason: finish }]);
      if (wanted.body.stream_options?.include_usage === true) await send([], { usage });
      await stream.writeSSE({ data: "[DONE]" });
    });
  });
}

const asked = process.argv.indexOf("--port");
const port = asked === -1 ? 0 : Number(process.argv[asked + 1]);
serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, ({ port: given }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${given}`, model: MODEL }));
});
