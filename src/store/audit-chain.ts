// The chain that connects the entries of the audit log and protects its end, and the
// report of a check (spec 4.2, ADR 17).

import { createHmac, timingSafeEqual } from "node:crypto";
import { type Asking, get } from "./ask.ts";

/** Type of the entry that records that the end of the log was tampered with. */
export const DAMAGED = "audit.damaged";

/** A finding of the log's check. `entry`: the first entry that was changed or is missing. */
export interface AuditFinding {
  code:
    | "audit-changed"
    | "audit-missing"
    | "audit-truncated"
    | "audit-head"
    | "audit-key"
    | "audit-unlogged"
    | "audit-without-event";
  message: string;
  entry?: number;
  run?: string;
}

export interface AuditReport {
  entries: number;
  /** Hash of the last entry, or "" if the log is empty. A copy kept elsewhere proves later what the log contained. */
  head: string;
  /** Empty if the log is intact. Start with the first. */
  findings: AuditFinding[];
}

export interface Head {
  /** Events up to this position of the store were recorded before the log existed. */
  since: number;
  count: number;
  hash: string;
  /** Whether the head was written with this key. An empty log fits every key. */
  fits(key: Buffer): boolean;
}

export function* headOf(): Asking<Head> {
  const row = yield* get("SELECT since, count, hash, mac FROM audit_head");
  const head = { since: Number(row?.since ?? 0), count: Number(row?.count ?? 0), hash: String(row?.hash ?? "") };
  const mac = String(row?.mac ?? "");
  return {
    ...head,
    fits: (key) => (mac === "" ? head.count === 0 : same(mac, headMac(key, head.since, head.count, head.hash))),
  };
}

export function chained(key: Buffer, before: string, body: string): string {
  return createHmac("sha256", key).update(`entry\n${before}\n${body}`).digest("hex");
}

export function headMac(key: Buffer, since: number, count: number, hash: string): string {
  return createHmac("sha256", key).update(`head\n${since}\n${count}\n${hash}`).digest("hex");
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
