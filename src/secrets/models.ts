// Reads the language model section of config.yaml in the data directory (spec 2.7):
// provider URLs, and what models cost.
//     llm:
//       providers:
//         local: { type: openai-compatible, baseURL: "http://127.0.0.1:8080/v1" }
//         work: { type: openai, baseURL: "https://llm.example.com/v1", apiKey: "${WORK_LLM_KEY}" }
//       prices:                                  # US dollars per million tokens
//         openai/gpt-5: { input: 1.25, output: 10 }
//   L1. The file never contains an API key: `apiKey` names a secret, which is looked up like any other (ADR 21).

import type { Node, YAMLMap } from "yaml";
import type { Failure } from "../base/failure.ts";
import type { Result } from "../base/result.ts";
import { entriesOf, type Place, readConfig } from "./config.ts";

export const PROVIDER_TYPES = ["openai-compatible", "openai", "anthropic", "google"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

export interface ProviderConfig {
  type: ProviderType;
  baseURL?: string;
  /** The name of the secret. */
  apiKey?: string;
  /** False if the server does not accept a JSON Schema. The response is checked in any case. */
  structuredOutputs: boolean;
}

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
}

export interface ModelConfig {
  providers: ReadonlyMap<string, ProviderConfig>;
  /** By `provider/model`. */
  prices: ReadonlyMap<string, Price>;
}

const NOTHING: ModelConfig = { providers: new Map(), prices: new Map() };
const LLM =
  "llm must be { providers: { NAME: { type, baseURL, apiKey } }, prices: { PROVIDER/MODEL: { input, output } } }";

/** Empty if there is no file. Failures: `config-invalid`, `config-unreadable`, `config-open`. */
export function readModelConfig(home: string): Promise<Result<ModelConfig, Failure>> {
  return readConfig(home, NOTHING, modelsOf);
}

export function modelsOf(top: YAMLMap, place: Place): ModelConfig {
  const llm = entriesOf(top, place).find(({ name }) => name === "llm");
  const providers = new Map<string, ProviderConfig>();
  const prices = new Map<string, Price>();
  for (const part of llm === undefined ? [] : entriesOf(place.mapAt(llm.value, LLM), place)) {
    if (part.name !== "providers" && part.name !== "prices") throw place.wrong(part.key, LLM);
    for (const { name, key, value } of entriesOf(place.mapAt(part.value, LLM), place)) {
      if (part.name === "prices") prices.set(name, priceOf(name, value, place));
      else if (/^[A-Za-z0-9][\w.-]*$/.test(name)) providers.set(name, providerOf(name, value, place));
      else
        throw place.wrong(key, `names a provider ${JSON.stringify(name)}; names are letters, digits, ".", "_" and "-"`);
    }
  }
  return { providers, prices };
}

function providerOf(name: string, node: Node, place: Place): ProviderConfig {
  const where = `llm.providers.${name}`;
  const known = ["type", "baseURL", "apiKey", "structuredOutputs"];
  const given = new Map<string, { plain: unknown; value: Node }>();
  for (const { name: field, key, value } of entriesOf(place.mapAt(node, `${where} must be a map`), place)) {
    if (!known.includes(field)) throw place.wrong(key, `${where} has no "${field}"; there are ${known.join(", ")}`);
    given.set(field, { plain: place.plain(value), value });
  }
  const type = given.get("type")?.plain as ProviderType;
  if (!PROVIDER_TYPES.includes(type))
    throw place.wrong(given.get("type")?.value ?? node, `${where}.type must be one of ${PROVIDER_TYPES.join(", ")}`);
  const url = given.get("baseURL");
  if (url === undefined && type === "openai-compatible") throw place.wrong(node, `${where} needs a baseURL`);
  if (url !== undefined && (typeof url.plain !== "string" || !URL.canParse(url.plain)))
    throw place.wrong(url.value, `${where}.baseURL must be an address such as https://llm.example.com/v1`);
  const structured = given.get("structuredOutputs");
  if (structured !== undefined && typeof structured.plain !== "boolean")
    throw place.wrong(structured.value, `${where}.structuredOutputs must be true or false`);
  const key = given.get("apiKey");
  return {
    type,
    baseURL: url?.plain as string | undefined,
    apiKey: key && secretNamed(where, key, place),
    structuredOutputs: structured?.plain !== false,
  };
}

/** L1. The message does not repeat an invalid value, because it may be a key. */
function secretNamed(where: string, { plain, value }: { plain: unknown; value: Node }, place: Place): string {
  const name = typeof plain === "string" ? /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(plain)?.[1] : undefined;
  if (name !== undefined) return name;
  throw place.wrong(
    value,
    `${where}.apiKey must name a secret, as in \${OPENAI_API_KEY}; a key itself does not belong here`,
  );
}

function priceOf(model: string, node: Node, place: Place): Price {
  const need = `llm.prices.${model} must be { input, output } in US dollars for a million tokens`;
  const given = new Map(entriesOf(place.mapAt(node, need), place).map(({ name, value }) => [name, place.plain(value)]));
  const [input, output] = [given.get("input"), given.get("output")];
  if (given.size === 2 && isPrice(input) && isPrice(output)) return { input, output };
  throw place.wrong(node, need);
}

function isPrice(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
