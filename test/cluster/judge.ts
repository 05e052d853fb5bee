// judge: compares the journals of runs with a ledger that their commands wrote (spec 6.1 P3).
//   A line of the ledger: RUN PATH ATTEMPT TIME begin|end.

import type { RunEvent } from "../../src/scheduler/event.ts";

export interface Judged {
  id: string;
  name: string;
  status: string;
  events: RunEvent[];
}

/** A runner was stopped or killed: from then on two commands of one node may have been alive (spec 6.7). */
export interface Unwatched {
  runner: string;
  fromMs: number;
}

interface Effect {
  run: string;
  path: string;
  number: number;
  begins: number[];
  ends: number[];
}

const ENDED = new Set(["succeeded", "failed", "timed-out", "cancelled", "lost"]);
const keyOf = (run: string, { path, number }: { path: string; number: number }): string => `${run} ${path} ${number}`;

/** The differences. */
export function judge(runs: readonly Judged[], ledger: readonly string[], unwatched: readonly Unwatched[]): string[] {
  const effects = effectsIn(ledger);
  const byRun = Map.groupBy(effects.values(), ({ run }) => run);
  const known = new Set(runs.map(({ id }) => id));
  return [
    ...[...byRun.keys()].filter((run) => !known.has(run)).map((run) => `${run} is not recorded, and a command ran`),
    ...strays(runs),
    ...runs.flatMap((run) => {
      const own = byRun.get(run.id) ?? [];
      const found = [
        ...ofAttempts(run, effects),
        ...ofEffects(run, own),
        ...ofEnd(run),
        ...overlaps(run, own, unwatched),
      ];
      return found.map((difference) => `${run.name} ${run.id}: ${difference}`);
    }),
  ];
}

/** Subflows that no attempt of their parent names, or one that never began. */
function strays(runs: readonly Judged[]): string[] {
  const named = new Set<string>();
  for (const { events } of runs) {
    const children = new Map<string, string>();
    for (const event of events) {
      if (event.type === "attempt.started" && event.detail.childRun !== undefined)
        children.set(keyOf("", event), event.detail.childRun);
      if (event.type === "attempt.not-started") children.delete(keyOf("", event));
    }
    for (const child of children.values()) named.add(child);
  }
  return runs.flatMap(({ id, name, events: [first] }) =>
    first?.type === "run.started" && first.parent !== undefined && !named.has(id)
      ? [`${name} ${id}: is a subflow of ${first.parent.run}, which does not name it`]
      : [],
  );
}

function effectsIn(ledger: readonly string[]): Map<string, Effect> {
  const effects = new Map<string, Effect>();
  for (const line of ledger) {
    const [run = "", path = "", number = "", atMs = "", what = ""] = line.split(" ");
    const key = keyOf(run, { path, number: Number(number) });
    const effect = effects.get(key) ?? { run, path, number: Number(number), begins: [], ends: [] };
    (what === "begin" ? effect.begins : effect.ends).push(Number(atMs));
    effects.set(key, effect);
  }
  return effects;
}

/** Each attempt has one end, and nothing follows a success. */
function ofAttempts({ id, status, events }: Judged, effects: ReadonlyMap<string, Effect>): string[] {
  const found: string[] = [];
  const [open, succeeded] = [new Set<string>(), new Set<string>()];
  for (const [at, event] of events.entries()) {
    if (event.seq !== at + 1) found.push(`event ${event.seq} is at place ${at + 1}`);
    if (!("number" in event) || !event.type.startsWith("attempt.")) continue;
    const key = keyOf(id, event);
    const what = event.type.slice("attempt.".length);
    if (what === "started" && succeeded.has(event.path)) found.push(`${key} started after a success`);
    if (what === "started" && open.has(key)) found.push(`${key} started twice`);
    if (what === "started") open.add(key);
    if (what === "not-started") open.delete(key);
    if (ENDED.has(what) && !open.delete(key)) found.push(`${key} ${what}, and was not open`);
    if (event.type !== "attempt.succeeded") continue;
    succeeded.add(event.path);
    const { begins, ends } = effects.get(key) ?? { begins: [], ends: [] };
    if (event.end.exitCode !== undefined && (begins.length !== 1 || ends.length !== 1))
      found.push(`${key} succeeded, with ${begins.length} begins and ${ends.length} ends`);
  }
  if (status !== "waiting" && open.size > 0) found.push(`has ended, and ${[...open].join()} has not`);
  return found;
}

/** No command ran twice, or without a record. */
function ofEffects({ id, events }: Judged, own: readonly Effect[]): string[] {
  const started = new Map<string, number>();
  for (const event of events) {
    const by = event.type === "attempt.started" ? 1 : event.type === "attempt.not-started" ? -1 : 0;
    if (by !== 0 && "number" in event) started.set(keyOf(id, event), (started.get(keyOf(id, event)) ?? 0) + by);
  }
  return own.flatMap((effect) => {
    const [times, recorded] = [effect.begins.length, started.get(keyOf(id, effect)) ?? 0];
    return times > recorded ? [`${effect.path} ${effect.number} ran ${times} times, and ${recorded} are recorded`] : [];
  });
}

/** It failed only because something was lost. */
function ofEnd({ status, events }: Judged): string[] {
  if (status === "succeeded" || status === "waiting") return [];
  const isLost = events.some((event) => event.type === "attempt.lost" && event.retryAt === undefined);
  const ofChild = events.some((event) => event.type === "run.failed" && event.failure.code === "subflow-failed");
  return status === "failed" && (isLost || ofChild) ? [] : [`is ${status}: ${JSON.stringify(events.at(-1))}`];
}

/** Two attempts of one node that were alive at the same time. */
function overlaps({ id, events }: Judged, own: readonly Effect[], unwatched: readonly Unwatched[]): string[] {
  const runners = new Map(
    events.flatMap((event) => (event.type === "attempt.started" ? [[keyOf(id, event), event.detail.runner]] : [])),
  );
  return own.flatMap((first) => {
    const next = own.find(({ path, number }) => path === first.path && number === first.number + 1);
    const [endedMs = 0, nextMs = Number.POSITIVE_INFINITY] = [first.ends[0], next?.begins[0]];
    const runner = runners.get(keyOf(id, first));
    const isExcused = unwatched.some((each) => each.runner === runner && each.fromMs <= endedMs);
    return endedMs > nextMs && !isExcused ? [`attempt ${first.number} of ${first.path} lived beside the next`] : [];
  });
}
