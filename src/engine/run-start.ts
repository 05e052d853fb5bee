// run-start: builds the first event of a run, and reads a run back from its journal (spec 3.1, 5.6).
//   B1. The journal is the only source: `run.started` holds the workflow and its inputs, everything else is folded from
//       later events.

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Before } from "../kinds/executor.ts";
import type { EventBody, Rerun, RunEvent } from "../scheduler/event.ts";
import { evolve } from "../scheduler/evolve.ts";
import { initialState, type RunState } from "../scheduler/state.ts";
import { lostEnd, type Store, type StoreError, wrongValue } from "../store/index.ts";
import { analyze, type Graph } from "../workflow/graph.ts";
import type { Workflow } from "../workflow/model.ts";
import { isAdvanced } from "../workflow/node-fields.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import type { CacheName } from "./actions/cached.ts";
import { bringNamed } from "./bring.ts";
import type { RunRequest } from "./contract.ts";
import type { RunSecrets } from "./run-secrets.ts";
import { exactDocument, type RunStorage, recordedDocument, recordedInputs } from "./run-storage.ts";

export type Started = Pick<
  Extract<RunEvent, { type: "run.started" }>,
  | "workflow"
  | "subflows"
  | "inputs"
  | "sealed"
  | "resultIsSecret"
  | "handedOn"
  | "runsOn"
  | "parent"
  | "trigger"
  | "at"
  | "approvedInAdvance"
  | "inert"
  | "again"
  | "only"
>;

/** A run as its journal describes it. */
export interface Recorded {
  run: string;
  state: RunState;
  /** Number and time of its last event. */
  seq: number;
  lastMs: number;
  started: Started;
  /** Attempts that the journal shows as running: their file names and their runner, by path. */
  open: ReadonlyMap<string, OpenAttempt>;
}

interface OpenAttempt extends Before {
  number: number;
  /** Name under which its value is cached. */
  cache: CacheName | undefined;
}

type RunStarted = Extract<EventBody, { type: "run.started" }>;

/** `parent`: only for a subflow's run. */
export function startedEvent(
  request: RunRequest & { resultIsSecret?: boolean; handedOn?: string[]; runsOn?: string[] | undefined },
  keeping: RunStorage,
  parent?: RunStarted["parent"],
  again?: Rerun,
  state?: RunStarted["state"],
): RunStarted {
  const inert = request.inert ?? (request.workflow.imported === undefined ? undefined : { why: "imported" as const });
  return {
    type: "run.started",
    workflow: { name: request.workflow.name, file: request.file, text: request.text },
    subflows: Object.keys(request.subflows).length === 0 ? undefined : request.subflows,
    ...recordedInputs(request.inputs, keeping),
    ...recordedDocument(request, keeping),
    ...(request.resultIsSecret === true ? { resultIsSecret: true } : {}),
    handedOn: request.handedOn?.length ? request.handedOn : undefined,
    runsOn: request.runsOn,
    trigger: request.trigger,
    ...(parent === undefined ? {} : { parent }),
    ...(again === undefined ? {} : { again }),
    ...(request.approvedInAdvance === undefined ? {} : { approvedInAdvance: request.approvedInAdvance }),
    ...advancedOf(request.workflow),
    ...(inert === undefined ? {} : { inert }),
    state,
  };
}

/**
 * The stored values of the names that the workflow declares. One that a secret is part of is not used: the run's record
 * would hold it masked. Failure: `state-secret`.
 */
export async function storedState(
  { file, workflow }: Pick<RunRequest, "file" | "workflow">,
  { masker }: Pick<RunSecrets, "masker">,
  store: Store,
): Promise<Result<RunStarted["state"], Failure>> {
  if (workflow.state === undefined) return ok(undefined);
  const read = await store.state.read(file);
  if (!read.ok) return err(asFailure(read.error));
  const declared = Object.entries(read.value).filter(([name]) => Object.hasOwn(workflow.state!, name));
  const secret = declared.find(([, value]) => masker.mask(value) !== value);
  if (secret === undefined) return ok(Object.fromEntries(declared));
  return err({
    code: "state-secret",
    message: `The stored value of state "${secret[0]}" contains a secret of this workflow.`,
    hint: `Remove it: curlew state rm ${secret[0]} --workflow ${file}`,
  });
}

/** Nodes that never ask for approval, for the record. */
function advancedOf(workflow: Workflow): { advanced?: string[] } {
  const advanced = workflow.nodes.filter(isAdvanced);
  return advanced.length === 0 ? {} : { advanced: advanced.map(({ id }) => id) };
}

/** All events of a run. Failures: the store's, `run-empty`, `run-unreadable`. */
export async function readAllEvents(
  run: string,
  { store, home }: { store: Store; home: string },
): Promise<Result<{ started: RunStarted & RunEvent; events: RunEvent[]; graph: Graph }, Failure>> {
  const events = await store.journal.read(run);
  if (!events.ok) return err(asFailure(events.error));
  const [first] = events.value;
  if (first?.type !== "run.started")
    return err({ code: "run-empty", message: `The record of run ${run} has no beginning.` });
  await bringNamed(run, events.value, store);
  const folder = store.outputs.folder(run);
  const started = folder.ok ? exactDocument(first, run, folder.value, home) : first;
  const parsed = parseWorkflow(started.workflow.text, started.workflow.file);
  if (parsed.workflow === undefined)
    return err({ code: "run-unreadable", message: `Run ${run} was recorded by a newer version of Curlew.` });
  return ok({ started, events: events.value, graph: analyze(parsed.workflow).graph });
}

/**
 * The current state of a run. `ends`: it is resumed only to be ended. Failures: those of `readAllEvents`,
 * `journal-truncated`, `output-truncated`, `output-changed`.
 */
export async function recordedRun(
  run: string,
  deps: { store: Store; home: string; concurrencyDefault: number },
  ends = false,
): Promise<Result<Recorded, Failure>> {
  const read = await readAllEvents(run, deps);
  if (!read.ok) return read;
  const { started, events, graph } = read.value;
  const unfit =
    ends || isFinished(events)
      ? undefined
      : ((await shortJournal(run, deps.store)) ?? unfitValue(run, events, deps.store));
  if (unfit !== undefined) return err(unfit);
  let state = initialState(graph, deps);
  for (const event of events) state = evolve(state, event);
  return ok({
    run,
    state,
    seq: events.length,
    lastMs: Date.parse(events.at(-1)!.at),
    started,
    open: openAttempts(state, events),
  });
}

function openAttempts(state: RunState, events: readonly RunEvent[]): Map<string, OpenAttempt> {
  const open = new Map<string, OpenAttempt>();
  if (state.running.size === 0) return open;
  for (const event of events)
    if (event.type === "attempt.started" && state.running.get(event.path)?.attempts === event.number)
      open.set(event.path, {
        stem: String(event.seq),
        by: event.detail.runner,
        number: event.number,
        cache: event.detail.cache,
      });
  return open;
}

async function shortJournal(run: string, { journal, outputs }: Store): Promise<Failure | undefined> {
  const short = lostEnd(run, outputs.newest(run), await journal.lastSeq(run));
  return short === undefined
    ? undefined
    : {
        code: "journal-truncated",
        message: `Curlew can't resume run ${run}. ${short.message} It would repeat what was done after that.`,
        hint: `Check what was done. "curlew runs cancel ${run}" ends it, and "curlew runs retry ${run}" continues from the record.`,
      };
}

/**
 * Checks value files before a run continues: after a power cut a large file may be truncated, and any file may have
 * been changed. `isMeant` selects the files to check.
 */
export function unfitValue(
  run: string,
  events: readonly RunEvent[],
  store: Store,
  isMeant?: (file: string) => boolean,
): Failure | undefined {
  const wrong = wrongValue(run, events, store.outputs, isMeant);
  if (wrong === undefined) return undefined;
  const { path, finding } = wrong;
  const named = finding.code === "output-changed" ? { code: "output-changed" } : { code: "output-truncated" };
  const cancel = isFinished(events) ? "" : `curlew runs cancel ${run}, then `;
  return {
    ...named,
    message: `Curlew can't continue the output of "${path}". ${finding.message}`,
    hint: `Run it again from there: ${cancel}curlew runs retry ${run} --from ${path}`,
  };
}

function isFinished(events: readonly RunEvent[]): boolean {
  return /^run\.(?:succeeded|failed|cancelled|timed-out)$/.test(events.at(-1)?.type ?? "");
}

export function asFailure(error: StoreError): Failure {
  return { code: error.code, message: error.message };
}
