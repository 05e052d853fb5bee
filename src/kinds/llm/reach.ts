// reach: tests a provider and its key by requesting its list of models, which is free (spec ui 6.2.9).
//   E1. https only, except for loopback. The key is sent to that one URL and never along a redirect.
//   E2. Only the names of models are returned, because anything else in the response might repeat the key.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { isLoopbackHost } from "../../shell/safety/index.ts";
import type { KnownProvider } from "./server.ts";

/**
 * The first model names. Failures: `llm-address-invalid`, `llm-not-https`, `llm-key-missing`, `llm-not-authorised`,
 * `llm-refused`,
 * `llm-unreachable`.
 */
export async function modelsOf(provider: KnownProvider, key: string | undefined): Promise<Result<string[], Failure>> {
  const address = addressOf(provider);
  if (!address.ok) return address;
  const { host, hostname } = address.value;
  if (key === undefined && provider.needsKey && !isLoopbackHost(hostname))
    return err({
      code: "llm-key-missing",
      message: `${provider.name} wants a key, and none is set.`,
      hint: `Set the secret ${provider.keys.join(" or ")}.`,
    });
  let answer: Response;
  try {
    const signal = AbortSignal.timeout(limits.providerTestMs);
    answer = await fetch(address.value, { headers: headersOf(provider, key), redirect: "manual", signal });
  } catch (reason) {
    return err(unreachable(host, reason));
  }
  const refused = refusal(answer, host, key);
  if (refused !== undefined) {
    await answer.body?.cancel();
    return err(refused);
  }
  return ok(namesIn(await textOf(answer)));
}

function addressOf({ name, url, type }: KnownProvider): Result<URL, Failure> {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "")
    return err({
      code: "llm-address-invalid",
      message: `The address of ${name} cannot be used: it must be https://…, without a user name.`,
    });
  if (parsed.protocol === "http:" && !isLoopbackHost(parsed.hostname))
    return err({
      code: "llm-not-https",
      message: `${parsed.host} would be asked without https, and everybody on the way could read the key.`,
      hint: "Only addresses of this machine itself may be http://.",
    });
  // Anthropic's own environment variable has no version in it.
  const base = type === "anthropic" && parsed.pathname === "/" ? "/v1" : parsed.pathname.replace(/\/+$/, "");
  parsed.pathname = `${base}/models`;
  return ok(parsed);
}

function headersOf({ type }: KnownProvider, key: string | undefined): Record<string, string> {
  const accept = { accept: "application/json" };
  if (type === "anthropic")
    return { ...accept, "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) };
  if (type === "google") return { ...accept, ...(key === undefined ? {} : { "x-goog-api-key": key }) };
  return { ...accept, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
}

function refusal({ status }: Response, host: string, key: string | undefined): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403)
    return {
      code: "llm-not-authorised",
      message: key === undefined ? `${host} wants a key (${status}).` : `${host} does not take the key (${status}).`,
      hint: "Set the key again: it may have expired, or belong to another account.",
    };
  return {
    code: "llm-refused",
    message: `${host} answered with HTTP ${status} when it was asked for its models.`,
    hint: "Check the base URL: most end with /v1.",
  };
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
  ENOTFOUND: "there is no such host (ENOTFOUND)",
};

function unreachable(host: string, reason: unknown): Failure {
  const cause = (reason as { cause?: NodeJS.ErrnoException }).cause;
  const why =
    (reason as Error).name === "TimeoutError"
      ? `no answer within ${limits.providerTestMs / 1_000} s`
      : (WORDS[cause?.code ?? ""] ?? cause?.code ?? "no connection");
  return {
    code: "llm-unreachable",
    message: `${host} could not be asked: ${why}.`,
    hint: "Check that the server runs and that its address is right, the network and the proxy.",
  };
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body ?? []) {
      bytes += part.byteLength;
      if (bytes > limits.providerAnswerBytesMax) break;
      parts.push(part);
    }
  } catch {
    // The response itself is enough; its body does not matter.
  }
  return Buffer.concat(parts).toString();
}

/** E2. `data[].id`, or Google's `models[].name`. Empty for any other response. */
function namesIn(text: string): string[] {
  let told: { data?: unknown; models?: unknown };
  try {
    told = JSON.parse(text) ?? {};
  } catch {
    return [];
  }
  const list = Array.isArray(told.data) ? told.data : Array.isArray(told.models) ? told.models : [];
  return list
    .flatMap((each: { id?: unknown; name?: unknown } | null) => {
      const name = each?.id ?? each?.name;
      return typeof name === "string" && /^[\w./:@+-]{1,200}$/.test(name) ? [name.replace(/^models\//, "")] : [];
    })
    .slice(0, limits.providerModelsShown);
}
