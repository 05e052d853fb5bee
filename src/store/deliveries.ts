// The inbox of webhooks: deliveries exactly as they arrived, and the run that each became (spec 2.5, 4.3).
//   D1. What `receive` has returned survives kill -9 and power cuts, including the id of
//       the future run: one delivery, one run.
//   D2. Per hook, a delivery with the same sender id is kept once, however often it arrives.
//   D3. Rejected and repeated deliveries are kept without a body, the newest limits.deliveriesRefusedKept of them.
//   D4. Sender ids are kept for limits.deliveriesKeptMs to recognise repeats. Bodies are kept
//       for the newest limits.deliveriesKept.
// Deliberately absent: signatures, HTTP, starting runs.

import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import type { Database, SqlRow } from "./database.ts";
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

export interface DeliveryPage {
  deliveries: DeliveryRow[];
  next?: string;
}

export interface Deliveries {
  /** D1, D2. Returns the new row, or the row of an earlier delivery with the same sender id. Errors: store-*. */
  receive(delivery: NewDelivery): Result<{ row: DeliveryRow; again: boolean }, StoreError>;
  /** D3. */
  refuse(delivery: Omit<DeliveryRow, "n" | "status"> & { reason: string }): Result<DeliveryRow, StoreError>;
  /** Accepted deliveries that have neither become a run nor failed, oldest first. */
  open(): Result<DeliveryRow[], StoreError>;
  settle(id: string, status: "started" | "failed", reason?: string): Result<void, StoreError>;
  /** Newest first. */
  list(query: { hook?: string; limit?: number; cursor?: string }): Result<DeliveryPage, StoreError>;
  find(id: string): Result<(DeliveryRow & Partial<DeliveryContent>) | undefined, StoreError>;
  lastAt(hook: string): Result<string | undefined, StoreError>;
  /** Removes deliveries that need no longer be kept, except open ones. */
  tidy(nowMs: number): Result<void, StoreError>;
}

const COLUMNS = "n, id, hook, file, sender_id, received_at, bytes, status, reason, run, replay_of";

export function openDeliveries(database: Database): Deliveries {
  return new SqliteDeliveries(database);
}

class SqliteDeliveries implements Deliveries {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  private sinceTidied = 0;

  private insert(row: Omit<DeliveryRow, "n">, content?: DeliveryContent): DeliveryRow {
    this.database.run(
      `INSERT INTO deliveries (${COLUMNS.slice(3)}, headers, query, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[row.id, row.hook, row.file, row.senderId ?? null, row.receivedAt, row.bytes, row.status],
      ...[row.reason ?? null, row.run ?? null, row.replayOf ?? null],
      JSON.stringify(content?.headers ?? {}),
      JSON.stringify(content?.query ?? {}),
      content?.body ?? null,
    );
    return rowOf(this.database.get(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?`, row.id)!);
  }

  private known(hook: string, senderId: string | undefined): DeliveryRow | undefined {
    if (senderId === undefined) return undefined;
    const sql = `SELECT ${COLUMNS} FROM deliveries WHERE hook = ? AND sender_id = ? AND replay_of IS NULL AND status NOT IN ('refused', 'duplicate')`;
    const row = this.database.get(sql, hook, senderId);
    return row === undefined ? undefined : rowOf(row);
  }

  /** Runs only occasionally, to keep rejections cheap. */
  private turnedAway(): void {
    this.sinceTidied += 1;
    if (this.sinceTidied < 50) return;
    this.sinceTidied = 0;
    const sql = "SELECT n FROM deliveries WHERE status IN ('refused', 'duplicate') ORDER BY n DESC LIMIT 1 OFFSET ?";
    const last = this.database.get(sql, limits.deliveriesRefusedKept);
    if (last !== undefined)
      this.database.run("DELETE FROM deliveries WHERE status IN ('refused', 'duplicate') AND n <= ?", Number(last.n));
  }

  readonly receive: Deliveries["receive"] = ({ headers, query, body, isPing = false, ...delivery }) =>
    this.database.transaction((): Result<{ row: DeliveryRow; again: boolean }, StoreError> => {
      const before = delivery.replayOf === undefined ? this.known(delivery.hook, delivery.senderId) : undefined;
      const row = { ...delivery, bytes: body.byteLength };
      if (before === undefined)
        return ok({
          row: this.insert({ ...row, status: isPing ? "ping" : "received" }, { headers, query, body }),
          again: false,
        });
      this.insert({ ...row, run: before.run ?? row.run, status: "duplicate", reason: before.id });
      this.turnedAway();
      return ok({ row: before, again: true });
    });

  readonly refuse: Deliveries["refuse"] = (delivery) =>
    this.database.transaction(() => {
      this.turnedAway();
      return ok(this.insert({ ...delivery, status: "refused" }));
    });

  readonly open: Deliveries["open"] = () =>
    this.database.guard(() =>
      ok(this.database.all(`SELECT ${COLUMNS} FROM deliveries WHERE status = 'received' ORDER BY n`).map(rowOf)),
    );

  readonly settle: Deliveries["settle"] = (id, status, reason) =>
    this.database.transaction(() => {
      this.database.run("UPDATE deliveries SET status = ?, reason = ? WHERE id = ?", status, reason ?? null, id);
      return ok(undefined);
    });

  readonly list: Deliveries["list"] = ({ hook, limit = limits.deliveriesListedDefault, cursor }) =>
    this.database.guard(() => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
      const rows = this.database
        .all(
          `SELECT ${COLUMNS} FROM deliveries WHERE n < ?${hook === undefined ? "" : " AND hook = ?"} ORDER BY n DESC LIMIT ?`,
          ...[before, ...(hook === undefined ? [] : [hook]), limit + 1],
        )
        .map(rowOf);
      const deliveries = rows.slice(0, limit);
      return ok({ deliveries, ...(rows.length > limit ? { next: String(deliveries.at(-1)!.n) } : {}) });
    });

  readonly find: Deliveries["find"] = (id) =>
    this.database.guard(() => {
      const row = this.database.get("SELECT * FROM deliveries WHERE id = ?", id);
      if (row === undefined) return ok(undefined);
      const body = row.body instanceof Uint8Array ? { body: row.body } : {};
      const query = typeof row.query === "string" ? { query: JSON.parse(row.query) } : {};
      return ok({ ...rowOf(row), headers: JSON.parse(String(row.headers)), ...query, ...body });
    });

  readonly lastAt: Deliveries["lastAt"] = (hook) =>
    this.database.guard(() => {
      const row = this.database.get("SELECT received_at FROM deliveries WHERE hook = ? ORDER BY n DESC LIMIT 1", hook);
      return ok(row === undefined ? undefined : String(row.received_at));
    });

  readonly tidy: Deliveries["tidy"] = (nowMs) =>
    this.database.transaction(() => {
      const before = new Date(nowMs - limits.deliveriesKeptMs).toISOString();
      this.database.run("DELETE FROM deliveries WHERE status <> 'received' AND received_at < ?", before);
      const sql = "SELECT n FROM deliveries WHERE body IS NOT NULL ORDER BY n DESC LIMIT 1 OFFSET ?";
      const last = this.database.get(sql, limits.deliveriesKept);
      if (last !== undefined)
        this.database.run(
          "UPDATE deliveries SET body = NULL WHERE body IS NOT NULL AND status <> 'received' AND n <= ?",
          Number(last.n),
        );
      return ok(undefined);
    });
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
