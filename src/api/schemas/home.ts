// Schemas for the server, sessions, triggers, deliveries, secrets, doctor, and settings.

import * as z from "zod/mini";
import { count, DeliveryStatus, flag, many, maybe, page, Right, table, text, time } from "./common.ts";

export const SessionRequest = z.object({ code: text });
export const Session = z.object({ token: text, rights: many(Right) });
/**
 * `userHome`: the user's home folder. Paths inside it are shown relative to it. `demoUrl`: the sample API of
 * `--demo`. `timezone`: an IANA name.
 */
export const ServerInfo = z.object({
  version: text,
  folder: text,
  userHome: text,
  hooksUrl: text,
  startedAt: time,
  demoUrl: maybe(text),
  timezone: text,
});
export const LoginRequest = z.object({ rights: maybe(many(Right)) });
export const LoginLink = z.object({ url: text });
/** `url`: the sample API. `path`: the workflow that calls it through its input `api`. */
export const Demo = z.object({ path: text, url: text });

/** `problem`: why it starts nothing, and what to do. */
export const ScheduleItem = z.object({
  id: text,
  workflow: text,
  cron: text,
  timezone: text,
  catchUp: z.enum(["latest", "all", "none"]),
  overlap: z.enum(["skip", "queue", "cancel", "allow"]),
  paused: flag,
  problem: maybe(text),
  next: many(time),
  last: maybe(z.object({ at: time, run: maybe(text), skipped: maybe(text) })),
});
/** `path` follows `/h/`. `problem`: why deliveries are rejected. */
export const HookItem = z.object({
  id: text,
  workflow: text,
  path: text,
  url: text,
  verify: text,
  secret: maybe(text),
  paused: flag,
  problem: maybe(text),
  lastAt: maybe(time),
});
export const FileWatchItem = z.object({
  id: text,
  workflow: text,
  paths: many(text),
  on: many(z.enum(["add", "change", "remove"])),
  paused: flag,
  last: maybe(z.object({ at: time, file: text, run: maybe(text), skipped: maybe(text) })),
  problem: maybe(text),
});
export const Triggers = z.object({
  schedules: many(ScheduleItem),
  hooks: many(HookItem),
  files: many(FileWatchItem),
  next: maybe(text),
});

/** `deliveryId`: the sender's id for the delivery. */
const delivery = {
  id: text,
  hook: text,
  workflow: text,
  deliveryId: maybe(text),
  receivedAt: time,
  bytes: count,
  status: DeliveryStatus,
  reason: maybe(text),
  run: maybe(text),
  replayOf: maybe(text),
};
export const DeliveryItem = z.object(delivery);
export const DeliveryPage = page(DeliveryItem);
/** `body` is text. Bodies of rejected, repeated, and old deliveries are not kept. */
export const Delivery = z.object({
  ...delivery,
  headers: table(text),
  query: table(z.union([text, z.array(text)])),
  body: maybe(text),
});
export const ReplayRequest = z.object({ workflow: maybe(text) });

/**
 * Values are write-only. `source` is `environment`, `.env`, `store`, `keychain`, or `command`, and absent if none has
 * the secret. `stored`: in the local store.
 */
export const SecretItem = z.object({
  name: text,
  source: maybe(text),
  stored: flag,
  usedBy: many(text),
  problem: maybe(text),
});
export const SecretPage = page(SecretItem);
/** Whether every workflow that uses the secret finds a value. Says nothing about the value. */
export const SecretTest = z.object({ ok: flag, source: maybe(text), problem: maybe(text), hint: maybe(text) });
export const SecretValue = z.object({ value: text });

export const DoctorReport = z.object({
  findings: many(
    z.object({
      code: text,
      level: z.enum(["ok", "note", "warning", "error"]),
      title: text,
      detail: maybe(text),
      remedy: maybe(text),
    }),
  ),
});
/**
 * `retention`: how long finished runs are kept. Absent: forever. `secret` has the
 * provider's key. `key: none`: it needs none.
 */
export const Settings = z.object({
  retention: z.object({ days: maybe(count), runs: maybe(count) }),
  providers: many(
    z.object({
      name: text,
      type: text,
      baseURL: maybe(text),
      secret: maybe(text),
      key: z.enum(["set", "missing", "none"]),
      from: z.enum(["config", "environment"]),
    }),
  ),
});
const orNone = <V extends z.ZodMiniType>(value: V) => z.nullable(value);
export const ProviderTest = z.object({ ok: flag, models: maybe(many(text)), problem: maybe(text), hint: maybe(text) });

/** Absent members are unchanged, and `null` removes a setting. config.yaml keeps its comments and order. */
export const SettingsChange = z.object({
  retention: maybe(z.object({ days: maybe(orNone(count)), runs: maybe(orNone(count)) })),
  providers: maybe(table(orNone(z.object({ type: text, baseURL: maybe(text), secret: maybe(text) })))),
});
