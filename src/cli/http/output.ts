// output: where the body of an answer goes: stdout or a file, as it comes (spec 3.6).
//   O1. A file is there only when it is complete: it is written beside and renamed.
//   O2. A reader that takes little slows the transfer; one that has gone away ends it with 23, as curl does.
//   O3. --max-filesize is for the length that the answer says it has, and for what comes out, unpacked where it came compressed.

import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Response } from "./network.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

export interface Sink {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Something was written that cannot be taken back. */
  emitted(): boolean;
  /** What was written to a file so far counts for nothing. */
  restart(): void;
  /** The end: `whole` puts the file in its place. */
  end(whole: boolean): Promise<void>;
}

export function stdoutSink(): Sink {
  let emitted = false;
  const { stdout } = process;
  let broken: Error | undefined;
  stdout.on("error", (reason) => {
    broken = reason;
  });
  const write = (bytes: Uint8Array | string): Promise<void> => {
    if (bytes.length === 0) return Promise.resolve();
    emitted = true;
    return new Promise((resolve, reject) => {
      if (broken !== undefined) reject(notWritten(broken));
      else stdout.write(bytes, (reason) => (reason ? reject(notWritten(reason)) : resolve()));
    });
  };
  return { write, emitted: () => emitted, restart: () => {}, end: () => Promise.resolve() };
}

export function fileSink(file: string): Sink {
  const found = statSync(file, { throwIfNoEntry: false });
  const direct = found !== undefined && !found.isFile();
  const part = direct ? file : `${file}.${process.pid}.part`;
  let fd: number | undefined;
  let emitted = false;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (reason) {
      throw notWritten(reason as Error);
    }
  };
  const open = (): number => {
    fd ??= attempt(() => openSync(part, "w"));
    return fd;
  };
  const close = (): void => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  return {
    write: async (bytes) => {
      emitted = true;
      let left = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
      while (left.length > 0) left = left.subarray(attempt(() => writeSync(open(), left)));
    },
    emitted: () => emitted && direct,
    restart: close,
    end: async (whole) => {
      if (whole) open();
      close();
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

/** The body, unpacked when that was asked for, O3. Errors are `HttpProblem`s. */
export async function* bodyChunks(response: Response, compressed: boolean): AsyncGenerator<Buffer> {
  const body = compressed ? await unpacked(response) : response.body;
  const most = response.bytesMax ?? Number.POSITIVE_INFINITY;
  const said = Number(response.header("content-length")) || 0;
  try {
    for await (const chunk of body) {
      response.received += (chunk as Buffer).length;
      if (Math.max(response.received, said) > most) throw tooLarge();
      yield chunk as Buffer;
    }
  } catch (reason) {
    const code = (reason as NodeJS.ErrnoException).code ?? "";
    if (/^(?:Z_|ERR_BROTLI|ZSTD_|ERR_ZSTD)/.test(code))
      throw new HttpProblem(
        HttpExit.ENCODING,
        "encoding",
        "The compressed answer is damaged.",
        "Leave out --compressed.",
      );
    throw response.explain(reason);
  }
}

function tooLarge(): HttpProblem {
  return new HttpProblem(
    HttpExit.TOO_LARGE,
    "too-large",
    "The answer is larger than --max-filesize.",
    "Raise --max-filesize.",
  );
}

async function unpacked(response: Response): Promise<Readable> {
  const names = (response.header("content-encoding") ?? "")
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter((name) => name !== "" && name !== "identity");
  const zlib = await import("node:zlib");
  let body: Readable = response.body;
  for (const name of names.reverse()) {
    const unpack =
      name === "gzip" || name === "x-gzip"
        ? zlib.createGunzip()
        : name === "deflate"
          ? zlib.createInflate()
          : name === "br"
            ? zlib.createBrotliDecompress()
            : name === "zstd"
              ? zlib.createZstdDecompress()
              : undefined;
    if (unpack === undefined)
      throw new HttpProblem(
        HttpExit.ENCODING,
        "encoding",
        `The answer has an encoding that is not known: ${name}.`,
        "Leave out --compressed.",
      );
    const from = body;
    from.on("error", (reason) => unpack.destroy(reason));
    body = from.pipe(unpack);
  }
  return body;
}

/** All of it. Throws `HttpProblem` (63) beyond `bytesMax`. */
export async function wholeBody(response: Response, compressed: boolean, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(response, compressed)) {
    size += chunk.length;
    if (size > bytesMax)
      throw new HttpProblem(
        HttpExit.TOO_LARGE,
        "too-large",
        `One answer is larger than ${bytesMax / 1e6} MB, too large to be looked into.`,
        "Ask for smaller pages.",
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What `--include` prints before a body. */
export function headText(response: Response): string {
  const lines = response.headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const version = response.version === "2" ? "HTTP/2" : "HTTP/1.1";
  return `${version} ${response.status}${response.statusText === "" ? "" : ` ${response.statusText}`}\r\n${lines.join("")}\r\n`;
}
