// output: writes the body of a response to stdout as it arrives (spec 3.6).
//   O1. A slow reader slows the transfer. A closed reader ends it with 23, as in curl.

import { limits } from "../../base/limits.ts";
import { isRateLimited } from "../../base/retry-after.ts";
import type { Response } from "./network.ts";
import { explain, HttpExit, HttpProblem } from "./problem.ts";

export interface Sink {
  write(bytes: Uint8Array | string): Promise<void>;
  /** True once bytes were written that cannot be taken back. */
  written(): boolean;
}

export function openSink(): Sink {
  let written = false;
  process.stdout.on("error", () => {});
  const write = async (bytes: Uint8Array | string): Promise<void> => {
    if (bytes.length === 0) return;
    written = true;
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (reason) => (reason ? reject(notWritten(reason)) : resolve()));
    });
  };
  return { write, written: () => written };
}

function notWritten(reason: Error): HttpProblem {
  return new HttpProblem(
    HttpExit.WRITE,
    "cannot-write",
    `The response could not be written: ${reason.message}.`,
    "Check the disk, or whether a program later in the pipe ended early.",
  );
}

/** The body. Errors are `HttpProblem`s. */
export async function* bodyChunks(response: Response): AsyncGenerator<Buffer> {
  const encoding = response.headers.find(([name]) => name === "content-encoding")?.[1] ?? "identity";
  try {
    for await (const chunk of response.body) {
      // undici removes this header when it decompresses, so the encoding is unsupported.
      if (encoding !== "" && encoding !== "identity")
        throw new HttpProblem(
          HttpExit.ENCODING,
          "encoding",
          `curlew http does not support the encoding of the response: ${encoding}.`,
          "Ask for another one: -H 'Accept-Encoding: gzip'.",
        );
      response.received += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  } catch (reason) {
    throw explain(reason, response.finalUrl, true);
  }
}

/** The whole body. Throws `HttpProblem` (63) above the size limit of a page. */
export async function wholeBody(response: Response): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(response)) {
    if (response.received > limits.httpPageBytesMax) {
      const message = `One response is larger than ${limits.httpPageBytesMax / 1e6} MB.`;
      throw new HttpProblem(HttpExit.TOO_LARGE, "too-large", message, "Ask for smaller pages.");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const STATUS_HELP: Readonly<Record<number, string>> = {
  401: "Authentication failed: check the key or token, whether it has expired, and --auth.",
  403: "Access was denied: check the rights of the key or token.",
  404: "Check the path and the ids in the URL.",
  405: "Check the method against the API's documentation.",
  415: "Send --json, or -H 'Content-Type: …' with what the API wants.",
  429: "The rate limit is exceeded: --retry 3 waits as long as the server says.",
};

export function failOnStatus({ status, headers }: Response): void {
  if (status < 400) return;
  const limited = isRateLimited({ status, headers: Object.fromEntries(headers) });
  const other = status >= 500 ? "The server failed: try again later, for example with --retry 3." : undefined;
  throw new HttpProblem(
    HttpExit.STATUS,
    "http-error",
    `The requested URL returned error: ${status}`,
    STATUS_HELP[limited ? 429 : status] ?? other ?? "The body says more; --no-fail exits 0.",
  );
}
