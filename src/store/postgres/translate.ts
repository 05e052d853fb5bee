// translate: the statements of the ports are SQLite's. Here they become PostgreSQL's: names, and nothing else.
//   T1. Every table is named with its schema, so that no other schema of the database is ever used.

import { SLICE } from "../run-query.ts";

const TABLES = [
  ...["runs", "events", "audit", "audit_head", "rate_starts", "slots", "budget_waits", "cache", "trusted", "triggers"],
  ...["trigger_starts", "watched", "trigger_documents", "deliveries", "start_keys", "removed_runs", "state"],
];

const TABLE = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE)\\s+(${TABLES.join("|")})\\b`, "g");

const POSTGRES_SLICE =
  "greatest(0, least(?::bigint, floor((extract(epoch FROM started_at::timestamptz) * 1000 - ?::bigint) / ?::bigint)::bigint))";

const known = new Map<string, string>();

export function translated(sql: string): string {
  let text = known.get(sql);
  if (text !== undefined) return text;
  let place = 0;
  text = sql
    .replace(SLICE, POSTGRES_SLICE)
    .replaceAll(/\bINDEXED BY \w+/g, "")
    .replaceAll("instr(", "strpos(")
    .replaceAll("char(10)", "chr(10)")
    .replaceAll(" LIKE ", " ILIKE ")
    .replaceAll(TABLE, "$1 curlew.$2")
    .replaceAll("?", () => `$${++place}`);
  known.set(sql, text);
  return text;
}
