// home: schemas of the server, sessions, triggers and deliveries, secrets, doctor and settings.

import * as z from "zod/mini";
import { count, DeliveryStatus, flag, many, maybe, page, Right, table, text, time } from "./common.ts";

export const SessionRequest = z.object({ code: text });
export const Session = z.object({ token: text, rights: many(Right) });
/** `userHome`: paths in it are shown from there. `demoUrl`: the sample API that `--demo` started. `timezone`: an IANA name. */
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
/** The sample API runs at `url`, and the workflow at `path` calls it by its input `api`. */
export const Demo = z.object({ path: text, url: text });

/** `problem`: why it does not start anything, and what helps. */
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
/** `path` comes after `/h/`. `problem`: why deliveries are refused. */
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

/** `deliveryId`: what the sender calls it. */
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
/** `body` as text. Bodies of refused, repeated and old deliveries are not kept. */
export const Delivery = z.object({
  ...delivery,
  headers: table(text),
  query: table(z.union([text, z.array(text)])),
  body: maybe(text),
});
export const ReplayRequest = z.object({ workflow: maybe(text) });

/** Values are write-only. `source`: `environment`, `.env`, `store`, `keychain` or `command`; absent: not found. `stored`: in the local store. */
export const SecretItem = z.object({
  name: text,
  source: maybe(text),
  stored: flag,
  usedBy: many(text),
  problem: maybe(text),
});
export const SecretPage = page(SecretItem);
/** Whether a value is found for every workflow that uses it. Nothing about the value. */
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
/** `retention`: how long ended runs are kept; absent: always. `secret` holds the key of a provider; `key: none`: it takes none. */
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

/** Absent members stay, `null` removes. config.yaml keeps its comments and order. */
export const SettingsChange = z.object({
  retention: maybe(z.object({ days: maybe(orNone(count)), runs: maybe(orNone(count)) })),
  providers: maybe(table(orNone(z.object({ type: text, baseURL: maybe(text), secret: maybe(text) })))),
});
