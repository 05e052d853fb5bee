// pending: finds the approval requests that wait for a person (spec 2.7, 3.5). Shared by the commands and the inline
// question.
//   A1. A request is named by the outermost run and its path there: `sub/gate` for the node `gate` of a subflow's run.
//   A2. The request that is shown is the one that is answered, identified by its hash. Another request at the same path
//       is a different one.
//   A3. Rows of runs without requests are not read, so a long history of open runs does not slow down the list.

import type { ApprovalDetail } from "../base/approval-detail.ts";
import { limits } from "../base/limits.ts";
import type { Result } from "../base/result.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import type { RunRow, Store, StoreError } from "../store/index.ts";

export type Requested = Extract<EventBody, { type: "approval.requested" }>;
export type Answered = Extract<RunEvent, { type: "approval.granted" | "approval.rejected" | "approval.expired" }>;

export interface Pending {
  /** The outermost run, which continues after the answer. */
  run: RunRow;
  /** Path in the outermost run. */
  path: string;
  /** The run whose journal holds the request: the outermost one or a subflow's. */
  asker: RunRow;
  /** Event number in the asking run. Together they identify the request. */
  seq: number;
  requestedAt: string;
  request: Requested;
}

/** All waiting requests of the data directory, newest run first. */
export async function allPending(store: Store): Promise<Result<Pending[], StoreError>> {
  const found: Pending[] = [];
  const parents = new Map<string, RunRow | undefined>();
  let cursor: string | undefined;
  do {
    const page = await store.journal.listRuns({
      status: ["waiting", "running"],
      asking: true,
      children: "all",
      limit: limits.runsListedMax,
      cursor,
    });
    if (!page.ok) return page;
    for (const row of page.value.runs) {
      const place = await outermostOf(row, store, parents);
      if (place !== undefined && place.run.endedAt === undefined) found.push(...(await requestsOf(row, place, store)));
    }
    cursor = page.value.next;
  } while (cursor !== undefined);
  return { ok: true, value: found };
}

/** Requests of one outermost run and its subflow runs, outer ones first. */
export async function pendingOf(run: RunRow, store: Store): Promise<Pending[]> {
  const found: Pending[] = [];
  const open: { row: RunRow; prefix: string }[] = [{ row: run, prefix: "" }];
  for (const { row, prefix } of open) {
    found.push(...(await requestsOf(row, { run, prefix }, store)));
    if (open.length > limits.runsListedMax) continue;
    for (const child of await childrenOf(row, store))
      open.push({ row: child, prefix: `${prefix}${child.parent?.path}/` });
  }
  return found;
}

async function childrenOf(row: RunRow, store: Store): Promise<RunRow[]> {
  const page = await store.journal.listRuns({
    children: { of: row.id },
    status: ["waiting", "running"],
    limit: limits.runsListedMax,
  });
  return page.ok ? page.value.runs.toReversed() : [];
}

/** The outermost run that contains this one, and the prefix of its paths there. */
export async function outermostOf(
  row: RunRow,
  store: Store,
  known = new Map<string, RunRow | undefined>(),
): Promise<{ run: RunRow; prefix: string } | undefined> {
  let run = row;
  let prefix = "";
  while (run.parent !== undefined) {
    const { run: id, path } = run.parent;
    if (!known.has(id)) {
      const found = await store.journal.findRun(id);
      known.set(id, found.ok ? found.value : undefined);
    }
    const parent = known.get(id);
    if (parent === undefined) return undefined;
    prefix = `${path}/${prefix}`;
    run = parent;
  }
  return { run, prefix };
}

/** Identifies the asking run and event, so that an answer never applies to another request. */
export function requestId({ asker, seq }: Pending): string {
  return `${asker.id}-${seq}`;
}

/** Requests without an answer whose node has not ended otherwise. */
export async function requestsOf(
  asker: RunRow,
  place: { run: RunRow; prefix: string },
  store: Store,
): Promise<Pending[]> {
  const open = new Map<string, Pending>();
  await store.journal.each(asker.id, 1, (event) => {
    if (event.type === "approval.requested")
      open.set(event.path, {
        run: place.run,
        path: `${place.prefix}${event.path}`,
        asker,
        seq: event.seq,
        requestedAt: event.at,
        request: event,
      });
    else if ("path" in event && event.type !== "pass.started" && settles(event, open.get(event.path)?.request))
      open.delete(event.path);
  });
  return [...open.values()];
}

/** An answer to another request, or one that came too late, settles nothing. */
function settles(event: RunEvent, request: Requested | undefined): boolean {
  if (request === undefined) return false;
  switch (event.type) {
    case "approval.granted":
    case "approval.rejected":
      return event.hash === request.hash && (request.expiresAt === undefined || event.at < request.expiresAt);
    case "approval.expired":
      return event.hash === request.hash;
    default:
      return true;
  }
}

/** The answer to the newest request at this path, or undefined. */
export async function lastAnswer(asker: RunRow, path: string, store: Store): Promise<Answered | undefined> {
  let last: Answered | undefined;
  await store.journal.each(asker.id, 1, (event) => {
    if (!("path" in event) || event.path !== path) return;
    if (event.type === "approval.granted" || event.type === "approval.rejected" || event.type === "approval.expired")
      last = event;
    else if (event.type === "approval.requested") last = undefined;
  });
  return last;
}

/** Number of the newest runs that are searched for the last approval. */
const RUNS_COMPARED = 20;

/** The approvals that were read already, by run: several requests look for earlier ones in the same runs. */
export type KnownApprovals = Map<string, RunEvent[]>;

/** The last approval at this node of this workflow file: in this run, or in a newest one, even if that began later. */
export async function lastApproved(
  pending: Pending,
  store: Store,
  known: KnownApprovals = new Map(),
): Promise<{ at: string; by: string; request: Requested; edited?: string } | undefined> {
  const { asker, request } = pending;
  const newest = await store.journal.listRuns({ workflow: asker.file, children: "all", limit: RUNS_COMPARED });
  const others = newest.ok ? newest.value.runs.filter(({ id }) => id !== asker.id) : [];
  let last: Awaited<ReturnType<typeof lastApproved>>;
  for (const row of [asker, ...others]) {
    const asked = new Map<string, Requested>();
    for (const event of await approvalsOf(row.id, store, known)) {
      if (event.type === "approval.requested" && event.node === request.node) asked.set(event.hash, event);
      if (event.type !== "approval.granted" || event.node !== request.node) continue;
      const about = asked.get(event.hash);
      if (about === undefined || (last !== undefined && last.at > event.at)) continue;
      last = { at: event.at, by: event.by, request: about, edited: event.edited };
    }
  }
  return last;
}

async function approvalsOf(run: string, store: Store, known: KnownApprovals): Promise<readonly RunEvent[]> {
  const read = known.get(run);
  if (read !== undefined) return read;
  const found: RunEvent[] = [];
  await store.journal.each(run, 1, (event) => {
    if (event.type.startsWith("approval.")) found.push(event);
  });
  known.set(run, found);
  return found;
}

/** The text by which two requests are compared: the program with its values, and where it runs. */
export function comparedText({ rendered, stdin: input, cwd, sandbox, egress, timeout }: ApprovalDetail): string {
  const around = { folder: cwd, stdin: input?.sha256, sandbox, network: egress, "at most": timeout };
  const facts = Object.entries(around).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[rendered, ...facts].join("\n")}\n`;
}
