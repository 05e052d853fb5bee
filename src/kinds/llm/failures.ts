// failures: the failures of language model nodes, with one sentence and a hint each (spec 1.2 LLM, 2.7).
//   F1. The server's message is included, shortened. A key never is (events are masked, and the key is a secret).
//   F2. TRANSIENT lists temporary failures. A `retry` without `on` repeats only these (3.3).

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { statusReason, wordsOf } from "../../process/reason-words.ts";
import type { ReasonCode } from "../../process/stderr-patterns.ts";
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

export function refused(asked: Asked, refusal: Refusal): Failure {
  const { status } = refusal;
  if (status === undefined) return unreachable(asked, refusal);
  return { ...refusedWith(status, asked, refusal), ...(status < 400 ? {} : { reason: statusReason(status) }) };
}

function refusedWith(status: number, asked: Asked, refusal: Refusal): Failure {
  const said = `${asked.host} answered ${status}${tail(refusal.said)}`;
  if (isQuota(refusal))
    return {
      code: "llm-quota-exhausted",
      message: `The account for ${asked.model} has nothing left: ${said}`,
      hint: "Look at the plan and the billing of the provider; waiting does not help.",
    };
  if (status === 429)
    return {
      code: "llm-rate-limited",
      message: `${asked.model} is asked too often: ${said}`,
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
      hint: `Check ${asked.keys.length === 0 ? "whether this server wants a key (apiKey in config.yaml)" : asked.keys.join(" or ")}: is it complete, current, and allowed to use this model?`,
    };
  if (status < 300)
    return {
      code: "llm-unavailable",
      message: `${asked.model} cannot answer now: ${asked.host} answered ${status} with ${refusal.said === "" ? "nothing in it." : `an error in it${tail(refusal.said)}`}`,
      hint: PASSES,
    };
  if (status === 404 || status === 405 || refusal.code === "model_not_found")
    return {
      code: "llm-model-unknown",
      message: `There is no ${asked.model}: ${said}`,
      hint: "Check the name of the model as the provider writes it, and the base URL.",
    };
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return {
      code: "llm-unavailable",
      message: `${asked.model} cannot answer now: ${said}`,
      hint: PASSES,
    };
  if (status >= 300 && status < 400)
    return {
      code: "llm-moved",
      message: `${asked.host} sends to another address (${status}), and a key is not taken along.`,
      hint: "Write the address that it sends to as the base URL.",
    };
  return {
    code: "llm-refused",
    message: `${asked.model} does not take this request: ${said}`,
    hint: /response_format|json_schema/.test(refusal.said)
      ? `It does not accept a schema. Set structuredOutputs: false for the provider in config.yaml, and the prompt contains the schema instead.`
      : "The message names what it does not take: often the length of the prompt, the schema, or a setting such as temperature.",
  };
}

const PASSES = 'This is often temporary; "retry" repeats it.';

function isQuota({ status, code, said }: Refusal): boolean {
  return status === 402 || (status === 429 && /insufficient_quota|billing/.test(`${code ?? ""} ${said}`));
}

/** By error codes of the system, Node.js, and undici. */
const REASONS: Readonly<Record<string, ReasonCode>> = {
  ECONNREFUSED: "connection-refused",
  ECONNRESET: "connection-closed",
  UND_ERR_SOCKET: "connection-closed",
  ENOTFOUND: "name-not-resolved",
  EAI_AGAIN: "name-not-resolved",
  EHOSTUNREACH: "host-unreachable",
  ENETUNREACH: "host-unreachable",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-not-yet-valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-wrong-host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate-untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate-untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-untrusted",
};

function unreachable({ model, host }: Asked, { said, system = "" }: Refusal): Failure {
  const reason = REASONS[system] ?? "connection-failed";
  const code = system === "" ? "" : ` (${system})`;
  if (reason.startsWith("certificate")) {
    const { what, hints } = wordsOf(reason, "node", { name: host });
    return {
      code: "llm-certificate",
      message: `${host} could not be asked for ${model}: ${what}${code}.`,
      ...{ hint: hints.join(" "), hints, reason },
    };
  }
  const why = { ECONNREFUSED: "nothing listens there", ENOTFOUND: "there is no such host" }[system];
  return {
    code: "llm-unreachable",
    message: `${host} could not be asked for ${model}: ${why ?? (said || "no reason was given")}${code}.`,
    hint: model.startsWith("sample/")
      ? 'The sample API has this model: "npm run sample-api" or "curlew serve --demo" starts it. SAMPLE_BASE_URL says where it is asked.'
      : "Check that the server runs and that its address is right (OLLAMA_HOST, baseURL in config.yaml), the network and the proxy.",
    reason,
  };
}

export function broken({ model }: Asked, said: string): Failure {
  return {
    code: "llm-stream-broken",
    message: `The answer of ${model} broke off${tail(said) || "."}`,
    hint: '"retry" asks once more; what came is in the output of the attempt.',
  };
}

export function webPage({ model, host }: Asked): Failure {
  return {
    code: "llm-no-model-there",
    message: `${host} answered with a web page when ${model} was asked: no model is at this address.`,
    hint: "Check the base URL, of which most end with /v1, and whether a login page or a proxy stands before the server.",
  };
}

export function cutAnswer({ model }: Asked, max: number | undefined): Failure {
  return {
    code: "llm-answer-cut",
    message: `${model} was stopped before it had finished: its answer reached ${max === undefined ? "the most tokens it gives" : `maxOutputTokens (${max})`}.`,
    hint: "Raise maxOutputTokens, or ask for a shorter answer.",
  };
}

export function filtered({ model }: Asked): Failure {
  return {
    code: "llm-filtered",
    message: `The provider's content filter ended the answer of ${model}.`,
    hint: "See what the prompt holds; the same prompt is filtered again.",
  };
}

/** The model itself declined, in the field that the API has for it. `said` may be empty. */
export function declined({ model }: Asked, said: string): Failure {
  return {
    code: "llm-filtered",
    message: `${model} refused${tail(said)}`,
    hint: "See what the prompt holds, or ask another model; the same prompt is mostly refused again.",
  };
}

/** Signs of work that the model sent instead of text. */
export interface Signs {
  isThought: boolean;
  tool: string | undefined;
}

export function emptyAnswer({ model }: Asked, { isThought, tool }: Signs): Failure {
  if (tool !== undefined)
    return {
      code: "llm-empty",
      message: `${model} answered with nothing but a call of the tool ${quoted(tool)}, and a node offers none.`,
      hint: "Say in system that it answers with text. Let an earlier node do what a tool would do.",
    };
  if (isThought)
    return {
      code: "llm-empty",
      message: `${model} has thought, and answered with nothing.`,
      hint: "Raise maxOutputTokens, or say in the prompt what the answer is to be.",
    };
  return {
    code: "llm-empty",
    message: `${model} answered with nothing.`,
    hint: "Look at the prompt; some models need a system prompt or more maxOutputTokens.",
  };
}

export function answerTooLong({ model }: Asked): Failure {
  return {
    code: "llm-answer-too-long",
    message: `The answer of ${model} has more than ${limits.llmAnswerBytesMax.toLocaleString("en")} bytes; it was stopped.`,
    hint: "Set maxOutputTokens.",
  };
}

export function misfit(what: string, answers: number): Failure {
  return {
    code: "llm-schema-mismatch",
    message: `The answer does not fit the schema, also not after ${answers - 1} repairs: ${what}.`,
    hint: "Make the schema simpler, say in the prompt what each field means, or use a model that keeps to schemas.",
  };
}

export function badSchema(why: string): Failure {
  return {
    code: "llm-schema-invalid",
    message: `The schema of the node cannot be used: ${why}.`,
    hint: "It must be a JSON Schema (draft 2020-12, or draft-07 with its $schema) without references to other places.",
  };
}

export function overBudget(what: string, asked: boolean): Failure {
  return {
    code: "llm-budget-exceeded",
    message: `The budget of the node ${asked ? "is used up" : "does not allow to ask"}: ${what}.`,
    hint: "Raise budget, or send less.",
  };
}

export function noPrice(model: string): Failure {
  return {
    code: "llm-price-unknown",
    message: `The node has a budget in US dollars, and what ${model} costs is not known.`,
    hint: `Say it in config.yaml: llm: { prices: { ${model}: { input: …, output: … } } }, for a million tokens; or give the budget in tokens.`,
  };
}

export function noProvider(name: string, known: readonly string[]): Failure {
  return {
    code: "llm-provider-unknown",
    message: `There is no provider "${name}"; there are ${known.join(", ")}.`,
    hint: `Name it in config.yaml: llm: { providers: { ${name}: { type: openai-compatible, baseURL: … } } }`,
  };
}

export function noKey(model: string, keys: readonly string[]): Failure {
  return {
    code: "llm-key-missing",
    message: `${model} needs a key, and ${keys.join(" or ")} is not set anywhere.`,
    hint: `Run: curlew secrets set ${keys[0]}`,
  };
}

export function plainHttp(model: string, url: string): Failure {
  return {
    code: "llm-not-https",
    message: `${model} would be asked at ${url}, which is not https; a prompt and a key do not travel in the clear.`,
    hint: 'Give an https address. On this machine http is fine; with "egress: any" in the document it is allowed anywhere.',
  };
}

export function badUrl(model: string, from: string): Failure {
  return {
    code: "llm-address-invalid",
    message: `${from} does not give a usable address for ${model}.`,
    hint: "An address such as https://llm.example.com/v1, without a user name and password in it.",
  };
}

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
