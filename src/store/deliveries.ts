// The inbox of webhooks: deliveries exactly as they arrived, and the run that each became (spec 2.5, 4.3).
//   D1. What `receive` has returned survives kill -9 and power cuts, including the id of
//       the future run: one delivery, one run.
//   D2. Per hook, a delivery with the same sender id is kept once, however often it arrives.
//   D3. Rejected and repeated deliveries are kept without a body, the newest limits.deliveriesRefusedKept of them.
//   D4. Sender ids are kept for limits.deliveriesKeptMs to recognise repeats. Bodies are kept
//       for the newest limits.deliveriesKept.

import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import type { SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";

export type DeliveryStatus = "received" | "refused" | "started" | "duplicate" | "failed" | "ping";

export interface DeliveryRow {
  n: number;
  id: string;
  hook: string;
  /** Absolute path of the workflow file. */
  file: string;
  senderId?: string;
  receivedAt: string;
  bytes: number;
  status: DeliveryStatus;
  reason?: string;
  /** For accepted deliveries: the id of the current or future run. */
  run?: string;
  replayOf?: string;
}

export interface DeliveryContent {
  /** Names in lowercase. */
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
  body: Uint8Array;
}

/** `isPing`: the sender only tests the connection. The delivery is kept, but starts no run. */
export type NewDelivery = Omit<DeliveryRow, "n" | "status" | "reason" | "bytes"> &
  DeliveryContent & { run: string; isPing?: boolean };

interface DeliveryPage {
  deliveries: DeliveryRow[];
  next?: string;
}

export interface Deliveries {
  /** D1, D2. Returns the new row, or the row of an earlier delivery with the same sender id. Errors: store-*. */
  receive(delivery: NewDelivery): Now<Result<{ row: DeliveryRow; again: boolean }, StoreError>>;
  /** D3. */
  refuse(delivery: Omit<DeliveryRow, "n" | "status"> & { reason: string }): Now<Result<DeliveryRow, StoreError>>;
  /** Accepted deliveries that have neither become a run nor failed, oldest first. */
  open(): Now<Result<DeliveryRow[], StoreError>>;
  settle(id: string, status: "started" | "failed", reason?: string): Now<Result<void, StoreError>>;
  /** Newest first. */
  list(query: { hook?: string; limit?: number; cursor?: string }): Now<Result<DeliveryPage, StoreError>>;
  find(id: string): Now<Result<(DeliveryRow & Partial<DeliveryContent>) | undefined, StoreError>>;
  lastAt(hook: string): Now<Result<string | undefined, StoreError>>;
  /** Removes deliveries that need no longer be kept, except open ones. */
  tidy(nowMs: number): Now<Result<void, StoreError>>;
}

const COLUMNS = "n, id, hook, file, sender_id, received_at, bytes, status, reason, run, replay_of";

export function openDeliveries(sql: Sql): Deliveries {
  return new SqlDeliveries(sql);
}

class SqlDeliveries implements Deliveries {
  private readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
  }

  private sinceTidied = 0;

  /** Runs only occasionally, to keep rejections cheap. */
  private *turnedAway(): Asking<void> {
    this.sinceTidied += 1;
    if (this.sinceTidied < 50) return;
    this.sinceTidied = 0;
    const sql = "SELECT n FROM deliveries WHERE status IN ('refused', 'duplicate') ORDER BY n DESC LIMIT 1 OFFSET ?";
    const last = yield* get(sql, limits.deliveriesRefusedKept);
    if (last !== undefined)
      yield* execute("DELETE FROM deliveries WHERE status IN ('refused', 'duplicate') AND n <= ?", Number(last.n));
  }

  readonly receive: Deliveries["receive"] = (delivery) => this.sql.transaction(() => this.receiving(delivery));

  private *receiving(given: NewDelivery): Asking<Result<{ row: DeliveryRow; again: boolean }, StoreError>> {
    const { headers, query, body, isPing = false, ...delivery } = given;
    const before = delivery.replayOf === undefined ? yield* known(delivery.hook, delivery.senderId) : undefined;
    const row = { ...delivery, bytes: body.byteLength };
    if (before === undefined) {
      const status = isPing ? "ping" : "received";
      return ok({ row: yield* insert({ ...row, status }, { headers, query, body }), again: false });
    }
    // The answer to an earlier try was lost.
    if (before.id === delivery.id) return ok({ row: before, again: false });
    yield* insert({ ...row, run: before.run ?? row.run, status: "duplicate", reason: before.id });
    yield* this.turnedAway();
    return ok({ row: before, again: true });
  }

  readonly refuse: Deliveries["refuse"] = (delivery) => this.sql.transaction(() => this.refusing(delivery));

  private *refusing(
    delivery: Omit<DeliveryRow, "n" | "status"> & { reason: string },
  ): Asking<Result<DeliveryRow, StoreError>> {
    yield* this.turnedAway();
    return ok(yield* insert({ ...delivery, status: "refused" }));
  }

  readonly open: Deliveries["open"] = () =>
    this.sql.guard(function* () {
      return ok((yield* all(`SELECT ${COLUMNS} FROM deliveries WHERE status = 'received' ORDER BY n`)).map(rowOf));
    });

  readonly settle: Deliveries["settle"] = (id, status, reason) =>
    this.sql.transaction(function* () {
      yield* execute("UPDATE deliveries SET status = ?, reason = ? WHERE id = ?", status, reason ?? null, id);
      return ok(undefined);
    });

  readonly list: Deliveries["list"] = ({ hook, limit = limits.deliveriesListedDefault, cursor }) =>
    this.sql.guard(function* () {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
      const of = hook === undefined ? "" : " AND hook = ?";
      const sql = `SELECT ${COLUMNS} FROM deliveries WHERE n < ?${of} ORDER BY n DESC LIMIT ?`;
      const rows = (yield* all(sql, before, ...(hook === undefined ? [] : [hook]), limit + 1)).map(rowOf);
      const deliveries = rows.slice(0, limit);
      return ok({ deliveries, ...(rows.length > limit ? { next: String(deliveries.at(-1)!.n) } : {}) });
    });

  readonly find: Deliveries["find"] = (id) =>
    this.sql.guard(function* () {
      const row = yield* get("SELECT * FROM deliveries WHERE id = ?", id);
      if (row === undefined) return ok(undefined);
      const body = row.body instanceof Uint8Array ? { body: row.body } : {};
      const query = typeof row.query === "string" ? { query: JSON.parse(row.query) } : {};
      return ok({ ...rowOf(row), headers: JSON.parse(String(row.headers)), ...query, ...body });
    });

  readonly lastAt: Deliveries["lastAt"] = (hook) =>
    this.sql.guard(function* () {
      const row = yield* get("SELECT received_at FROM deliveries WHERE hook = ? ORDER BY n DESC LIMIT 1", hook);
      return ok(row === undefined ? undefined : String(row.received_at));
    });

  readonly tidy: Deliveries["tidy"] = (nowMs) =>
    this.sql.transaction(function* () {
      const before = new Date(nowMs - limits.deliveriesKeptMs).toISOString();
      yield* execute("DELETE FROM deliveries WHERE status <> 'received' AND received_at < ?", before);
      const sql = "SELECT n FROM deliveries WHERE body IS NOT NULL ORDER BY n DESC LIMIT 1 OFFSET ?";
      const last = yield* get(sql, limits.deliveriesKept);
      if (last !== undefined)
        yield* execute(
          "UPDATE deliveries SET body = NULL WHERE body IS NOT NULL AND status <> 'received' AND n <= ?",
          Number(last.n),
        );
      return ok(undefined);
    });
}

function* insert(row: Omit<DeliveryRow, "n">, content?: DeliveryContent): Asking<DeliveryRow> {
  yield* execute(
    `INSERT INTO deliveries (${COLUMNS.slice(3)}, headers, query, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    ...[row.id, row.hook, row.file, row.senderId ?? null, row.receivedAt, row.bytes, row.status],
    ...[row.reason ?? null, row.run ?? null, row.replayOf ?? null],
    JSON.stringify(content?.headers ?? {}),
    JSON.stringify(content?.query ?? {}),
    content?.body ?? null,
  );
  return rowOf((yield* get(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?`, row.id))!);
}

function* known(hook: string, senderId: string | undefined): Asking<DeliveryRow | undefined> {
  if (senderId === undefined) return undefined;
  const sql = `SELECT ${COLUMNS} FROM deliveries WHERE hook = ? AND sender_id = ? AND replay_of IS NULL AND status NOT IN ('refused', 'duplicate')`;
  const row = yield* get(sql, hook, senderId);
  return row === undefined ? undefined : rowOf(row);
}

function rowOf(row: SqlRow): DeliveryRow {
  const text = (name: string, value: unknown) => (typeof value === "string" ? { [name]: value } : {});
  return {
    n: Number(row.n),
    id: String(row.id),
    hook: String(row.hook),
    file: String(row.file),
    receivedAt: String(row.received_at),
    bytes: Number(row.bytes),
    status: row.status as DeliveryStatus,
    ...text("senderId", row.sender_id),
    ...text("reason", row.reason),
    ...text("run", row.run),
    ...text("replayOf", row.replay_of),
  };
}
