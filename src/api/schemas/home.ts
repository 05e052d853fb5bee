// Schemas for the server, sessions, triggers, deliveries, secrets, doctor, and settings.

import * as z from "zod/mini";
import {
  anything,
  asked,
  count,
  DeliveryStatus,
  flag,
  many,
  maybe,
  onlyTrue,
  page,
  Right,
  TriggerKind,
  table,
  text,
  time,
} from "./common.ts";

export const SessionRequest = asked({ code: text });
export const Session = z.object({ token: text, rights: many(Right) });
/**
 * `userHome`: the user's home folder. Paths inside it are shown relative to it. `demoUrl`: the sample API of
 * `--demo`. `timezone`: an IANA name. `cluster`: several machines share the runs.
 */
export const ServerInfo = z.object({
  version: text,
  folder: text,
  userHome: text,
  hooksUrl: text,
  startedAt: time,
  demoUrl: maybe(text),
  timezone: text,
  cluster: maybe(onlyTrue),
});
export const LoginRequest = asked({ rights: maybe(many(Right)) });
export const LoginLink = z.object({ url: text });
/** `url`: the sample API. `path`: the workflow that calls it through its input `api`. */
export const Demo = z.object({ path: text, url: text });

/**
 * `title`: one line for people. `fields`: its entry of `on:`, with defaults. `problem`: why it starts nothing, and what
 * to do. `next`: the next times of a schedule. `last`: its last start (`by`: what caused it), or why no run started.
 */
export const TriggerItem = z.object({
  id: text,
  kind: TriggerKind,
  workflow: text,
  title: text,
  fields: table(anything),
  paused: flag,
  problem: maybe(text),
  url: maybe(text),
  next: maybe(many(time)),
  last: maybe(z.object({ at: time, by: maybe(text), run: maybe(text), skipped: maybe(text) })),
});
export const TriggerPage = page(TriggerItem);

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
export const ReplayRequest = asked({ workflow: maybe(text) });

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
export const SecretValue = asked({ value: text });
/** `workflow`: its folder can have a `.env` file. */
export const SecretSearch = asked({ value: text, workflow: maybe(text) });
/** Sources that only a command or the keyring can read are left out. */
export const SecretNames = z.object({ names: many(text) });

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
const some = z.int().check(z.minimum(1));
const orNone = <V extends z.ZodMiniType>(value: V) => z.nullable(value);
export const ProviderTest = z.object({ ok: flag, models: maybe(many(text)), problem: maybe(text), hint: maybe(text) });

/** Absent members are unchanged, and `null` removes a setting. config.yaml keeps its comments and order. */
export const SettingsChange = asked({
  retention: maybe(asked({ days: maybe(orNone(some)), runs: maybe(orNone(some)) })),
  providers: maybe(table(orNone(asked({ type: text, baseURL: maybe(text), secret: maybe(text) })))),
});

/**
 * `silent`: its lease is over. `dead`: its runs are taken over. `left`: it ended in order. `runs` that it has claimed,
 * of at most `slots`. `silentMs`: since its last heartbeat, by the database's clock.
 */
export const MachineItem = z.object({
  name: text,
  labels: many(text),
  version: text,
  state: z.enum(["live", "draining", "silent", "dead", "left"]),
  runs: count,
  slots: count,
  leaseMs: count,
  silentMs: count,
});
export const MachinePage = page(MachineItem);
