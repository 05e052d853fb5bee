// dispatch: hands runs to the machines of a cluster. DBOS is the queue (spec 6, ADR 103).
//   M9. The name of an entry begins with the run. Adding the same entry again changes nothing. Recorded runs without
//       an entry are found (ORPHANS) and added.
//   D1. Each machine is an executor with its name, and all have the same pinned version: a machine takes no other's work.
//   D2. DBOS' tables are made by `db init` only: two processes that make them at once collide.
//   D3. DBOS gets a pool from us, because a connection of DBOS that breaks at once ends the process (store/postgres C4).
//   D4. Queues are asked one after the other, and give a machine at most as many runs as it has free slots. A machine
//       also asks when a message says that a run was queued, and after a run: DBOS alone asks from time to time only.
// Deliberately absent: what a run does, and whether it may be driven here. `drive` decides it.

import { AsyncResource } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import { runWithAbortableDbRetries } from "@dbos-inc/dbos-sdk/internal/context";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { migrateSystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { type WorkflowQueue, wfQueueRunner } from "@dbos-inc/dbos-sdk/internal/wfqueue";
import { limits } from "../../base/limits.ts";
import { type Connection, dialedUrl, listen, poolFor } from "../../store/postgres/index.ts";

/** Changes only if the arguments of an entry do. */
const ENTRIES = "1";
const WORKFLOW = "run";
const SCHEMA = "curlew_queue";
const APPLICATION = "curlew";
const CONNECTIONS = 10;
/** The channel of NOTIFY. */
const QUEUED = "curlew_queued";
const FINISHED_KEPT_MS = 86_400_000;

/**
 * M9. Runs that wait for a machine, and have no entry. An entry that was taken (PENDING) does not count, because the
 * answer to the taking may have been lost. A run that has begun waits too when its machine could not continue it. The
 * parent looks after a subflow that has begun.
 */
export const ORPHANS = `SELECT r.id FROM curlew.runs r
  WHERE r.owner_token IS NULL AND r.ended_at IS NULL
    AND (r.status = 'queued' OR (r.parent IS NULL AND r.status <> 'waiting')) AND NOT EXISTS (
    SELECT 1 FROM ${SCHEMA}.workflow_status w WHERE w.workflow_uuid >= r.id AND w.workflow_uuid < r.id || '~'
      AND w.status IN ('ENQUEUED', 'DELAYED'))`;

/**
 * M9. Runs at rest whose next step was not asked for: the process that recorded a decision, or put the run to rest, died
 * before it added the entry. Also claims for a decision, which have no machine and last for a moment.
 */
export const STALLED = `SELECT r.id, r.owner_token, r.last_seq FROM curlew.runs r
  JOIN curlew.events e ON e.run = r.key AND e.seq = r.last_seq
  WHERE r.ended_at IS NULL AND r.owner_machine IS NULL AND (r.owner_token IS NOT NULL OR (r.status = 'waiting'
    AND substring(e.body FROM '"at":"([0-9TZ:.-]+)"')::timestamptz < clock_timestamp() - interval '2 s'
    AND (e.body ~ '"type":"approval.(granted|rejected)"' OR (r.parent IS NULL
      AND NOT (e.body LIKE '%"type":"approval.requested"%' AND e.body NOT LIKE '%"expiresAt":%')))
    AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.workflow_status w WHERE w.workflow_uuid >= r.id AND w.workflow_uuid < r.id || '~'
      AND (w.status IN ('ENQUEUED', 'DELAYED') OR (e.body !~ '"type":"approval.(granted|rejected)"'
        AND w.status <> 'PENDING' AND starts_with(w.workflow_uuid, r.id || '=' || r.last_seq || '+'))))))`;

/** Whether the run `r` came from a queue. */
export const CAME_FROM_QUEUE = `EXISTS (SELECT 1 FROM ${SCHEMA}.workflow_status w
  WHERE w.workflow_uuid >= r.id AND w.workflow_uuid < r.id || '~')`;

/** DBOS keeps finished entries for ever. */
export const FINISHED = `DELETE FROM ${SCHEMA}.workflow_status WHERE name = '${WORKFLOW}'
  AND completed_at < extract(epoch FROM clock_timestamp()) * 1000 - ${FINISHED_KEPT_MS}`;

export interface Entry {
  /** The run's id, and its epoch. */
  id: string;
  run: string;
  queue: string;
  delayMs?: number;
}

export interface Dispatch {
  add(entry: Entry): Promise<void>;
  /** Entries that a dead machine had taken go back to their queues. Only for a receiver. */
  recover(machine: string): Promise<void>;
  /** There is room again. */
  look(): void;
  /** Takes nothing more. Does not wait for what is under way. */
  close(): Promise<void>;
}

/** Nothing of DBOS is printed: what matters to a person is in our own log. */
const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };

/** D2. */
export function prepareQueues(url: string): Promise<void> {
  // DBOS.migrate prints.
  type Logger = Parameters<typeof migrateSystemDatabase>[1];
  return migrateSystemDatabase(dialedUrl(url), silent as unknown as Logger, SCHEMA);
}

/** D3. */
function connected(url: string) {
  const pool = poolFor(url, CONNECTIONS);
  if (!pool.ok) throw new Error(pool.error.message);
  return { systemDatabaseUrl: dialedUrl(url), systemDatabaseSchemaName: SCHEMA, systemDatabasePool: pool.value };
}

/** Only adds entries. */
export async function openSender(url: string): Promise<Dispatch> {
  const database = connected(url);
  const pool = database.systemDatabasePool;
  const client = await DBOSClient.create({ ...database, logger: silent, applicationName: APPLICATION });
  return {
    add: async (entry) => {
      await add(client, entry);
      if (entry.delayMs === undefined) await pool.query("SELECT pg_notify($1, '')", [QUEUED]).catch(() => {});
    },
    recover: async () => {},
    look: () => {},
    close: async () => {
      await client.destroy();
      await pool.end();
    },
  };
}

/** Takes entries of these queues too, at most `room()` at a time. Use one per process. */
export async function openReceiver(
  { url, connection, room }: { url: string; connection: Connection; room(): number },
  { name, queues }: { name: string; queues: readonly string[] },
  drive: (run: string) => Promise<void>,
): Promise<Dispatch> {
  const database = connected(url);
  DBOS.setConfig({
    ...{ ...database, name: APPLICATION, executorID: name, applicationVersion: ENTRIES, listenQueues: [...queues] },
    logger: silent,
    runMigrations: false,
  });
  const asked: WorkflowQueue[] = [];
  // Those that only some machines can take come first.
  const look = lookWhenTold(asked, room);
  DBOS.registerWorkflow((run: string) => drive(run).finally(look), { name: WORKFLOW });
  // DBOS uses pg in a way that the next version of pg refuses. No one who sees Node's warning could change that.
  process.noDeprecation = true;
  const shutDown = async () => {
    await DBOS.shutdown({ deregister: true });
    await database.systemDatabasePool.end();
  };
  let sender: Dispatch;
  try {
    await DBOS.launch();
    for (const [place, queue] of queues.entries()) {
      const minPollingIntervalMs = place === 0 ? limits.queueLookMs : limits.labelQueueLookMs;
      asked.unshift(await DBOS.registerQueue(queue, { minPollingIntervalMs, onConflict: "always_update" }));
    }
    sender = await openSender(url);
  } catch (reason) {
    await shutDown().catch(() => {});
    throw reason;
  }
  const unlisten = listen(connection, QUEUED, look);
  return {
    add: sender.add,
    recover: async (machine) => void (await DBOSExecutor.globalInstance?.recoverPendingWorkflows([machine])),
    look,
    close: async () => {
      unlisten();
      await shutDown();
      await sender.close();
    },
  };
}

/** D4. Replaces how DBOS asks a queue. */
function lookWhenTold(queues: readonly WorkflowQueue[], room: () => number): () => void {
  const runner = wfQueueRunner as unknown as QueueRunner;
  const poll: QueueRunner["pollQueue"] = Object.getPrototypeOf(runner).pollQueue;
  let turn: Promise<unknown> = Promise.resolve();
  let isAsked = false;
  runner.pollQueue = (exec, queue) => {
    const asked = turn.then(() => {
      const free = room();
      if (free <= 0) return false;
      queue.workerConcurrency = exec.systemDatabase.countRunningWorkflowsForQueue(queue.name) + free;
      return poll.call(runner, exec, queue);
    });
    // A connection that never answers must not hold back the other queues, or the end of this machine.
    const bounded = Promise.race([asked, sleep(limits.databaseAnswerMs, false, { ref: false })]);
    turn = bounded.catch(() => {});
    return bounded;
  };
  /** Asks all queues, after the question that is under way. Bound: it is not part of the run whose end calls it. */
  return AsyncResource.bind((): void => {
    const exec = DBOSExecutor.globalInstance;
    if (isAsked || exec === undefined) return;
    isAsked = true;
    turn = turn.then(() => {
      isAsked = false;
    });
    // A look that waits for the database ends with DBOS.
    void runWithAbortableDbRetries(runner.abortController.signal, async () => {
      await Promise.allSettled(queues.map((queue) => runner.pollQueue(exec, queue)));
    });
  });
}

/** DBOS' dispatcher, as far as D4 uses it. Its version is pinned. */
interface QueueRunner {
  abortController: AbortController;
  /** Takes what there is room for. Whether another machine was in the way. */
  pollQueue(exec: DBOSExecutor, queue: WorkflowQueue): Promise<boolean>;
}

async function add(client: DBOSClient, { id, run, queue, delayMs }: Entry): Promise<void> {
  const delay = delayMs === undefined ? {} : { delaySeconds: delayMs / 1_000 };
  const entry = { queueName: queue, workflowName: WORKFLOW, workflowID: id, appVersion: ENTRIES, ...delay };
  await client.enqueue(entry, run);
}
