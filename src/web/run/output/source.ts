// source: reads the output of one attempt from the server in parts, and goes on reading while it is written (spec ui 6.4).
//   O1. The end comes first, whatever the size; the beginning when the whole is large; the middle when somebody asks for it.
//   O2. What is written is read by its cursor, at most `readsPerSecond` times; the stream only says that there is something.
//   O3. What is written faster than it is read is not run after: its end is read, and what lies before it is a gap.
// Deliberately absent: React; the rows (log.ts).

import { at } from "../../../api/address.ts";
import type { DownloadLink, OutputLines, OutputMatches } from "../../../api/shapes.ts";
import { ask } from "../../client/api.ts";
import { problemOf } from "../../client/queries.ts";
import { onMessage } from "../../client/stream.ts";
import { type GapRow, Log } from "./log.ts";

/** Up to here the whole output is read; above, its beginning and its end. */
export const WHOLE_BYTES_MAX = 5_000_000;
const TAIL_BYTES = 200_000;
const HEAD_LINES = 1_000;
const AROUND_LINES = 200;
const HELD_LINES_MAX = 400_000;
const readsPerSecond = 8;
/** When the stream says nothing: output of a run that another process drives. */
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
  /** Where somebody looks, in bytes: what is there stays. Undefined: at the end. */
  near: number | undefined;
  /** Lines that have come at the end since it was opened. */
  grown = 0;
  readonly #attempt: Attempt;
  readonly #stream: OutputStream;
  readonly #tell: () => void;
  readonly #over = new AbortController();
  readonly #leave: () => void;
  #reading = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(attempt: Attempt, stream: OutputStream, tell: () => void) {
    this.#attempt = attempt;
    this.#stream = stream;
    this.#tell = tell;
    this.#leave = onMessage((message) => {
      if (message.kind === "output" && message.run === attempt.run && message.path === attempt.path)
        if (message.number === attempt.number) this.#soon(1_000 / readsPerSecond);
      if (message.kind === "run" && message.event.run === attempt.run) this.#soon(1_000 / readsPerSecond);
    });
  }

  /** O1. `line`: of the address; its surroundings come instead of the end. */
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
    this.#goOn();
  }

  /** A part of a gap, from the side that was asked. */
  async fill({ from, to }: GapRow, side: "top" | "bottom"): Promise<void> {
    await this.#guarded(async () => {
      this.log.take(await this.#read({ cursor: side === "top" ? `a${from}` : `b${to}` }));
      this.log.trim(side === "top" ? from : to, HELD_LINES_MAX);
    });
  }

  /** The line with a number, and what is around it. */
  async lineAt(number: number): Promise<void> {
    if (this.log.rowOf(number) !== undefined) return;
    await this.#guarded(async () => {
      const answer = await this.#read({ line: Math.max(1, number - AROUND_LINES), limit: AROUND_LINES * 2 });
      this.near = Number(answer.before?.slice(1) ?? 0);
      this.log.take(answer);
      if (this.log.rowOf(number) !== undefined) return;
      // It lies in a part that has no numbers yet.
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

  /** The end came before its lines were counted: this answer waits until they are. */
  async #count(): Promise<void> {
    const from = this.log.uncounted;
    if (from !== undefined) this.log.take(await this.#read({ cursor: `a${from}`, limit: 1 }));
  }

  search(text: string, after: number | undefined): Promise<OutputMatches> {
    const query = { q: text, stream: this.#stream, limit: 500, after };
    return ask<OutputMatches>(`${outputPath(this.#attempt)}/search`, { query, signal: this.#over.signal });
  }

  end(): void {
    this.#over.abort();
    this.#leave();
    clearTimeout(this.#again);
  }

  /** O2. */
  #goOn(): void {
    if (this.log.complete || this.#over.signal.aborted) return;
    this.#soon(askAgainMs);
  }

  #soon(ms: number): void {
    if (!this.loaded || this.log.complete || this.#over.signal.aborted) return;
    if (ms < askAgainMs) {
      if (this.#quick) return;
      this.#quick = true;
      clearTimeout(this.#again);
    }
    this.#again = setTimeout(() => void this.#follow(), ms);
  }
  #quick = false;

  async #follow(): Promise<void> {
    this.#quick = false;
    if (this.#reading) return;
    this.#reading = true;
    await this.#guarded(async () => {
      const known = this.log.lines;
      let came = 0;
      let hasGap = false;
      for (let more = true; more; ) {
        const { end, bytes } = this.log;
        // O3.
        const isBehind = end !== undefined && bytes - end > WHOLE_BYTES_MAX;
        const answer = await this.#read(end === undefined || isBehind ? { tail: TAIL_BYTES } : { cursor: `a${end}` });
        const taken = this.log.take(answer);
        this.grown += taken;
        came += taken;
        hasGap ||= isBehind;
        if (isBehind && this.near === undefined) this.log.keepEnds();
        this.log.trim(this.near ?? this.log.bytes, HELD_LINES_MAX);
        more = this.log.end !== end && (this.log.end ?? 0) < this.log.bytes;
        this.#say();
      }
      await this.#count();
      // Those of a gap have come, too.
      if (hasGap && known !== undefined) this.grown += Math.max(0, (this.log.lines ?? 0) - known - came);
    });
    this.#reading = false;
    this.#goOn();
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
    this.#tell();
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

/** The bytes as they are, saved by the browser from an address that is good once: nothing of them passes through the page. */
export async function download(attempt: Attempt, stream: OutputStream): Promise<void> {
  const { url } = await ask<DownloadLink>(`${outputPath(attempt)}/download`, { method: "POST", query: { stream } });
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
