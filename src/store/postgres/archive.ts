// archive: finished outputs and large values in the database, where other machines find them (spec 6.6).
//   M12. A file is in the archive before the event that names it.
//   C1. A file is copied only by the owner of its run, or before there is a run.
//   C2. Outputs only grow: what the archive has is the beginning of the file, and a shorter file is a copy that is behind.
//       A value is the same if its size and time are.
//   C3. A file that is too large, or for which there is no room, stays on its machine. Its run continues.
//   C4. The output of a running command is copied only while another machine shows it.

import { limits } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { SqlRow } from "../database.ts";
import type { StoreError } from "../error.ts";
import type { FileState, Outputs } from "../outputs.ts";
import type { Connection } from "./connection.ts";

export interface ArchiveSizes {
  chunkBytes: number;
  fileBytesMax: number;
  bytesMax: number;
}

/** The output files of attempts that have not ended, by path. */
type OpenOutputs = Map<string, string[]>;

/** A part of a file, with what is recorded about the file when its last part is there. */
interface Piece {
  file: string;
  n: number;
  body: Uint8Array;
  whole: FileState | undefined;
}

const SIZES: ArchiveSizes = {
  chunkBytes: limits.archiveChunkBytes,
  fileBytesMax: limits.archiveFileBytesMax,
  bytesMax: limits.archiveBytesMax,
};
const FILE_IN_EVENT = /"([1-9]\d{0,15}(?:-\d{1,6})?\.(?:out|err|val))"/g;
const [LOOK_MS, ASK_AGAIN_MS, COUNT_EVERY_MS] = [10_000, 2_000, 10_000];
const GOES_ON = new Set<RunEvent["type"]>(["attempt.adopted", "attempt.paused", "attempt.resumed"]);
const ENDS = new Set<RunEvent["type"]>(["run.succeeded", "run.failed", "run.cancelled", "run.timed-out"]);
const orderOf = (stdoutFile: string): string => stdoutFile.replace(/\.out$/, ".ord");

/** C1. Parameters: run, owner's token, files, numbers, bodies; files, sizes, times. */
const PUT = `WITH owner AS (SELECT owner_token AS token FROM curlew.runs WHERE id = $1 FOR SHARE),
    may AS (SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM owner WHERE token IS DISTINCT FROM $2)),
    parts AS (INSERT INTO curlew.archive_parts SELECT $1, p.* FROM unnest($3::text[], $4::int[], $5::bytea[]) AS p, may
      ON CONFLICT (run, file, n) DO UPDATE SET body = excluded.body)
  INSERT INTO curlew.archive SELECT $1, f.* FROM unnest($6::text[], $7::bigint[], $8::bigint[]) AS f, may
    ON CONFLICT (run, file) DO UPDATE SET size = excluded.size, mtime_ms = excluded.mtime_ms`;

/** A value whose event is not committed may still be replaced by the next owner of the run. */
const FILES = `SELECT a.file, a.size, a.mtime_ms FROM curlew.archive a JOIN curlew.runs r ON r.id = a.run
  WHERE a.run = $1 AND substring(a.file FROM '^[0-9]+')::bigint <= r.last_seq`;

/** C4. Parameters: run, how long. */
const ASK = `INSERT INTO curlew.archive_asked VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
  ON CONFLICT (run) DO UPDATE SET until = excluded.until`;

export class Archive {
  private readonly connection: Connection;
  private readonly outputs: Outputs;
  private readonly sizes: ArchiveSizes;
  /** Files that this process has copied, by run, and how. */
  private readonly sent = new Map<string, Map<string, FileState>>();
  private readonly open = new Map<string, OpenOutputs>();
  private readonly asked = new Map<string, number>();
  private used = { bytes: 0, atMs: Number.NEGATIVE_INFINITY };

  constructor(connection: Connection, outputs: Outputs, sizes: ArchiveSizes = SIZES) {
    this.connection = connection;
    this.outputs = outputs;
    this.sizes = sizes;
  }

  /** M12. Undefined: the events name no file. */
  before(
    run: string,
    token: string | undefined,
    events: readonly RunEvent[],
    isNew = false,
  ): Promise<Result<void, StoreError>> | undefined {
    if (isNew) this.open.set(run, new Map());
    const open = this.open.get(run);
    if (open === undefined) return this.resumed(run, token, events);
    const files = new Set<string>();
    for (const event of events) for (const file of filesOf(event, open)) files.add(file);
    const isOver = events.some(({ type }) => ENDS.has(type));
    if (files.size === 0) {
      if (isOver) this.forget(run);
      return undefined;
    }
    return this.keep(run, token, [...files]).then((kept) => {
      // After a failed copy, the next one starts from what is on record.
      if (isOver || !kept.ok) this.forget(run);
      return kept;
    });
  }

  /** Another process began the run, or this one before it rested. */
  private async resumed(run: string, token: string | undefined, events: readonly RunEvent[]) {
    const sql = `SELECT e.body FROM curlew.events e JOIN curlew.runs r ON r.key = e.run
      WHERE r.id = $1 AND e.body LIKE '%"type":"attempt.%' ORDER BY e.seq`;
    const rows = await this.patient(sql, [run]);
    if (!rows.ok) return rows;
    const open: OpenOutputs = new Map();
    for (const { body } of rows.value) filesOf(JSON.parse(String(body)), open);
    this.open.set(run, open);
    return (await this.before(run, token, events)) ?? ok(undefined);
  }

  forget(run: string): void {
    this.open.delete(run);
    this.sent.delete(run);
  }

  /** Those that exist and have changed. */
  async keep(run: string, token: string | undefined, files: readonly string[]): Promise<Result<void, StoreError>> {
    let batch: Piece[] = [];
    let bytes = 0;
    const put = async (): Promise<Result<unknown, StoreError>> => {
      const pieces = batch;
      [batch, bytes] = [[], 0];
      return pieces.length === 0 ? ok(undefined) : this.patient(PUT, valuesOf(run, token, pieces));
    };
    for (const file of files) {
      for (const piece of await this.piecesOf(run, file)) {
        const body = this.outputs.range(run, file, piece.n * this.sizes.chunkBytes, piece.bytes);
        if (!body.ok) break;
        const full = bytes + piece.bytes > this.sizes.chunkBytes ? await put() : ok(undefined);
        if (!full.ok) return full;
        batch.push({ file, n: piece.n, body: body.value.bytes, whole: piece.whole });
        bytes += piece.bytes;
      }
    }
    const rest = await put();
    return rest.ok ? ok(undefined) : rest;
  }

  /** C2, C3. The parts that the archive lacks. */
  private async piecesOf(run: string, file: string) {
    const now = this.outputs.stat(run, file);
    const sent = this.sent.get(run) ?? new Map<string, FileState>();
    const before = sent.get(file);
    if (!now.ok || now.value.size > this.sizes.fileBytesMax) return [];
    const { size, mtimeMs } = now.value;
    if (before?.size === size && before.mtimeMs === mtimeMs) return [];
    if (!(await this.hasRoom(size - (before?.size ?? 0)))) return [];
    this.sent.set(run, sent.set(file, now.value));
    const { chunkBytes } = this.sizes;
    const first = isValue(file) ? 0 : Math.floor((before?.size ?? 0) / chunkBytes);
    const last = Math.max(first, Math.ceil(size / chunkBytes) - 1);
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const n = first + index;
      const bytes = Math.min(chunkBytes, size - n * chunkBytes);
      return { n, bytes, whole: n === last ? now.value : undefined };
    });
  }

  /** C3. Files of other machines count a little later. */
  private async hasRoom(bytes: number): Promise<boolean> {
    if (performance.now() - this.used.atMs > COUNT_EVERY_MS) {
      const counted = await this.connection.query("SELECT coalesce(sum(size), 0)::bigint AS bytes FROM curlew.archive");
      if (counted.ok) this.used = { bytes: Number(counted.value[0]?.bytes), atMs: performance.now() };
    }
    if (this.used.bytes + bytes > this.sizes.bytesMax) return false;
    this.used.bytes += bytes;
    return true;
  }

  /** As an append, it waits for a database that is away. */
  private patient(sql: string, values: unknown[]): Promise<Result<SqlRow[], StoreError>> {
    return this.connection.tries(async (ask) => ok(await ask(sql, values)), Number.POSITIVE_INFINITY);
  }

  /** C4. Called while this process drives runs. */
  async show(token: string): Promise<void> {
    if (this.open.size === 0) return;
    const sql = `SELECT a.run FROM curlew.archive_asked a JOIN curlew.runs r ON r.id = a.run
      WHERE r.owner_token = $1 AND a.until > clock_timestamp()`;
    const asked = await this.connection.query(sql, [token]);
    for (const row of asked.ok ? asked.value : []) {
      const run = String(row.run);
      await this.keep(run, token, [...(this.open.get(run)?.values() ?? [])].flat());
    }
  }

  /** Brings files of the run to this machine, all of them by default. `isLive`: they may still grow (C4). */
  async bring(run: string, files?: readonly string[], isLive = false): Promise<Result<void, StoreError>> {
    if (files?.length === 0) return ok(undefined);
    const found = await this.connection.query(files === undefined ? FILES : `${FILES} AND a.file = ANY ($2::text[])`, [
      run,
      ...(files === undefined ? [] : [files]),
    ]);
    if (!found.ok) return found;
    if (isLive && !this.isOwn(run, files ?? [], found.value)) await this.ask(run);
    for (const row of found.value) {
      const brought = await this.bringFile(run, String(row.file), {
        size: Number(row.size),
        mtimeMs: Number(row.mtime_ms),
      });
      if (!brought.ok) return brought;
    }
    return ok(undefined);
  }

  /** Its command writes here: a copy has no more than the archive. */
  private isOwn(run: string, files: readonly string[], rows: readonly SqlRow[]): boolean {
    const sizes = new Map(rows.map(({ file, size }) => [file, Number(size)]));
    return files.some((file) => {
      const here = this.outputs.size(run, file);
      return here.ok && here.value > (sizes.get(file) ?? -1);
    });
  }

  private async bringFile(run: string, file: string, there: FileState): Promise<Result<void, StoreError>> {
    const here = this.outputs.stat(run, file);
    const size = here.ok ? here.value.size : -1;
    // C2.
    if (isValue(file) ? size === there.size && here.ok && here.value.mtimeMs === there.mtimeMs : size >= there.size)
      return ok(undefined);
    const first = isValue(file) ? 0 : Math.floor(Math.max(0, size) / this.sizes.chunkBytes);
    for (let n = first; n === first || n * this.sizes.chunkBytes < there.size; n++) {
      const sql = "SELECT body FROM curlew.archive_parts WHERE run = $1 AND file = $2 AND n = $3";
      const part = await this.connection.query(sql, [run, file, n]);
      if (!part.ok) return part;
      if (part.value[0] === undefined) return ok(undefined);
      const from = n * this.sizes.chunkBytes;
      const copied = this.outputs.copy(run, file, from, part.value[0].body as Uint8Array, there.mtimeMs);
      if (!copied.ok) return copied;
    }
    return ok(undefined);
  }

  private async ask(run: string): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - (this.asked.get(run) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS) return;
    if (this.asked.size > 1_000) this.asked.clear();
    this.asked.set(run, nowMs);
    await this.connection.query(ASK, [run, LOOK_MS]);
  }
}

const isValue = (file: string): boolean => file.endsWith(".val");

/** Files that the archive is to have before the event. Follows which attempts are open. */
function filesOf(event: RunEvent, open: OpenOutputs): string[] {
  if (event.type === "attempt.started") {
    const { stdoutFile, stderrFile } = event.detail;
    if (stdoutFile !== undefined && stderrFile !== undefined)
      open.set(event.path, [stdoutFile, stderrFile, orderOf(stdoutFile)]);
    return [];
  }
  const files = [...JSON.stringify(event).matchAll(FILE_IN_EVENT)].map(([, file]) => file!);
  if (event.type.startsWith("attempt.") && !GOES_ON.has(event.type) && "path" in event) {
    files.push(...(open.get(event.path) ?? []));
    open.delete(event.path);
  }
  return files.flatMap((file) => (file.endsWith(".out") ? [file, orderOf(file)] : [file]));
}

function valuesOf(run: string, token: string | undefined, pieces: readonly Piece[]): unknown[] {
  const whole = pieces.filter((piece) => piece.whole !== undefined);
  return [
    ...[run, token ?? null, pieces.map(({ file }) => file), pieces.map(({ n }) => n), pieces.map(({ body }) => body)],
    ...[
      whole.map(({ file }) => file),
      whole.map((piece) => piece.whole!.size),
      whole.map((piece) => piece.whole!.mtimeMs),
    ],
  ];
}
