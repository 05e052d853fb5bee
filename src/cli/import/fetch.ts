// import/fetch: downloads a workflow from a URL (spec 2.2; docs/how-to/import.md).
//   W1. https only, except for this machine. The URL must not contain a user name or password, which would end up in
//       the import mark.
//   W2. Redirects follow the same rules. They may lead to this machine or a private network only on the named host, so
//       that an import cannot reach internal services. Names are resolved once, when connecting.
//   W3. Size and time are limited. Nothing from the environment is sent: no cookies, credentials or netrc.
// Deliberately absent: proxies. `curl … | curlew import -` uses yours.

import { lookup } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { grouped } from "../../base/text.ts";
import { isInner } from "../../process/egress-proxy.ts";
import { isLoopbackHost } from "../../shell/safety/index.ts";
import { type Problem, problem } from "../problem.ts";

export interface Fetched {
  text: string;
  /** The final URL without query and fragment. */
  from: string;
}

export async function fetchDocument(address: string): Promise<Result<Fetched, Problem>> {
  const signal = AbortSignal.timeout(limits.importMs);
  const first = readAddress(address);
  if (!first.ok) return first;
  let url = first.value;
  for (let hops = 0; ; hops++) {
    const answer = await get(url, first.value.hostname, signal).catch((reason: unknown) => failed(url, reason, signal));
    if ("code" in answer) return err(answer);
    const status = answer.statusCode ?? 0;
    if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
      answer.destroy();
      if (hops >= limits.importRedirectsMax)
        return err(refused(url, `leads on more than ${limits.importRedirectsMax} times`));
      const next = readAddress(answer.headers.location, url);
      if (!next.ok) return next;
      if (url.protocol === "https:" && next.value.protocol !== "https:")
        return err(refused(url, "leads on to an address that is not https"));
      url = next.value;
      continue;
    }
    if (status !== 200) {
      answer.destroy();
      return err(problem("import-failed", `${shownUrl(url)} answered with HTTP ${status}.`));
    }
    const body = await bodyOf(answer).catch((reason: unknown) => failed(url, reason, signal));
    if (typeof body !== "string") return err(body);
    return ok({ text: body, from: shownUrl(url) });
  }
}

/** W1. */
function readAddress(address: string, base?: URL): Result<URL, Problem> {
  const url = URL.parse(address, base?.href);
  if (url === null) return err(problem("import-url", "This is not a URL that Curlew can import from."));
  if (url.username !== "" || url.password !== "")
    return err(
      problem(
        "import-url",
        `The URL of ${url.hostname} contains a user name or password, which would end up in the file.`,
        "Fetch it with curl, and hand it over: curl … | curlew import -",
      ),
    );
  const plain = url.protocol === "http:" && isLoopbackHost(url.hostname);
  if (url.protocol === "https:" || plain) return ok(url);
  return err(
    problem(
      "import-url",
      `${shownUrl(url)} is not https: whoever is on the way could have written it.`,
      "Only addresses of this machine itself may be http://.",
    ),
  );
}

/** W2, W3. */
async function get(url: URL, named: string, signal: AbortSignal): Promise<IncomingMessage> {
  const isNamed = url.hostname === named;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!isNamed && (isLoopbackHost(url.hostname) || (isIP(host) !== 0 && isInner(host)))) throw new Inner();
  const { request } = await import(url.protocol === "https:" ? "node:https" : "node:http");
  const options: RequestOptions = {
    signal,
    headers: { "accept-encoding": "identity", accept: "*/*", "user-agent": "curlew" },
    ...(isNamed ? {} : { lookup: outerOnly }),
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end();
  });
}

class Inner extends Error {}

const outerOnly: LookupFunction = (host, options, found) => {
  lookup(host, options, (error, address, family) => {
    const all = typeof address === "string" ? [address] : (address ?? []).map((one) => one.address);
    if (error === null && all.some(isInner)) found(new Inner(), "", 0);
    else found(error, address, family);
  });
};

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.documentBytesMax) throw new Unfit(`has more than ${grouped(limits.documentBytesMax)} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Unfit("is not UTF-8 text");
  }
}

class Unfit extends Error {}

function failed(url: URL, reason: unknown, signal: AbortSignal): Problem {
  if (reason instanceof Inner)
    return refused(url, "is where a redirect leads to, and it is an address of this machine or of a private network");
  if (reason instanceof Unfit) return problem("import-failed", `${shownUrl(url)} ${reason.message}.`);
  if (signal.aborted)
    return problem("import-failed", `${shownUrl(url)} took longer than ${limits.importMs / 1_000} seconds.`);
  const { code, message } = reason as NodeJS.ErrnoException;
  return problem("import-failed", `${shownUrl(url)} cannot be fetched: ${code ?? message}.`);
}

function refused(url: URL, why: string): Problem {
  return problem("import-url", `${shownUrl(url)} ${why}.`);
}

/** The URL without its query, which may contain a key, for files and the screen. */
function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}
