// chat: the tiny language model behind an API like OpenAI's, whole or as a stream of server-sent events.
//   C1. A prompt that is too long, an unknown model and an invalid body are rejected. A caller that hangs up ends its
//       own answer.
// The system prompt is not given to the model, which was trained on questions only. A wish for JSON (`response_format`)
// is not enforced, as with many small servers. Asked to judge a status, the model answers in JSON.

import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { jsonObject, Refusal } from "./answer.ts";
import { CONTEXT_TOKENS, TinyModel } from "./tiny-model.ts";

const MODEL = "tiny-http";
const OUTPUT_TOKENS = 64;

interface Wanted {
  prompt: number[];
  max: number;
  withUsage: boolean;
}

export function chat(): Hono {
  const app = new Hono();
  let loaded: TinyModel | undefined;
  const model = (): TinyModel => {
    loaded ??= new TinyModel();
    return loaded;
  };
  app.get("/models", (c) => c.json({ object: "list", data: [{ id: MODEL, object: "model", owned_by: "curlew" }] }));
  app.post("/chat/completions", (c) => {
    const body = jsonObject(c);
    const wanted = wantedOf(body, model());
    return body.stream === true ? streamed(c, model(), wanted) : whole(c, model(), wanted);
  });
  return app;
}

/** C1. */
function wantedOf(body: Record<string, unknown>, model: TinyModel): Wanted {
  if (body.model !== MODEL)
    throw new Refusal(
      404,
      "model_not_found",
      `The model ${JSON.stringify(body.model)} does not exist; there is "${MODEL}".`,
    );
  const { messages } = body;
  if (!Array.isArray(messages)) throw new Refusal(400, "invalid_request_error", '"messages" must be an array.');
  const prompt = model.encode(promptOf(messages));
  if (prompt.length > CONTEXT_TOKENS - 16)
    throw new Refusal(
      400,
      "context_length_exceeded",
      `The prompt has ${prompt.length} tokens; this model takes ${CONTEXT_TOKENS - 16}.`,
    );
  const asked = body.max_completion_tokens ?? body.max_tokens;
  const max = typeof asked === "number" && asked >= 1 ? Math.floor(asked) : OUTPUT_TOKENS;
  const options = body.stream_options as { include_usage?: unknown } | undefined | null;
  return { prompt, max, withUsage: options?.include_usage === true };
}

/** As the model was trained: a line `user: QUESTION` each, and whose turn it is. */
function promptOf(messages: unknown[]): string {
  const lines = messages.flatMap((each) => {
    const { role, content } = (each ?? {}) as { role?: unknown; content?: unknown };
    return role === "user" || role === "assistant" ? [`${role}: ${textOf(content)}`] : [];
  });
  return `${lines.join("\n")}\nassistant: `;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (part as { text?: unknown } | null)?.text ?? "").join("");
}

async function whole(c: Context, model: TinyModel, { prompt, max }: Wanted): Promise<Response> {
  const pieces: string[] = [];
  const said = await model.answer(prompt, max, (text) => void pieces.push(text), c.req.raw.signal);
  const message = { role: "assistant", content: pieces.join("") };
  const choices = [{ index: 0, message, finish_reason: said.finish }];
  return c.json({ ...head("chat.completion"), choices, usage: usageOf(prompt.length, said.tokensOut) });
}

function streamed(c: Context, model: TinyModel, { prompt, max, withUsage }: Wanted): Response {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const send = (choices: object[], more = {}): Promise<void> =>
      stream.writeSSE({ data: JSON.stringify({ ...head("chat.completion.chunk"), choices, ...more }) });
    const piece = (delta: object, finish: string | null = null) => [{ index: 0, delta, finish_reason: finish }];
    await send(piece({ role: "assistant", content: "" }));
    const { finish, tokensOut } = await model.answer(
      prompt,
      max,
      (content) => void send(piece({ content })),
      gone.signal,
    );
    await send(piece({}, finish));
    if (withUsage) await send([], { usage: usageOf(prompt.length, tokensOut) });
    await stream.writeSSE({ data: "[DONE]" });
  });
}

function head(object: string): object {
  return { id: `chatcmpl-${Date.now()}`, object, created: Math.floor(Date.now() / 1000), model: MODEL };
}

function usageOf(input: number, output: number): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
