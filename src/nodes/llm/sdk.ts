// sdk: one request to a language model through the AI SDK (spec 5.2). The only file that knows it; loaded when a model is first asked,
// and a file of its own in dist/ (scripts/build.ts).
//   K1. Nothing is repeated here (maxRetries 0): that is the engine's, with a record of each attempt (3.3).
//   K2. No redirect is followed: the key stays with the server that it is for. Proxies are those of the environment, never for loopback.
//   K3. Nothing is printed. What went wrong is a part of the stream, in words without a request or a stack in them.
//   K4. A provider's package is loaded when it is asked: all of them would take longer than the rest together.

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

export type Part =
  | { kind: "text"; text: string }
  /** It works, and has said nothing for us: it thinks, or asks for a tool by this name. */
  | { kind: "sign"; tool?: string; isThought?: true }
  /** `raw` is absent when the server never said that it had finished. */
  | {
      kind: "end";
      finish: string;
      raw: string | undefined;
      tokensIn: number | undefined;
      tokensOut: number | undefined;
    }
  | { kind: "error"; refusal: Refusal };

export interface Line {
  ask(question: Question): AsyncIterable<Part>;
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

/** K2. Times are the node's own, not the client's. */
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

/** Google says in the body when to come again. */
function delayIn(body: string): string | undefined {
  return /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(body)?.[1];
}

/** K4. */
async function modelOf({ type, baseURL, key, modelThere, model }: Server, fetch: Fetch): Promise<LanguageModel> {
  // On this machine a server may want no key; the SDK always wants one.
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

async function* ask(model: LanguageModel, server: Server, question: Question): AsyncGenerator<Part> {
  const { schema, temperature, maxOutputTokens, signal } = question;
  const told = schema !== undefined && server.structuredOutputs;
  const system = schema === undefined || told ? question.system : schemaInWords(question.system, schema);
  const provider = server.type === "openai-compatible" ? (server.model.split("/")[0] ?? "") : server.type;
  try {
    const { stream } = streamText({
      model,
      messages: question.messages as ModelMessage[],
      maxRetries: 0,
      abortSignal: signal,
      // K3: without it errors are printed.
      onError: () => {},
      instructions: system === "" ? undefined : system,
      temperature,
      maxOutputTokens,
      // The answer is checked here, so that a schema which the provider's strict mode does not know is fine too.
      ...(told ? { output: Output.object({ schema: jsonSchema(schema) }) } : {}),
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
      else if (part.type === "tool-input-start") yield { kind: "sign", tool: part.toolName };
      else if (part.type === "reasoning-delta") yield { kind: "sign", isThought: true };
      else if (part.type !== "start" && part.type !== "start-step") yield { kind: "sign" };
    }
  } catch (reason) {
    yield { kind: "error", refusal: refusalOf(reason) };
  }
}

/** For a server that cannot be told a schema. The answer is checked all the same. */
function schemaInWords(system: string, schema: object): string {
  return `${system}\n\nAnswer with nothing but JSON that satisfies this JSON Schema:\n${JSON.stringify(schema)}`.trim();
}

/** K3. */
function refusalOf(error: unknown): Refusal {
  const thrown = deepest(error);
  // The server's own, in the middle of its answer.
  if (StreamProviderError.isInstance(error)) return { status: error.statusCode ?? 200, said: error.message };
  if (TypeValidationError.isInstance(error)) return { said: errorWords(JSON.stringify(error.value) ?? "") };
  if (!APICallError.isInstance(error)) return { said: thrown.message, ...systemOf(error) };
  const { statusCode, message, data, responseBody } = error;
  const told = (data as { error?: { code?: unknown; type?: unknown; status?: unknown } } | undefined)?.error;
  const code = [told?.code, told?.type, told?.status].find((one) => typeof one === "string") as string | undefined;
  if (statusCode === undefined || statusCode === 200) return { said: thrown.message, ...systemOf(error) };
  const said = errorWords(responseBody ?? "") || message;
  return { status: statusCode, said, code };
}

function systemOf(error: unknown): { system?: string } {
  const { code } = deepest(error) as NodeJS.ErrnoException;
  return typeof code === "string" ? { system: code } : {};
}

/** The cause behind all causes: "fetch failed" helps nobody. Of several addresses tried, the first. */
function deepest(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(typeof error === "string" ? error : (JSON.stringify(error) ?? ""));
  const first = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? deepest(first) : error;
}
