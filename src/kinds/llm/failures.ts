// failures: the failures of language model nodes, with one sentence and a hint each (spec 1.2 LLM, 2.7).
//   F1. The server's message is included, shortened. A key never is (events are masked, and the key is a secret).
//   F2. TRANSIENT lists temporary failures. A `retry` without `on` repeats only these (3.3).

import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { NETWORK_WORDS, networkReason } from "../../base/network-errors.ts";
import { statusReason, wordsOf } from "../../process/reason-words.ts";
import { quoted } from "../context.ts";

/** A server's error response, or why there was no response. */
export interface Refusal {
  /** HTTP status. Absent if the call did not reach the server. */
  status?: number;
  /** The server's own message. */
  said: string;
  /** The server's own code: `insufficient_quota`, `model_not_found`. */
  code?: string;
  /** A system error code: ECONNREFUSED. */
  system?: string;
}

/** Model and server, as named in every message. */
export interface Asked {
  model: string;
  host: string;
  /** Names under which a key is looked up. */
  keys: readonly string[];
}

export function requestRefused(asked: Asked, refusal: Refusal): Failure {
  const { status } = refusal;
  if (status === undefined) return unreachable(asked, refusal);
  return { ...refusedWith(status, asked, refusal), ...(status < 400 ? {} : { reason: statusReason(status) }) };
}

function refusedWith(status: number, asked: Asked, refusal: Refusal): Failure {
  const said = `${asked.host} responded with ${status}${tail(refusal.said)}`;
  if (isQuota(refusal))
    return {
      code: "llm-quota-exhausted",
      message: `The account for ${asked.model} is used up: ${said}`,
      hint: "Check your plan and billing at the provider. Waiting does not help.",
    };
  if (status === 429)
    return {
      code: "llm-rate-limited",
      message: `${asked.model} rejects calls because of its rate limit: ${said}`,
      hint: 'Give the node "retry", which waits as long as the server says, or ask for less at a time.',
    };
  // Google answers an invalid key with 400.
  if (
    status === 401 ||
    status === 403 ||
    (status === 400 && /\bAPI key (?:not valid|expired|not found)/i.test(refusal.said))
  )
    return {
      code: "llm-not-authorised",
      message: `The key for ${asked.model} was not accepted: ${said}`,
      hint: `Check ${asked.keys.length === 0 ? "whether this server needs a key (apiKey in config.yaml)" : asked.keys.join(" or ")}: is it complete, current, and allowed to use this model?`,
    };
  if (status < 300)
    return {
      code: "llm-unavailable",
      message: `${asked.model} is not available: ${asked.host} responded with ${status} and ${refusal.said === "" ? "no message." : `an error${tail(refusal.said)}`}`,
      hint: PASSES,
    };
  if (status === 404 || status === 405 || refusal.code === "model_not_found")
    return {
      code: "llm-model-unknown",
      message: `The model ${asked.model} does not exist: ${said}`,
      hint: "Check the model's name at the provider, and the base URL.",
    };
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return {
      code: "llm-unavailable",
      message: `${asked.model} is not available: ${said}`,
      hint: PASSES,
    };
  if (status >= 300 && status < 400)
    return {
      code: "llm-redirected",
      message: `${asked.host} redirects to another URL (${status}). Curlew does not follow, because it would send the key there.`,
      hint: "Use that URL as the base URL.",
    };
  return {
    code: "llm-refused",
    message: `${asked.model} rejected this request: ${said}`,
    hint: /response_format|json_schema/.test(refusal.said)
      ? `It does not accept a schema. Set structuredOutputs: false for the provider in config.yaml, and the prompt contains the schema instead.`
      : "The message says why: often the length of the prompt, the schema, or a setting such as temperature.",
  };
}

const PASSES = 'This is often temporary; "retry" repeats it.';

function isQuota({ status, code, said }: Refusal): boolean {
  return status === 402 || (status === 429 && /insufficient_quota|billing/.test(`${code ?? ""} ${said}`));
}

function unreachable({ model, host }: Asked, { said, system = "" }: Refusal): Failure {
  const reason = networkReason(system) ?? "connection-failed";
  const code = system === "" ? "" : ` (${system})`;
  if (reason.startsWith("certificate")) {
    const { what, hints } = wordsOf(reason, "node", { name: host });
    return {
      code: "llm-certificate",
      message: `Curlew could not reach ${host} for ${model}: ${what}${code}.`,
      ...{ hint: hints.join(" "), hints, reason },
    };
  }
  const why = reason === "connection-failed" ? said || "no reason given" : NETWORK_WORDS[reason];
  return {
    code: "llm-unreachable",
    message: `Curlew could not reach ${host} for ${model}: ${why ?? said}${code}.`,
    hint: model.startsWith("sample/")
      ? 'The sample API has this model: "npm run sample-api" or "curlew serve --demo" starts it. SAMPLE_BASE_URL says where it is asked.'
      : "Check that the server is running, its URL (OLLAMA_HOST, baseURL in config.yaml), the network, and the proxy.",
    reason,
  };
}

export const streamBroken = failureOf("llm-stream-broken", ({ model }: Asked, said: string) => [
  `The reply of ${model} broke off${tail(said) || "."}`,
  '"retry" asks once more; what came is in the output of the attempt.',
]);
export const webPage = failureOf("llm-web-page", ({ model, host }: Asked) => [
  `${host} responded with a web page instead of a reply of ${model}.`,
  "Check the base URL, which usually ends with /v1, and whether the page is from a login or a proxy.",
]);
export const cutAnswer = failureOf("llm-answer-cut", ({ model }: Asked, max: number | undefined) => [
  `The reply of ${model} is incomplete: it reached ${max === undefined ? "the model's token limit" : `maxOutputTokens (${max})`}.`,
  "Raise maxOutputTokens, or ask for a shorter reply.",
]);
export const filtered = failureOf("llm-filtered", ({ model }: Asked) => [
  `The provider's content filter ended the reply of ${model}.`,
  "Change the prompt. The provider would filter the same prompt again.",
]);

/** The model itself declined, in the field that the API has for it. `said` may be empty. */
export const declined = failureOf("llm-filtered", ({ model }: Asked, said: string) => [
  `${model} refused to reply${tail(said)}`,
  "Change the prompt, or use another model. The model usually refuses the same prompt again.",
]);

export const emptyAnswer = failureOf("llm-empty", ({ model }: Asked) => [
  `The reply of ${model} is empty.`,
  "Check the prompt, and say in it what to reply. Models that reason first may need a higher maxOutputTokens.",
]);

export const answerTooLong = failureOf("llm-answer-too-long", ({ model }: Asked) => [
  `Curlew stopped the reply of ${model} after ${limits.llmAnswerBytesMax.toLocaleString("en")} bytes, the limit.`,
  "Set maxOutputTokens.",
]);
export const schemaMismatch = failureOf("llm-schema-mismatch", (what: string, answers: number) => [
  `The reply does not match the schema, even after ${answers - 1} repairs: ${what}.`,
  "Simplify the schema, explain each field in the prompt, or use a model that supports schemas.",
]);
export const badSchema = failureOf("llm-schema-invalid", (why: string) => [
  `The node's schema is not valid: ${why}.`,
  "It must be a JSON Schema (draft 2020-12, or draft-07 with its $schema) without references to other files.",
]);
export const overBudget = failureOf("llm-budget-exceeded", (what: string, asked: boolean) => [
  `The budget of the node ${asked ? "is used up" : "does not allow to ask"}: ${what}.`,
  "Raise budget, or shorten the prompt.",
]);
export const noPrice = failureOf("llm-price-unknown", (model: string) => [
  `The node has a budget in US dollars, but Curlew doesn't know the price of ${model}.`,
  `Add it to config.yaml: llm: { prices: { ${model}: { input: …, output: … } } }, per million tokens. Or set the budget in tokens.`,
]);
export const noProvider = failureOf("llm-provider-unknown", (name: string, known: readonly string[]) => [
  `Unknown provider "${name}". Known providers: ${known.join(", ")}.`,
  `Add it to config.yaml: llm: { providers: { ${name}: { type: openai-compatible, baseURL: … } } }`,
]);
export const noModel = failureOf("llm-model-missing", () => [
  "The node names no model, and config.yaml has no llm.model.",
  "Write model: provider/model in the node or in the document's defaults, or set it for all workflows in config.yaml: llm: { model: provider/model }",
]);

/** `at`: the place in config.yaml. */
export const noNamedKey = failureOf("llm-key-missing", (at: string, [name]: readonly string[]) => [
  `${at}: apiKey names ${name}, which is not set.`,
  `Run: curlew secrets set ${name}`,
]);
export const noKey = failureOf("llm-key-missing", (model: string, keys: readonly string[]) => [
  `${model} needs a key, but ${keys.join(" or ")} is not set.`,
  `Run: curlew secrets set ${keys[0]}`,
]);
export const plainHttp = failureOf("llm-not-https", (model: string, url: string) => [
  `The URL for ${model}, ${url}, is not https. Curlew sends prompts and keys only encrypted.`,
  'Give an https address. On this machine http is fine; with "egress: any" in the document it is allowed anywhere.',
]);
export const badUrl = failureOf("llm-address-invalid", (model: string, from: string) => [
  `${from} has no valid URL for ${model}.`,
  "Use a URL such as https://llm.example.com/v1, without a user name and password.",
]);

/** F2. */
export const TRANSIENT: ReadonlySet<string> = new Set([
  "llm-rate-limited",
  "llm-unavailable",
  "llm-unreachable",
  "llm-stream-broken",
  "llm-empty",
]);

function tail(said: string): string {
  const words = said.trim();
  return words === "" ? "." : `: ${quoted(words)}.`;
}
