// reach: tests a provider and its key by requesting its list of models, which is free (spec ui 6.2.9).
//   E1. https only, except for loopback. The key is sent to that one URL and never along a redirect.
//   E2. Only the names of models are returned, because anything else in the response might repeat the key.

import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJsonObject } from "../../base/tolerant.ts";
import { isLoopbackHost } from "../../shell/safety/index.ts";
import { badUrl, noKey, noNamedKey, plainHttp, requestRefused } from "./failures.ts";
import { type Provider, usableUrl } from "./server.ts";

/**
 * The first model names. Failures: `llm-address-invalid`, `llm-not-https`, `llm-key-missing`, `llm-not-authorised`,
 * `llm-refused`, `llm-unreachable`.
 */
export async function modelsOf(provider: Provider, key: string | undefined): Promise<Result<string[], Failure>> {
  const { name, keys, keyAt, needsKey, url, type } = provider;
  const address = usableUrl(url, type);
  if (address === undefined) return err(badUrl(name, url ?? "config.yaml"));
  const { host, hostname, protocol, origin } = address;
  const isLoopback = isLoopbackHost(hostname);
  if (protocol === "http:" && !isLoopback) return err(plainHttp(name, origin));
  if (key === undefined && keyAt !== undefined) return err(noNamedKey(keyAt, keys));
  if (key === undefined && needsKey && !isLoopback) return err(noKey(name, keys));
  const asked = { model: name, host, keys };
  try {
    const signal = AbortSignal.timeout(limits.providerTestMs);
    const list = `${address.href.replace(/\/+$/, "")}/models`;
    const answer = await fetch(list, { headers: headersOf(provider, key), redirect: "manual", signal });
    const { status } = answer;
    if (answer.ok) return ok(namesIn(await bodyText(answer)));
    await answer.body?.cancel();
    return err(status === 401 || status === 403 ? requestRefused(asked, { status, said: "" }) : noList(host, status));
  } catch (reason) {
    const { cause } = reason as { cause?: NodeJS.ErrnoException };
    const isLate = (reason as Error).name === "TimeoutError";
    const said = isLate ? `no response within ${limits.providerTestMs / 1_000} s` : "no connection";
    return err(requestRefused(asked, { said, system: cause?.code }));
  }
}

function headersOf({ type }: Provider, key: string | undefined): Record<string, string> {
  const accept = { accept: "application/json" };
  if (type === "anthropic")
    return { ...accept, "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) };
  if (type === "google") return { ...accept, ...(key === undefined ? {} : { "x-goog-api-key": key }) };
  return { ...accept, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
}

const noList = failureOf("llm-refused", (host: string, status: number) => [
  `${host} responded with HTTP ${status} to the request for its models.`,
  "Check the base URL. It usually ends with /v1.",
]);

async function bodyText(answer: Response): Promise<string> {
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
  const listing = parseJsonObject(text) ?? {};
  const list = Array.isArray(listing.data) ? listing.data : Array.isArray(listing.models) ? listing.models : [];
  return list
    .flatMap((each: { id?: unknown; name?: unknown } | null) => {
      const name = each?.id ?? each?.name;
      return typeof name === "string" && /^[\w./:@+-]{1,200}$/.test(name) ? [name.replace(/^models\//, "")] : [];
    })
    .slice(0, limits.providerModelsShown);
}
