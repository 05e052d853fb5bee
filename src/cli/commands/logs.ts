// logs: prints the output of a run's commands. For one node, stdout and stderr are copied byte for byte to their own
// streams. For a whole run, lines are printed after the node's path, in the order they arrived.
//   L1. Bytes go unchanged to a pipe or file. On a terminal, control characters are removed.
//   L2. Memory use does not depend on the size of the output, which is read in pieces.
//   L3. Only the size of a secret output is shown: among the lines, or on stderr when bytes are copied unchanged.

import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AttemptDetail, AttemptEnd } from "../../base/attempt.ts";
import { shortRunId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { bytes } from "../../base/text.ts";
import { mayBeAlive } from "../../engine/recovery/owner.ts";
import { readOrder } from "../../process/interleaving.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { RunRow, Store, StoreError } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { findRun, type HomeOption, refuse, refused, withStore } from "../open.ts";
import { safeLine, safeText } from "../safe-output.ts";
import type { Terminal } from "../terminal.ts";

export interface LogsOptions extends HomeOption {
  f?: boolean;
  tail?: number;
  attempt?: number;
}

type Stream = "stdout" | "stderr";

/** The two outputs of one attempt, and how much of each has been printed. */
interface Source {
  run: string;
  path: string;
  number: number;
  files: Record<Stream, string>;
  at: Record<Stream, number>;
  /** An unfinished line of each stream. */
  rest: Record<Stream, Buffer>;
  /** The attempt is over, so no more output follows. */
  ended: boolean;
  hasOutput?: boolean;
  /** Size in bytes of a secret stdout (L3). */
  secretBytes?: number;
}

const PIECE_BYTES = 1 << 18;
const POLL_MS = 100;
const EMPTY = Buffer.alloc(0);

export async function logs(
  name: string,
  node: string | undefined,
  options: LogsOptions,
  terminal: Terminal,
): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const row = await findRun(name, store, terminal);
    if (row === undefined) return Exit.USAGE;
    const reader = new Logs(row.id, node, options, store, terminal);
    const read = await reader.discover();
    if (!read.ok) return refused(read.error, terminal);
    if (node !== undefined && !reader.knows(node)) {
      const ids = reader.nodeIds();
      return refuse(
        terminal,
        "unknown-node",
        `Run ${row.id} has no record of a node "${node}".${didYouMean(node.split("[")[0]!, ids)}`,
        ids.length === 0 ? undefined : `Recorded nodes: ${ids.slice(0, 20).join(", ")}.`,
      );
    }
    if (options.attempt !== undefined && options.f !== true && reader.isEmpty())
      return refuse(
        terminal,
        "unknown-attempt",
        `Run ${row.id} has no record of attempt ${options.attempt}${node === undefined ? "" : ` of "${node}"`}.`,
        `To see the attempts, use: curlew runs show ${row.id}`,
      );
    await reader.print(options.f);
    if (options.f) await follow(reader, row, store, terminal);
    reader.finish();
    if (node !== undefined && reader.isWithout)
      terminal.err(
        `"${safeLine(node)}" started no command, so it has no output. Its state: curlew runs show ${shortRunId(row.id)}\n`,
      );
    return Exit.OK;
  });
}

async function follow(reader: Logs, row: RunRow, store: Store, terminal: Terminal): Promise<void> {
  let stop = false;
  terminal.onOutGone(() => {
    stop = true;
  });
  if (row.status === "queued") terminal.err("It waits for a machine with a free slot.\n");
  for (;;) {
    const now = await store.journal.findRun(row.id);
    // Checked before reading, so that the last output is printed too.
    const over = !now.ok || !mayContinue(now.value);
    await reader.discover();
    await reader.print(!over);
    if (over || stop) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A queued run has no owner yet. */
function mayContinue({ endedAt, status, owner }: RunRow): boolean {
  return endedAt === undefined && (status === "queued" || (owner !== undefined && mayBeAlive(owner)));
}

class Logs {
  private sources: Source[] = [];
  /** The newest attempt of each path. */
  private readonly open = new Map<string, Source>();
  private readonly seen = new Map<string, number>();
  private readonly nodes = new Set<string>();
  private readonly paths = new Set<string>();
  private readonly prefixes = new Map<string, string>();
  /** No attempt with output files was found. */
  isWithout = true;
  private openLine = false;
  private mayContinue = false;
  /** Output for a terminal, without control characters. */
  private readonly safe = { stdout: safeText(), stderr: safeText() };
  private readonly run: string;
  private readonly wanted: string | undefined;
  private readonly options: LogsOptions;
  private readonly store: Store;
  private readonly terminal: Terminal;

  constructor(run: string, wanted: string | undefined, options: LogsOptions, store: Store, terminal: Terminal) {
    this.run = run;
    this.wanted = wanted;
    this.options = options;
    this.store = store;
    this.terminal = terminal;
    this.prefixes.set(run, "");
  }

  /** Reads the newly recorded events, including those of subflow runs. */
  async discover(): Promise<Result<void, StoreError>> {
    for (const run of [...this.prefixes.keys()]) {
      const visited = await this.visit(run);
      if (!visited.ok && run === this.run) return visited;
    }
    return ok(undefined);
  }

  /** A subflow's run is visited where it begins, so that its output has its place. */
  private async visit(run: string): Promise<Result<void, StoreError>> {
    for (;;) {
      const from = (this.seen.get(run) ?? 0) + 1;
      const page = await this.store.journal.read(run, from, limits.journalPageEvents);
      if (!page.ok) return page;
      for (const event of page.value) {
        this.seen.set(run, event.seq);
        await this.note(event);
      }
      if (page.value.length < limits.journalPageEvents) return ok(undefined);
    }
  }

  knows(node: string): boolean {
    return this.nodes.has(node) || this.paths.has(node);
  }

  /** No output to print was found yet. */
  isEmpty(): boolean {
    return this.sources.length === 0;
  }

  nodeIds(): string[] {
    return [...this.nodes];
  }

  /** `mayContinue`: this is called again, so output whose order is not yet known can wait. */
  async print(mayContinue = false): Promise<void> {
    this.mayContinue = mayContinue;
    for (const source of this.sources) {
      // Checked before reading, so that no output is missed.
      const { ended } = source;
      await this.bring(source, !ended);
      await this.printSource(source);
      if (ended && source.hasOutput && source.secretBytes === undefined && !this.isHere(source))
        this.terminal.err(`The output of ${source.path} is only on the machine that ran it.\n`);
      if (ended && source.secretBytes !== undefined) this.hidden(source, source.secretBytes);
      if (ended) this.finishLines(source);
    }
    this.sources = this.sources.filter((source) => !source.ended);
  }

  /** On a terminal and in marked lines, a missing final newline is added. */
  finish(): void {
    for (const source of this.sources) this.finishLines(source);
    if (this.wanted === undefined) return;
    if (this.terminal.outStream.isTTY) this.terminal.out(`${this.safe.stdout.end()}${this.openLine ? "\n" : ""}`);
    if (this.terminal.errStream.isTTY) this.terminal.err(this.safe.stderr.end());
  }

  private finishLines(source: Source): void {
    for (const stream of ["stdout", "stderr"] as const) {
      if (source.rest[stream].length > 0) this.mark(source, stream, source.rest[stream].toString("utf8"));
      source.rest[stream] = EMPTY;
    }
  }

  private async note(event: RunEvent): Promise<void> {
    if (!("path" in event)) return;
    const path = `${this.prefixes.get(event.run) ?? ""}${event.path}`;
    if ("node" in event && event.type !== "pass.started" && event.type !== "pass.succeeded") {
      this.nodes.add(path.replace(/\[[^/]*$/, ""));
      this.paths.add(path);
    }
    if (event.type === "node.kept" && event.attempt !== undefined) {
      const { attempt, run } = event;
      await this.attempt(run, path, attempt.number, attempt.detail);
      this.over(path, attempt.end);
      return;
    }
    if (event.type !== "attempt.started") {
      const isOver = event.type.startsWith("attempt.") && event.type !== "attempt.adopted";
      if (isOver) this.over(path, "end" in event ? event.end : undefined, event.type === "attempt.lost");
      return;
    }
    const { childRun } = event.detail;
    if (childRun !== undefined && !this.prefixes.has(childRun)) {
      this.prefixes.set(childRun, `${path}/`);
      await this.visit(childRun);
    }
    await this.attempt(event.run, path, event.number, event.detail);
  }

  private async attempt(run: string, path: string, number: number, { stdoutFile, stderrFile }: AttemptDetail) {
    if (stdoutFile === undefined || stderrFile === undefined || !this.isWanted(path)) return;
    if (number !== (this.options.attempt ?? number)) return;
    const source: Source = {
      run,
      path,
      number,
      files: { stdout: stdoutFile, stderr: stderrFile },
      at: { stdout: 0, stderr: 0 },
      rest: { stdout: EMPTY, stderr: EMPTY },
      ended: false,
    };
    if (this.options.tail !== undefined) await this.bring(source, false);
    if (this.options.tail !== undefined)
      for (const stream of ["stdout", "stderr"] as const) source.at[stream] = this.startOfTail(source, stream);
    this.isWithout = false;
    this.sources.push(source);
    this.open.set(path, source);
  }

  private over(path: string, end: AttemptEnd | undefined, isLost = false): void {
    const open = this.open.get(path);
    // With --attempt it may be that of an earlier attempt.
    if (open === undefined || open.ended) return;
    open.ended = true;
    open.hasOutput =
      (isLost && this.store.bring !== undefined) || (end?.stdout?.bytes ?? 0) + (end?.stderr?.bytes ?? 0) > 0;
    if (end?.stdout?.secret === true) open.secretBytes = end.stdout.bytes;
  }

  /** A node stands for all its iterations, and a subflow for all its nodes. */
  private isWanted(path: string): boolean {
    const { wanted } = this;
    return wanted === undefined || path === wanted || path.startsWith(`${wanted}[`) || path.startsWith(`${wanted}/`);
  }

  private startOfTail(source: Source, stream: Stream): number {
    const tail = this.store.outputs.tail(source.run, source.files[stream], { lines: this.options.tail! });
    return tail.ok ? tail.value.from : 0;
  }

  private async printSource(source: Source): Promise<void> {
    for (const { stream, bytes } of this.pieces(source)) {
      if (this.terminal.outGone()) return;
      if (this.wanted === undefined) this.lines(source, stream, bytes);
      else this.raw(stream, bytes);
      await drained(stream === "stdout" ? this.terminal.outStream : this.terminal.errStream);
    }
  }

  /** The new output, in order of arrival as far as that is known. */
  private *pieces(source: Source): Generator<{ stream: Stream; bytes: Buffer }> {
    for (const { stream, offset, bytes } of this.inOrder(source)) {
      const end = offset + bytes;
      while (source.at[stream] < end) {
        const chunk = this.store.outputs.range(
          source.run,
          source.files[stream],
          source.at[stream],
          Math.min(PIECE_BYTES, end - source.at[stream]),
        );
        if (!chunk.ok || chunk.value.bytes.length === 0) break;
        source.at[stream] += chunk.value.bytes.length;
        yield { stream, bytes: Buffer.from(chunk.value.bytes) };
      }
    }
  }

  private async bring({ run, files }: Pick<Source, "run" | "files">, isLive: boolean): Promise<void> {
    const { stdout, stderr } = files;
    await this.store.bring?.(run, [stdout, stderr, stdout.replace(/\.out$/, ".ord")], isLive);
  }

  /** False on a cluster if the archive does not have it. */
  private isHere({ run, files }: Source): boolean {
    const folder = this.store.outputs.folder(run);
    return !folder.ok || existsSync(`${folder.value}/${files.stdout}`) || existsSync(`${folder.value}/${files.stderr}`);
  }

  private inOrder(source: Source): { stream: Stream; offset: number; bytes: number }[] {
    const folder = this.store.outputs.folder(source.run);
    if (!folder.ok) return [];
    const at = (file: string): string => `${folder.value}/${file}`;
    return readOrder(
      at(source.files.stdout),
      at(source.files.stderr),
      at(source.files.stdout.replace(/\.out$/, ".ord")),
      this.mayContinue && !source.ended,
    );
  }

  private hidden(source: Source, size: number): void {
    const note = `‹secret, ${bytes(size)}›`;
    if (this.wanted === undefined) this.mark(source, "stdout", note);
    else this.terminal.err(`${note}\n`);
  }

  private raw(stream: Stream, bytes: Buffer): void {
    if (stream === "stdout") this.openLine = bytes.at(-1) !== 10;
    const sink = stream === "stdout" ? this.terminal.outStream : this.terminal.errStream;
    if (sink.isTTY === true) sink.write(this.safe[stream].push(bytes));
    else if (stream === "stderr" || !this.terminal.outGone()) sink.write(bytes);
  }

  private lines(source: Source, stream: Stream, bytes: Buffer): void {
    const all = source.rest[stream].length === 0 ? bytes : Buffer.concat([source.rest[stream], bytes]);
    const end = all.lastIndexOf(10);
    if (end !== -1) this.mark(source, stream, all.toString("utf8", 0, end));
    source.rest[stream] = all.subarray(end + 1);
    // A very long line is printed in pieces instead of being held in memory.
    if (source.rest[stream].length <= PIECE_BYTES) return;
    this.mark(source, stream, source.rest[stream].toString("utf8"));
    source.rest[stream] = EMPTY;
  }

  /** Whole lines without the last newline, each after the path. */
  private mark(source: Source, stream: Stream, text: string): void {
    const { terminal } = this;
    const isOut = stream === "stdout";
    const sink = isOut ? terminal.outStream : terminal.errStream;
    const head = (isOut ? terminal.outStyle : terminal.errStyle)("faint", `${source.path} |`);
    const lines = sink.isTTY ? text.split("\n").map(safeLine) : text.split("\n");
    const marked = lines.map((line) => `${head} ${line}\n`).join("");
    if (isOut) terminal.out(marked);
    else terminal.err(marked);
  }
}

/** Waits until the stream accepts more data or has closed. */
async function drained(sink: NodeJS.WriteStream): Promise<void> {
  if (!sink.writableNeedDrain || sink.destroyed) return;
  const over = new AbortController();
  const wait = { signal: over.signal };
  await Promise.race([once(sink, "drain", wait), once(sink, "close", wait)]).catch(() => {});
  over.abort();
}
