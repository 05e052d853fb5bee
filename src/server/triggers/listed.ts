// Describes triggers for the API (spec 2.5).

import { dirname } from "node:path";
import type { FileWatchItem, HookItem, ScheduleItem, Triggers } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import type { ReadOnlyStore } from "../../secrets/where.ts";
import type { ServerStore, TriggerState } from "../../store/index.ts";
import type { FileTrigger, ScheduleTrigger, WebhookTrigger } from "../../workflow/triggers.ts";
import type { HookSecrets } from "../hooks/secrets.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import { machineZone, nextTimes } from "./times.ts";

interface Deps {
  store: ServerStore;
  nowMs: number;
  /** The base URL of webhooks, as seen from outside. */
  url: string;
  /** Why the URL from config.yaml is not used. */
  urlProblem?: string;
  secrets: HookSecrets;
  /** Finds where secrets are without reading values, because some sources would prompt the user. */
  look(): Promise<ReadOnlyStore>;
  problemOf(watch: string): string | undefined;
}

export async function listed(armed: readonly ActiveTrigger[], deps: Deps): Promise<Triggers> {
  const triggers: Triggers = { schedules: [], hooks: [], files: [] };
  const wants = armed.some(({ trigger }) => trigger.kind === "webhook" && trigger.secret !== undefined);
  const looked = wants ? await deps.look() : undefined;
  for (const one of armed) {
    const state = deps.store.triggers.state(one.id);
    const kept = state.ok ? state.value : undefined;
    const { trigger } = one;
    if (trigger.kind === "schedule") triggers.schedules.push(scheduleItem({ ...one, trigger }, kept, deps));
    else if (trigger.kind === "webhook") triggers.hooks.push(hookItem({ ...one, trigger }, kept, looked, deps));
    else triggers.files.push(watchItem({ ...one, trigger }, kept, deps));
  }
  return triggers;
}

const NO_PORT = "No port could be had for webhooks, so that none arrives; the log of the server says why.";

function scheduleItem(
  { id, path, trigger, problem }: ActiveTrigger<ScheduleTrigger>,
  kept: TriggerState | undefined,
  { nowMs }: Deps,
): ScheduleItem {
  const { cron, catchUp, overlap, timezone = machineZone() } = trigger;
  const next = nextTimes(trigger, nowMs, limits.nextTimesShown).map((time) => new Date(time).toISOString());
  const { at, run, skipped } = kept?.last ?? {};
  return {
    ...{ id, workflow: path, cron, timezone, catchUp, overlap, paused: kept?.paused === true, next },
    ...(problem === undefined ? {} : { problem }),
    ...(at === undefined
      ? {}
      : { last: { at, ...(run === undefined ? {} : { run }), ...(skipped === undefined ? {} : { skipped }) } }),
  };
}

function hookItem(
  hook: ActiveTrigger<WebhookTrigger>,
  kept: TriggerState | undefined,
  looked: ReadOnlyStore | undefined,
  { store, url, urlProblem, secrets }: Deps,
): HookItem {
  const { id, path: workflow, trigger } = hook;
  const { path, verify, secret } = trigger;
  const lastAt = store.deliveries.lastAt(path);
  const isMissing = secret !== undefined && looked?.of(secret, [dirname(hook.file)]).source === undefined;
  const problem =
    hook.problem ??
    (url === "" ? NO_PORT : undefined) ??
    (isMissing && verify !== "none" ? `The secret ${secret} is not set: deliveries are refused.` : undefined) ??
    secrets.trouble(id)?.message ??
    urlProblem;
  return {
    ...{ id, workflow, path, url: `${url}/h/${path}`, verify, paused: kept?.paused === true },
    ...(secret === undefined ? {} : { secret }),
    ...(problem === undefined ? {} : { problem }),
    ...(lastAt.ok && lastAt.value !== undefined ? { lastAt: lastAt.value } : {}),
  };
}

function watchItem(
  { id, path: workflow, trigger, problem }: ActiveTrigger<FileTrigger>,
  kept: TriggerState | undefined,
  { problemOf }: Deps,
): FileWatchItem {
  const { paths, on } = trigger;
  const { at, file, run, skipped } = kept?.last ?? {};
  const trouble = problem ?? problemOf(id);
  return {
    ...{ id, workflow, paths, on, paused: kept?.paused === true },
    ...(trouble === undefined ? {} : { problem: trouble }),
    ...(at === undefined
      ? {}
      : {
          last: {
            ...{ at, file: file ?? "" },
            ...(run === undefined ? {} : { run }),
            ...(skipped === undefined ? {} : { skipped }),
          },
        }),
  };
}
