// server: finds the server and the key for a node's `model` (spec 1.2 LLM, 2.7).
//   S1. config.yaml's providers come first, then anthropic, openai, and google by their usual environment variables,
//       and ollama. Last comes `sample`, the sample API with the demo's model, which is in no list.
//   S2. https only, except for loopback or `egress: any`. With `egress: { allow }` only a host in that list.
//   S3. A key is masked everywhere as soon as it is found, and is sent only to that server.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { matches } from "../../process/egress-proxy.ts";
import { type ModelConfig, type Price, type ProviderType, readModelConfig } from "../../secrets/config.ts";
import { secretParts } from "../../secrets/derived-secrets.ts";
import { findSecrets } from "../../secrets/sources.ts";
import { isLoopbackHost } from "../../shell/safety/index.ts";
import type { NodeContext } from "../context.ts";
import { type Asked, badUrl, noKey, noModel, noNamedKey, noProvider, plainHttp } from "./failures.ts";

export interface Server extends Asked {
  type: ProviderType;
  /** The server's name of the model. `model` is the name in the workflow. */
  modelThere: string;
  baseURL: string;
  key: string | undefined;
  /** Whether the server accepts a JSON Schema. */
  structuredOutputs: boolean;
  price: Price | undefined;
  isLoopback: boolean;
}

/** A provider that a model can name. */
export interface Provider {
  name: string;
  from: "config" | "environment";
  type: ProviderType;
  url: string | undefined;
  /** Where the URL was found, for messages. */
  urlFrom: string;
  /** Names of secrets that can hold its key. The first that exists counts. */
  keys: readonly string[];
  /** Without a key no request is sent, except to this machine. */
  needsKey: boolean;
  /** Where config.yaml names the key: then no request is sent without it. */
  keyAt?: string;
  structuredOutputs: boolean;
}

const USUAL = {
  anthropic: { url: "https://api.anthropic.com/v1", variable: "ANTHROPIC_BASE_URL", keys: ["ANTHROPIC_API_KEY"] },
  openai: { url: "https://api.openai.com/v1", variable: "OPENAI_BASE_URL", keys: ["OPENAI_API_KEY"] },
  google: {
    url: "https://generativelanguage.googleapis.com/v1beta",
    variable: "GOOGLE_GENERATIVE_AI_BASE_URL",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  },
} as const;

type Environment = NodeContext["environment"];

/** Those of config.yaml first, then the usual ones that it does not define. */
export function knownProviders({ providers }: ModelConfig, environment: Environment): Provider[] {
  return namesOf(providers).flatMap((name) => configured(name, providers) ?? usual(name, environment) ?? []);
}

function namesOf(providers: ModelConfig["providers"]): string[] {
  return [...new Set([...providers.keys(), ...Object.keys(USUAL), "ollama"])];
}

/**
 * `named`: the node's `model`. Failures: `llm-model-missing`, `llm-provider-unknown`, `llm-key-missing`, `llm-not-https`, `llm-address-invalid`, `egress-refused`,
 * `config-*`, `secret-*`.
 */
export async function serverFor(
  named: string | undefined,
  context: NodeContext,
  home: string,
): Promise<Result<Server, Failure>> {
  const config = await readModelConfig(home);
  if (!config.ok) return config;
  const model = named ?? config.value.model;
  if (model === undefined) return err(noModel());
  const cut = model.indexOf("/");
  const [name, modelThere] = [model.slice(0, cut), model.slice(cut + 1)];
  const { providers, prices } = config.value;
  const provider = configured(name, providers) ?? usual(name, context.environment);
  if (provider === undefined) return err(noProvider(name, namesOf(providers)));
  const address = addressOf(provider, model, context);
  if (!address.ok) return address;
  const { isLoopback } = address.value;
  const key = await keyOf(provider.keys, context, home);
  if (!key.ok) return key;
  if (key.value === undefined && provider.keyAt !== undefined) return err(noNamedKey(provider.keyAt, provider.keys));
  if (key.value === undefined && provider.needsKey && !isLoopback) return err(noKey(model, provider.keys));
  return ok({
    ...{ model, modelThere, type: provider.type, keys: provider.keys, key: key.value },
    ...address.value,
    structuredOutputs: provider.structuredOutputs,
    price: prices.get(model),
  });
}

function configured(name: string, providers: ModelConfig["providers"]): Provider | undefined {
  const found = providers.get(name);
  if (found === undefined) return undefined;
  const { type, baseURL, apiKey, apiKeyAt, structuredOutputs } = found;
  const usually = type === "openai-compatible" ? undefined : USUAL[type];
  return {
    ...{ name, from: "config", type },
    url: baseURL ?? usually?.url,
    urlFrom: `llm.providers.${name}.baseURL in config.yaml`,
    keys: apiKey === undefined ? (usually?.keys ?? []) : [apiKey],
    needsKey: apiKey !== undefined || usually !== undefined,
    keyAt: apiKeyAt,
    structuredOutputs: structuredOutputs !== false,
  };
}

function usual(name: string, environment: Environment): Provider | undefined {
  const from = "environment";
  const common = { name, from, type: "openai-compatible", keys: [], needsKey: false, structuredOutputs: true } as const;
  if (name === "ollama") return { ...common, url: ollamaUrl(environment.OLLAMA_HOST), urlFrom: "OLLAMA_HOST" };
  if (name === "sample") {
    const url = environment.SAMPLE_BASE_URL || `http://127.0.0.1:${limits.sampleApiPortDefault}/v1`;
    return { ...common, url, urlFrom: "SAMPLE_BASE_URL" };
  }
  if (!Object.hasOwn(USUAL, name)) return undefined;
  const type = name as keyof typeof USUAL;
  const { url, variable, keys } = USUAL[type];
  return { ...common, type, url: environment[variable] || url, urlFrom: variable, keys, needsKey: true };
}

/** `host`, `host:port`, or a URL, as Ollama reads it. A wildcard address means this machine. */
function ollamaUrl(host: string | undefined): string {
  const given = host?.trim() || "127.0.0.1:11434";
  const address = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(address)) return given;
  const url = new URL(address);
  const explicit = /:[0-9]+\/?$/.test(address.replace(/^[a-z]+:\/\//i, ""));
  if (url.port === "" && !explicit && url.protocol === "http:") url.port = "11434";
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  return `${url.href.replace(/\/+$/, "")}/v1`;
}

/** S2. */
function addressOf(
  { url, urlFrom, type }: Provider,
  model: string,
  context: NodeContext,
): Result<Pick<Server, "baseURL" | "host" | "isLoopback">, Failure> {
  const { egress } = context.workflow;
  const parsed = usableUrl(url, type);
  if (parsed === undefined) return err(badUrl(model, urlFrom));
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const isLoopback = isLoopbackHost(parsed.hostname);
  if (parsed.protocol === "http:" && !isLoopback && egress !== "any") return err(plainHttp(model, parsed.origin));
  if (typeof egress === "object" && !isLoopback && !egress.allow.some((entry) => matches(host, entry)))
    return err({
      code: "egress-refused",
      message: `${model} is at ${host}, which is not in "egress" of the workflow.`,
      hint: `Add ${JSON.stringify(host)} to "egress: { allow: [...] }" of the workflow.`,
    });
  return ok({ baseURL: parsed.href.replace(/\/+$/, ""), host: parsed.host, isLoopback });
}

/** A provider's base URL; undefined if no request can go there. */
export function usableUrl(url: string | undefined, type: ProviderType): URL | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "")
    return undefined;
  // Anthropic's own environment variable has no version in it.
  if (type === "anthropic" && parsed.pathname === "/") parsed.pathname = "/v1";
  return parsed;
}

/** S3. */
async function keyOf(
  names: readonly string[],
  context: NodeContext,
  home: string,
): Promise<Result<string | undefined, Failure>> {
  for (const name of names) {
    const declared = context.secrets.get(name);
    if (declared !== undefined && declared !== "") return ok(declared);
    const { environment, folder } = context;
    const found = await findSecrets([name], { asked: {}, envFile: {}, environment, folder, home, warn: () => {} });
    if (!found.ok) return found;
    const value = found.value.values.get(name);
    if (value === undefined) continue;
    context.files.learn(secretParts(value));
    return ok(value);
  }
  return ok(undefined);
}
