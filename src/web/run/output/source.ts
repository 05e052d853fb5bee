// source: reads the output of one attempt from the server in parts, and follows it while it grows (spec ui 6.4).
//   O1. The end is loaded first, whatever the size. Large outputs load the beginning next, and the middle only on
//       demand.
//   O2. New output is read by cursor, at most `readsPerSecond` times. The stream only announces it.
//   O3. If output grows faster than it is read, reading skips to the end and leaves a gap.

import { at } from "../../../api/address.ts";
import type { DownloadLink, OutputLines, OutputMatches } from "../../../api/shapes.ts";
import { ask } from "../../client/api.ts";
import { problemOf } from "../../client/queries.ts";
import { onMessage } from "../../client/stream.ts";
import { type GapRow, Log } from "./log.ts";

/** In bytes. Up to this size the whole output is read, otherwise only its beginning and end. */
export const WHOLE_BYTES_MAX = 5_000_000;
const TAIL_BYTES = 200_000;
const HEAD_LINES = 1_000;
const AROUND_LINES = 200;
const HELD_LINES_MAX = 400_000;
const readsPerSecond = 8;
/** Used when the stream is silent, because another process drives the run. */
const askAgainMs = 1_500;

export interface Attempt {
  run: string;
  path: string;
  number: number;
}

export type OutputStream = "both" | "stdout" | "stderr";

export class OutputSource {
  readonly log = new Log();
  problem: ReturnType<typeof problemOf> | undefined;
  loaded = false;
  version = 0;
  /** The byte position in view, which stays loaded. Undefined: the end. */
  near: number | undefined;
  readonly #attempt: Attempt;
  readonly #stream: OutputStream;
  readonly #listeners = new Set<() => void>();
  readonly #over = new AbortController();
  readonly #leave: () => void;
  #hasNews = false;
  #wake = (): void => {};

  constructor(attempt: Attempt, stream: OutputStream) {
    this.#attempt = attempt;
    this.#stream = stream;
    this.#leave = onMessage((message) => {
      const isOfRun = message.kind === "run" && message.event.run === attempt.run;
      const isOutput = message.kind === "output" && message.run === attempt.run && message.path === attempt.path;
      if (!isOfRun && !(isOutput && message.number === attempt.number)) return;
      this.#hasNews = true;
      this.#wake();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** O1. `line` comes from the URL. The lines around it are loaded instead of the end. */
  async open(line?: number): Promise<void> {
    await this.#guarded(async () => {
      this.log.take(
        await this.#read(line === undefined ? { tail: TAIL_BYTES } : { line: Math.max(1, line - AROUND_LINES) }),
      );
      this.loaded = true;
      const gap = this.log.row(0);
      if (line !== undefined || gap?.kind !== "gap") return;
      this.#say();
      if (this.log.bytes > WHOLE_BYTES_MAX) this.log.take(await this.#read({ cursor: "a0", limit: HEAD_LINES }));
      else await this.#whole(gap);
      this.#say();
      await this.#count();
    });
    await this.#follow();
  }

  /** Loads the first part of a gap. */
  async fill({ from }: GapRow): Promise<void> {
    await this.#guarded(async () => {
      this.log.take(await this.#read({ cursor: `a${from}` }));
      this.log.trim(from, HELD_LINES_MAX);
    });
  }

  /** Loads a line by number, with the lines around it. */
  async lineAt(number: number): Promise<void> {
    if (this.log.rowOf(number) !== undefined) return;
    await this.#guarded(async () => {
      const answer = await this.#read({ line: Math.max(1, number - AROUND_LINES), limit: AROUND_LINES * 2 });
      this.near = Number(answer.before?.slice(1) ?? 0);
      this.log.take(answer);
      if (this.log.rowOf(number) !== undefined) return;
      // The line is in a part that has no numbers yet.
      this.log.clear();
      this.log.take(answer);
    });
  }

  async #whole(gap: GapRow): Promise<void> {
    for (let at = gap.from; at < gap.to; ) {
      const answer = await this.#read({ cursor: `a${at}` });
      this.log.take(answer);
      const next = Number(answer.after?.slice(1) ?? gap.to);
      if (next <= at) return;
      at = next;
    }
  }

  /** The end was loaded before its lines were counted, so this request waits for the count. */
  async #count(): Promise<void> {
    const from = this.log.uncounted;
    if (from !== undefined) this.log.take(await this.#read({ cursor: `a${from}`, limit: 1 }));
  }

  end(): void {
    this.#over.abort();
    this.#leave();
    this.#wake();
  }

  /** O2. Until the output is complete. */
  async #follow(): Promise<void> {
    while (!this.log.complete && !this.#over.signal.aborted) {
      await this.#news();
      await this.#guarded(() => this.#readOn());
    }
  }

  /** O2. News is read soon, several at once. Without news, the server is asked after a while. */
  async #news(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, askAgainMs);
    if (!this.#hasNews) await promise;
    clearTimeout(timer);
    await new Promise((done) => setTimeout(done, 1_000 / readsPerSecond));
    this.#hasNews = false;
  }

  async #readOn(): Promise<void> {
    for (let more = true; more; ) {
      const { end, bytes } = this.log;
      // O3.
      const isBehind = end !== undefined && bytes - end > WHOLE_BYTES_MAX;
      this.log.take(await this.#read(end === undefined || isBehind ? { tail: TAIL_BYTES } : { cursor: `a${end}` }));
      if (isBehind && this.near === undefined) this.log.keepEnds();
      this.log.trim(this.near ?? this.log.bytes, HELD_LINES_MAX);
      more = this.log.end !== end && (this.log.end ?? 0) < this.log.bytes;
      this.#say();
    }
    await this.#count();
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem = undefined;
    } catch (reason) {
      if (this.#over.signal.aborted) return;
      this.problem = problemOf(reason);
      this.loaded = true;
    }
    this.#say();
  }

  #say(): void {
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }

  #read(
    part: { tail: number } | { cursor: string; limit?: number } | { line: number; limit?: number },
  ): Promise<OutputLines> {
    const query = { stream: this.#stream, ...part };
    return ask<OutputLines>(outputPath(this.#attempt), { query, signal: this.#over.signal });
  }
}

function outputPath({ run, path, number }: Attempt): string {
  return `${at("runs", run, "nodes", path, "attempts", number)}/output`;
}

export function searchOutput(
  attempt: Attempt,
  stream: OutputStream,
  what: { q: string; after: number | undefined },
  signal: AbortSignal,
): Promise<OutputMatches> {
  return ask<OutputMatches>(`${outputPath(attempt)}/search`, { query: { stream, limit: 500, ...what }, signal });
}

/** The browser saves the raw bytes from a single-use URL. They do not pass through the page. */
export async function download(attempt: Attempt, stream: OutputStream): Promise<void> {
  const { url } = await ask<DownloadLink>(`${outputPath(attempt)}/download`, { method: "POST", query: { stream } });
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
