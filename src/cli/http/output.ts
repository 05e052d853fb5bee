// output: writes the body of a response to stdout or a file as it arrives (spec 3.6).
//   O1. A file appears only when complete: it is written under another name and renamed.
//   O2. A slow reader slows the transfer. A closed reader ends it with 23, as in curl.
//   O3. --max-filesize limits both the announced length and the decompressed bytes.

import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { isRateLimited } from "../../base/retry-after.ts";
import type { Response } from "./network.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

export interface Sink {
  write(bytes: Uint8Array | string): Promise<void>;
  /** True once bytes were written that cannot be taken back. */
  written(): boolean;
  /** Discards what was written to a file. */
  restart(): void;
  /** `whole` moves the file to its final name. */
  end(whole: boolean): void;
}

export function stdoutSink(): Sink {
  let written = false;
  const { stdout } = process;
  stdout.on("error", () => {});
  const write = (bytes: Uint8Array | string): Promise<void> => {
    if (bytes.length === 0) return Promise.resolve();
    written = true;
    return new Promise((resolve, reject) => {
      stdout.write(bytes, (reason) => (reason ? reject(notWritten(reason)) : resolve()));
    });
  };
  return { write, written: () => written, restart: () => {}, end: () => {} };
}

export function fileSink(file: string): Sink {
  const found = statSync(file, { throwIfNoEntry: false });
  const direct = found !== undefined && !found.isFile();
  const part = direct ? file : `${file}.${process.pid}.part`;
  let fd: number | undefined;
  let written = false;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (reason) {
      throw notWritten(reason as Error);
    }
  };
  const restart = (): void => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  return {
    write: async (bytes) => {
      written = true;
      let left = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
      fd ??= attempt(() => openSync(part, "w"));
      while (left.length > 0) left = left.subarray(attempt(() => writeSync(fd!, left)));
    },
    written: () => written && direct,
    restart,
    end: (whole) => {
      if (whole) fd ??= attempt(() => openSync(part, "w"));
      restart();
      if (direct) return;
      if (whole) attempt(() => renameSync(part, file));
      else rmSync(part, { force: true });
    },
  };
}

function notWritten(reason: Error): HttpProblem {
  return new HttpProblem(
    HttpExit.WRITE,
    "cannot-write",
    `The answer could not be written: ${reason.message}.`,
    "Check the disk and the path after -o, or whether a program later in the pipe ended early.",
  );
}

function headerOf({ headers }: Response, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? "";
}

/** The body. Errors are `HttpProblem`s. */
export async function* bodyChunks(response: Response): AsyncGenerator<Buffer> {
  const encoding = headerOf(response, "content-encoding");
  const announced = Number(headerOf(response, "content-length")) || 0;
  try {
    for await (const chunk of response.body) {
      // undici removes this header when it decompresses, so the encoding is unsupported.
      if (encoding !== "" && encoding !== "identity")
        throw new HttpProblem(
          HttpExit.ENCODING,
          "encoding",
          `The answer has an encoding that curlew http does not know: ${encoding}.`,
          "Ask for another one: -H 'Accept-Encoding: gzip'.",
        );
      response.received += (chunk as Buffer).length;
      if (Math.max(response.received, announced) > response.bytesMax)
        throw new HttpProblem(
          HttpExit.TOO_LARGE,
          "too-large",
          "The answer is larger than --max-filesize.",
          "Raise --max-filesize.",
        );
      yield chunk as Buffer;
    }
  } catch (reason) {
    throw response.explain(reason);
  }
}

/** The whole body. Throws `HttpProblem` (63) above the size limit of a page. */
export async function wholeBody(response: Response): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(response)) {
    size += chunk.length;
    if (size > limits.httpPageBytesMax)
      throw new HttpProblem(
        HttpExit.TOO_LARGE,
        "too-large",
        `One answer is larger than ${limits.httpPageBytesMax / 1e6} MB.`,
        "Ask for smaller pages.",
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The text that `--include` prints before a body. */
export function headText({ headers, version, status, statusText }: Response): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/${version} ${status} ${statusText}`.trim().concat("\r\n", ...lines, "\r\n");
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
