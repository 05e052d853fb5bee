// placed: subflows on other machines of a cluster, which have the labels that this one lacks (spec 6.5, ADR 105).
//   E1. A machine with the labels takes the run from the queue and drives it like any other. Its parent looks at its
//       record, and adds an entry if the run rests and has something to do. So the parent gets the same ends and rests
//       as from a run that it drives.
//   E2. It is recorded only while its parent's claim holds (store/postgres/journal.ts), and it begins only while its
//       parent waits for it. So a machine that was overtaken starts nothing.
//   E3. Sealed values stay in the data directory where they were made, so none is passed or returned.
//   E4. A cancellation goes to the machine that drives it. Without one, the machine of the parent ends it.

import { basename } from "node:path";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, type Result } from "../base/result.ts";
import { EMPTY, isSealed, type Value } from "../base/value.ts";
import type { RunFiles } from "../kinds/values.ts";
import { type EventBody, isRunEnd } from "../scheduler/event.ts";
import { plan } from "../scheduler/plan.ts";
import { resultNodes } from "../scheduler/result.ts";
import type { RunState } from "../scheduler/state.ts";
import type { RunRow, Store } from "../store/index.ts";
import { labelsOfRun, type NeededLabel } from "../workflow/labels.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { StoreFault } from "./driver/recording.ts";
import { nameOf } from "./recovery/owner.ts";
import { asFailure, type Recorded, recordedRun, type Started } from "./run-start.ts";

const ENDS: ReadonlySet<string> = new Set(
  ["succeeded", "failed", "timed-out", "cancelled", "lost", "not-started"].map((end) => `attempt.${end}`),
);

/** The other machines of a cluster. */
export interface Elsewhere {
  /** A label of the run that this machine lacks. */
  lacks(started: Labelled): string | undefined;
  /** Adds an entry to the queue of a label. Adding it again changes nothing. False: it could not be added. */
  leave(id: string, run: string, label: string): Promise<boolean>;
  /** Another machine drives the subflow or is to take it: the run around it needs no slot. */
  waitsFor(child: RunRow): Promise<void>;
  /** The run around the subflow continues, and takes a slot again. */
  returned(child: string): void;
  /** M7: whether the run waits for its own machine, where a command may still be alive. */
  waitsForMachineOf(run: string): Promise<boolean>;
  /** M6: whether this machine may start and change something. */
  isValid(): boolean;
}

interface Looking {
  store: Store;
  home: string;
  elsewhere: Elsewhere;
  /** Whether another process drives the run. */
  isDriven(row: RunRow): boolean;
  /** Runs whose machine was asked to cancel them. */
  asked: Set<string>;
  /** Subflows that no machine drives, as they were at the last look. A look comes each second. */
  queued: Map<string, Queued>;
}

export interface Queued {
  /** Last event and status of the row. The journal is read again only if they change. */
  mark: string;
  kept: Result<Recorded, Failure>;
  /** Its last entry. */
  entry?: string;
}

/** The same may succeed later. */
export const PASSES: ReadonlySet<string> = new Set(["store-unreachable", "store-full", "store-busy", "store-failed"]);

type Labelled = Pick<Started, "runsOn"> & { workflow: Omit<Started["workflow"], "name"> };

export function labelsOfStarted({ workflow: { text, file }, runsOn = [] }: Labelled): NeededLabel[] {
  const workflow = text.includes("runsOn") ? parseWorkflow(text, file).workflow : undefined;
  return [...runsOn.map((label): NeededLabel => ({ label })), ...(workflow ? labelsOfRun(workflow) : [])];
}

/** E1. A subflow that rests or has ended elsewhere. Undefined: it is for this machine. Failure `run-claimed`: look again. */
export async function restElsewhere(
  run: string,
  news: readonly EventBody[],
  looking: Looking,
): Promise<Result<Recorded, Failure> | undefined> {
  const { store, elsewhere, queued } = looking;
  const row = await store.journal.findRun(run);
  if (!row.ok) return err(asFailure(row.error));
  const before = queued.get(run);
  queued.delete(run);
  const isDriven = looking.isDriven(row.value);
  // A machine that was killed at its end has not released it.
  if (row.value.endedAt !== undefined)
    return isDriven ? recordedRun(run, { ...looking, concurrencyDefault: 1 }, true) : undefined;
  if (news.length > 0 && !elsewhere.isValid()) return err(drivenElsewhere(row.value));
  if (isDriven) {
    if (row.value.owner?.machine !== undefined) await elsewhere.waitsFor(row.value);
    await cancelThere(row.value, news, looking);
    return err(drivenElsewhere(row.value));
  }
  if (news.length > 0) return undefined;
  const mark = `${row.value.lastSeq} ${row.value.status}`;
  const seen: Queued = before?.mark === mark ? before : { mark, kept: await recordedHere(run, looking) };
  const { kept } = seen;
  if (!kept.ok && kept.error.code !== UNREADABLE) return kept;
  const waits = (message = drivenElsewhere(row.value).message): Result<never, Failure> => {
    queued.set(run, seen);
    return err({ ...drivenElsewhere(row.value), message });
  };
  // A run of a newer version is left to the machines that can read it.
  if (!kept.ok) return waits(kept.error.message);
  const label = elsewhere.lacks(kept.value.started);
  if (await elsewhere.waitsForMachineOf(run)) return waits();
  if (label === undefined) return undefined;
  if (row.value.status !== "queued") {
    if (await rests(kept.value.state, store)) return kept;
    const minute = Math.floor(Date.now() / limits.queueSweepMs);
    const entry = `${run}=${kept.value.seq}+${minute}`;
    if (seen.entry !== entry && (await elsewhere.leave(entry, run, label))) seen.entry = entry;
  }
  await elsewhere.waitsFor(row.value);
  return waits();
}

const UNREADABLE = "run-unreadable";

/** A run as this version reads it. Failures: those of the store, `run-unreadable`. */
export async function recordedHere(
  run: string,
  by: { store: Store; home: string },
): Promise<Result<Recorded, Failure>> {
  try {
    return await recordedRun(run, { ...by, concurrencyDefault: 1 }, true);
  } catch (reason) {
    if (reason instanceof StoreFault) return err({ code: reason.code, message: reason.message });
    // An event that this version does not know.
    return err({ code: UNREADABLE, message: `Run ${run} was recorded by a newer version of Curlew.` });
  }
}

/** E4. */
async function cancelThere({ id, status, owner }: RunRow, news: readonly EventBody[], { store, ...by }: Looking) {
  const [cancel] = news;
  const isAsked = by.asked.has(id) || status === "cancelling" || owner?.machine === undefined;
  if (cancel === undefined || isAsked) return;
  const told = await store.tellOwner?.(id, id, cancel);
  if (told?.ok === true || told?.error.code === "machine-silent") by.asked.add(id);
}

/** Whether the run has nothing to do until someone decides or a time comes. */
async function rests(state: RunState, store: Store): Promise<boolean> {
  if (state.status !== "waiting" || state.running.size + state.waitingBudget.size > 0) return false;
  if (plan(state, Date.now()).actions.length > 0) return false;
  for (const { paused } of state.paused.values())
    for (const [run, seen] of Object.entries(paused?.seen ?? {})) {
      const last = await store.journal.lastSeq(run);
      if (last.ok && last.value > seen) return false;
    }
  return true;
}

export function drivenElsewhere({ id, owner }: Pick<RunRow, "id" | "owner">): Failure {
  const who = owner === undefined ? "Another machine" : nameOf(owner);
  return { code: "run-claimed", message: `${who} works on run ${id}, or is to take it.` };
}

/** E2: whether its parent has given up the run. Only signed events count (M13). A parent that can't be read has not. */
export async function isGivenUp(run: string, store: Store): Promise<boolean> {
  const first = await store.journal.read(run, 1, 1);
  const started = first.ok ? first.value[0] : undefined;
  const parent = started?.type === "run.started" ? started.parent : undefined;
  if (parent === undefined) return false;
  let number: number | undefined;
  let isOver = false;
  await store.journal.each(parent.run, 1, (event) => {
    if (isRunEnd(event)) isOver = true;
    if (!("number" in event) || event.path !== parent.path) return;
    if (event.type === "attempt.started") number = event.detail.childRun === run ? event.number : number;
    else if (ENDS.has(event.type) && event.number === number) isOver = true;
  });
  return isOver;
}

/** E3. */
export const sealedElsewhere = failureOf("sealed-unreadable", (file: string) => [
  `The subflow ${basename(file)} runs on another machine, and a secret value would be passed to it or returned by it.`,
  "Secret values stay on the machine that knows them. Let the subflow read the secret from its own machine's sources.",
]);

/** Whether the first events of a run name a sealed value, or ask for a sealed result. */
export function holdsSealed(events: readonly EventBody[]): boolean {
  return events.some((event) =>
    event.type === "run.started"
      ? (event.sealed ?? event.sealedDocument ?? event.resultIsSecret) !== undefined
      : "value" in event && event.value !== undefined && isSealed(event.value),
  );
}

/** E3: a part of the result that is only on the machine that made it. */
export function absentResult(run: string, state: RunState, files: RunFiles): Failure | undefined {
  const values = resultNodes(state, undefined).map((index) => state.root.nodes.get(index)?.value ?? EMPTY);
  const absent = (pattern: RegExp): boolean =>
    [...JSON.stringify(values).matchAll(pattern)].some(([, name]) => !files.has(name!));
  if (values.some((value: Value) => isSealed(value)) && absent(/"sealed":"([^"\\]+)"/g))
    return {
      code: "sealed-unreadable",
      message: `The result of run ${run} contains a secret value, which stays on the machine that knows it.`,
      hint: "Return a value without the secret.",
    };
  if (!absent(/"file":"([^"\\]+)"/g)) return undefined;
  return {
    code: "output-truncated",
    message: `The result of run ${run} is only on the machine that made it, because it is too large for the archive.`,
    hint: "Write it to a place that both machines reach, and return its name.",
  };
}
