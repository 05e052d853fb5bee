// sdk: one request to a language model through the AI SDK (spec 5.2). The only module that uses the SDK. It is loaded
// for the first request, and is a separate file in dist/ (scripts/build.ts).
//   K1. Nothing is repeated here (maxRetries 0): the engine does that and records each attempt (3.3).
//   K2. Redirects are not followed, so the key stays with its server. Proxies are those of the environment, never for
//       loopback.
//   K3. Nothing is printed. An error is a part of the stream, without request or stack trace.
//   K4. A provider's package is loaded on first use: loading all would take longer than everything else.

import {
  APICallError,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  StreamProviderError,
  streamText,
  TypeValidationError,
} from "ai";
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import { errorWords } from "../../base/error-words.ts";
import { SERVICE_HEADERS } from "../../base/http-call.ts";
import type { Refusal } from "./failures.ts";
import type { Server } from "./server.ts";

export interface Question {
  system: string;
  messages: readonly { role: "user" | "assistant"; content: string }[];
  temperature: number | undefined;
  maxOutputTokens: number | undefined;
  schema: Record<string, unknown> | undefined;
  signal: AbortSignal;
}

export interface Call {
  method: string;
  url: string;
  status: number;
  durationMs: number;
  headers: Record<string, string>;
}

export type AnswerPart =
  | { kind: "text"; text: string }
  /** The model is working but has sent no text. */
  | { kind: "sign" }
  /** `raw` is absent if the server never reported that it had finished. */
  | {
      kind: "end";
      finish: string;
      raw: string | undefined;
      tokensIn: number | undefined;
      tokensOut: number | undefined;
    }
  | { kind: "error"; refusal: Refusal };

export interface Line {
  ask(question: Question): AsyncIterable<AnswerPart>;
  /** The calls so far. */
  calls: readonly Call[];
  close(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Fetch = typeof globalThis.fetch;

export async function openLine(server: Server, environment: Environment): Promise<Line> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const calls: Call[] = [];
  const way = wayTo(server, environment);
  const model = await modelOf(server, watched(way, calls, server));
  return {
    calls,
    ask: (question) => ask(model, server, question),
    close: () => void way.destroy(),
  };
}

/** K2. Time limits are the node's, not the client's. */
function wayTo({ isLoopback }: Server, environment: Environment): Agent | EnvHttpProxyAgent {
  const patient = { headersTimeout: 0, bodyTimeout: 0 };
  const named = (name: string): string | undefined => environment[name.toLowerCase()] || environment[name] || undefined;
  const [httpProxy, httpsProxy, noProxy] = [named("HTTP_PROXY"), named("HTTPS_PROXY"), named("NO_PROXY")];
  if (isLoopback || (httpProxy === undefined && httpsProxy === undefined)) return new Agent(patient);
  return new EnvHttpProxyAgent({
    ...patient,
    httpProxy: httpProxy ?? "",
    httpsProxy: httpsProxy ?? "",
    noProxy: noProxy ?? "",
  });
}

function watched(dispatcher: Agent | EnvHttpProxyAgent, calls: Call[], { type }: Server): Fetch {
  const watchedFetch = async (input: unknown, init: object | undefined) => {
    const from = performance.now();
    const asked = { ...init, redirect: "manual", dispatcher } as Parameters<typeof undiciFetch>[1];
    const answer = await undiciFetch(input as string, asked);
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => SERVICE_HEADERS.test(name)));
    const durationMs = Math.round(performance.now() - from);
    const delay = type === "google" && answer.status === 429 ? delayIn(await answer.clone().text()) : undefined;
    if (delay !== undefined) headers["retry-after"] ??= delay;
    calls.push({ method: asked?.method ?? "GET", url: String(input), status: answer.status, durationMs, headers });
    return answer;
  };
  return watchedFetch as unknown as Fetch;
}

/** Google puts the retry delay in the body. */
function delayIn(body: string): string | undefined {
  return /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(body)?.[1];
}

/** K4. */
async function modelOf({ type, baseURL, key, modelThere, model }: Server, fetch: Fetch): Promise<LanguageModel> {
  // A server on this machine may need no key, but the SDK always requires one.
  const apiKey = key ?? "none";
  switch (type) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey, fetch })(modelThere);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL, apiKey, fetch })(modelThere);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL, apiKey, fetch }).chat(modelThere);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const name = model.split("/")[0] ?? "";
      return createOpenAICompatible({
        ...{ baseURL, fetch, name, includeUsage: true, supportsStructuredOutputs: true, apiKey: key },
      })(modelThere);
    }
  }
}

async function* ask(model: LanguageModel, server: Server, question: Question): AsyncGenerator<AnswerPart> {
  const { schema, temperature, maxOutputTokens, signal } = question;
  const sendsSchema = schema !== undefined && server.structuredOutputs;
  const system = schema === undefined || sendsSchema ? question.system : schemaInWords(question.system, schema);
  const provider = server.type === "openai-compatible" ? (server.model.split("/")[0] ?? "") : server.type;
  try {
    const { stream } = streamText({
      model,
      messages: question.messages as ModelMessage[],
      maxRetries: 0,
      abortSignal: signal,
      // K3: without it the SDK prints errors.
      onError: () => {},
      instructions: system === "" ? undefined : system,
      temperature,
      maxOutputTokens,
      // The answer is checked here, so schemas that the provider's strict mode does not support work, too.
      ...(sendsSchema ? { output: Output.object({ schema: jsonSchema(schema) }) } : {}),
      providerOptions: { [provider]: { strictJsonSchema: false } },
    });
    for await (const part of stream) {
      if (part.type === "text-delta") yield { kind: "text", text: part.text };
      else if (part.type === "error") return yield { kind: "error", refusal: refusalOf(part.error) };
      else if (part.type === "finish")
        yield {
          ...{ kind: "end", finish: part.finishReason, raw: part.rawFinishReason },
          ...{ tokensIn: part.totalUsage.inputTokens, tokensOut: part.totalUsage.outputTokens },
        };
      else if (part.type !== "start" && part.type !== "start-step") yield { kind: "sign" };
    }
  } catch (reason) {
    yield { kind: "error", refusal: refusalOf(reason) };
  }
}

/** For a server without schema support. The answer is still checked. */
function schemaInWords(system: string, schema: object): string {
  return `${system}\n\nAnswer with nothing but JSON that satisfies this JSON Schema:\n${JSON.stringify(schema)}`.trim();
}

/** K3. */
function refusalOf(error: unknown): Refusal {
  const thrown = deepest(error);
  // The server's own error in the middle of its response.
  if (StreamProviderError.isInstance(error)) return { status: error.statusCode ?? 200, said: error.message };
  if (TypeValidationError.isInstance(error)) return { said: errorWords(JSON.stringify(error.value) ?? "") };
  if (!APICallError.isInstance(error)) return { said: thrown.message, ...systemOf(error) };
  const { statusCode, message, data, responseBody } = error;
  const apiError = (data as { error?: { code?: unknown; type?: unknown; status?: unknown } } | undefined)?.error;
  const code = [apiError?.code, apiError?.type, apiError?.status].find((one) => typeof one === "string") as
    | string
    | undefined;
  if (statusCode === undefined || statusCode === 200) return { said: thrown.message, ...systemOf(error) };
  const said = errorWords(responseBody ?? "") || message;
  return { status: statusCode, said, code };
}

function systemOf(error: unknown): { system?: string } {
  const { code } = deepest(error) as NodeJS.ErrnoException;
  return typeof code === "string" ? { system: code } : {};
}

/**
 * The innermost cause, because "fetch failed" explains nothing. If several IP addresses were tried, the error of the
 * first.
 */
function deepest(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(typeof error === "string" ? error : (JSON.stringify(error) ?? ""));
  const first = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? deepest(first) : error;
}
