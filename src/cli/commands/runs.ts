// runs: the commands about the run history: list, show, cancel, rm.

import { shortRunId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import { oneLine } from "../../base/text.ts";
import { duration } from "../../base/time-text.ts";
import { cancelElsewhere, requestCancel as recordCancel } from "../../engine/answer.ts";
import { type FailureIn, failureIn } from "../../engine/failure-in.ts";
import { outermostOf, pendingOf } from "../../engine/pending.ts";
import { mayBeAlive } from "../../engine/recovery/owner.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import { RUN_STATUSES } from "../../scheduler/statuses.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { engineFor } from "../cluster.ts";
import { Exit } from "../exit.ts";
import { type Cell, printList } from "../list.ts";
import { findRun, type HomeOption, homeOf, refuse, refused, withStore } from "../open.ts";
import { problem } from "../problem.ts";
import { STATUS_LOOKS } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import { localTime } from "../text.ts";

/** The list shows it for runs with the status `running` whose program is gone. */
const INTERRUPTED = "interrupted";

export interface ListOptions extends HomeOption {
  limit: number;
  workflow?: string;
  status?: string;
  tests?: boolean;
  json?: boolean;
}

export async function list(options: ListOptions, terminal: Terminal): Promise<Exit> {
  const { status, tests } = options;
  const known = [...RUN_STATUSES, INTERRUPTED];
  if (status !== undefined && !known.includes(status))
    return refuse(
      terminal,
      "unknown-status",
      `Unknown status "${status}".${didYouMean(status, known)}`,
      `Known statuses: ${known.join(", ")}.`,
    );
  const isInterrupted = status === INTERRUPTED;
  return withStore(options, terminal, async (store) => {
    const page = await store.journal.listRuns({
      limit: isInterrupted ? limits.runsListedMax : options.limit,
      workflow: options.workflow,
      status: isInterrupted ? "running" : (status as RunStatus | undefined),
      tests: tests === true,
    });
    if (!page.ok) return refused(page.error, terminal);
    const rows = isInterrupted ? page.value.runs.filter(isLost).slice(0, options.limit) : page.value.runs;
    const runs = rows.map(async (row) => ({
      row,
      failure: await failureIn(row, store.journal),
      first: options.json ? await store.journal.read(row.id, 1, 1) : undefined,
    }));
    printList(
      await Promise.all(runs),
      {
        json: options.json,
        empty: "No runs yet. Start one: curlew run FILE",
        head: ["RUN", "STATUS", "STARTED", "TIME", "KIND", "WORKFLOW"],
        row: cellsOf,
        toJson: listed,
      },
      terminal,
    );
    if (page.value.next !== undefined && !options.json) terminal.err("There are more. To see them, use --limit.\n");
    tellDamaged(page.value.damaged ?? [], terminal);
    return Exit.OK;
  });
}

function tellDamaged(ids: readonly string[], terminal: Terminal): void {
  for (const id of ids)
    terminal.problem(
      problem(
        "record-damaged",
        `The index entry of run ${id} is damaged, so the run is not listed.`,
        '"curlew doctor --store" says more.',
      ),
      "warning",
    );
}

interface Shown {
  row: RunRow;
  failure: FailureIn | undefined;
  /** Its first event. */
  first: Result<RunEvent[], unknown> | undefined;
}

/** A run as in `runs show --json`, without nodes (spec 2.7). */
function listed({ row, failure, first }: Shown): object {
  const started = first?.ok ? first.value[0] : undefined;
  const rerun = started?.type === "run.started" ? started.again : undefined;
  return {
    id: row.id,
    workflow: row.name,
    file: row.file,
    status: row.status,
    trigger: row.trigger,
    kind: row.kind,
    inputs: started?.type === "run.started" ? started.inputs : {},
    again: rerun && { run: rerun.run, from: rerun.from },
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    durationMs: row.endedAt === undefined ? undefined : Date.parse(row.endedAt) - Date.parse(row.startedAt),
    waiting: row.waiting > 0 ? row.waiting : undefined,
    failure,
  };
}

function cellsOf({ row, failure }: Shown): Cell[] {
  const { endedAt, startedAt } = row;
  const status = isLost(row) ? INTERRUPTED : row.status;
  return [
    shortRunId(row.id),
    { look: STATUS_LOOKS[status] ?? "strong", text: status },
    localTime(startedAt),
    endedAt === undefined ? "" : duration(Date.parse(endedAt) - Date.parse(startedAt)),
    row.kind,
    `${oneLine(row.name)}${again(row)}${failed(failure)}`,
  ];
}

/** It has not ended, and its program is gone. */
function isLost({ endedAt, status, owner }: RunRow): boolean {
  return endedAt === undefined && status === "running" && !(owner && mayBeAlive(owner));
}

/** The run whose results this one reuses. */
function again({ trigger }: RunRow): string {
  const other = /^(?:retry of|from [^ ]+, by) ([0-9a-z]+)$/.exec(trigger.by ?? "")?.[1];
  return other === undefined ? "" : ` (again, after ${shortRunId(other)})`;
}

/** The failing node and the full reason, however long. */
function failed(at: Shown["failure"]): string {
  return at === undefined ? "" : `  ${oneLine(`${at.path}: ${at.failure.message}`)}`;
}

export async function show(name: string, options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const row = await findRun(name, store, terminal);
    if (row === undefined) return Exit.USAGE;
    const { readRun } = await import("../../engine/read-run.ts");
    const { showText } = await import("../show.ts");
    const shown = await readRun(row, store);
    if (!shown.ok) return refused(shown.error, terminal);
    if (options.json) terminal.json(shown.value, true);
    else {
      const { approvalLines } = await import("../show-approvals.ts");
      const approvals = await approvalLines(shown.value.nodes, terminal.outStyle);
      const alive = row.owner !== undefined && mayBeAlive(row.owner);
      const waiting = (await pendingOf(row, store)).map(({ path }) => path);
      terminal.out(showText(shown.value, terminal.outStyle, { alive, approvals, waiting }));
    }
    return Exit.OK;
  });
}

/** How long to wait for a cancelled run to end in an orderly way. */
const CANCEL_PATIENCE_MS = 30_000;
const POLL_MS = 50;

export async function cancel(name: string, options: HomeOption, terminal: Terminal): Promise<Exit> {
  let orphan: string | undefined;
  const code = await withStore({ ...options, writes: true }, terminal, async (store) => {
    const named = await findRun(name, store, terminal);
    if (named === undefined) return Exit.USAGE;
    if (named.endedAt !== undefined)
      return refuse(terminal, "run-ended", `Run ${named.id} has already ended (${named.status}).`);
    const row = (await outermostOf(named, store))?.run ?? named;
    if (row.owner !== undefined && mayBeAlive(row.owner)) return endElsewhere(row, options, store, terminal);
    orphan = row.id;
    return requestCancel(row, store, terminal);
  });
  return code === Exit.OK && orphan !== undefined ? settleCancelled(orphan, options, terminal) : code;
}

/** Asks the server to cancel its run. Any other owner gets a signal. */
async function endElsewhere(row: RunRow, options: HomeOption, store: Store, terminal: Terminal): Promise<Exit> {
  const { serverAtWork } = await import("../server-call.ts");
  const server = await serverAtWork(row, homeOf(options, terminal));
  if (server === undefined) {
    const told = await cancelElsewhere(row, store);
    return told.ok ? watchEnd(row.id, store, terminal) : refused(told.error, terminal);
  }
  const { callServer, silentAbout } = await import("../server-call.ts");
  const answer = server === "silent" ? silentAbout(row.id) : await callServer(server, "POST", `/runs/${row.id}/cancel`);
  if ("body" in answer || answer.problem.code === "run-ended") return watchEnd(row.id, store, terminal);
  return refused(answer.problem, terminal);
}

/** Recorded before the run is resumed, so that no new node starts. */
async function requestCancel(row: RunRow, store: Store, terminal: Terminal): Promise<Exit> {
  const recorded = await recordCancel(row.id, "curlew runs cancel", store);
  return recorded.ok ? Exit.OK : refused(recorded.error, terminal);
}

async function settleCancelled(id: string, options: HomeOption, terminal: Terminal): Promise<Exit> {
  const engine = await engineFor(options, { home: homeOf(options, terminal), env: terminal.env }, terminal);
  if (!engine.ok) return refused(engine.error, terminal);
  try {
    const handle = await engine.value.resume(id, { withoutSecrets: true });
    if (!handle.ok) return refused(handle.error, terminal);
    const outcome = await handle.value.done;
    terminal.err(`Run ${shortRunId(id)} ${outcome.status}.\n`);
    return Exit.OK;
  } finally {
    await engine.value.close();
  }
}

async function watchEnd(id: string, store: Store, terminal: Terminal): Promise<Exit> {
  for (const until = Date.now() + CANCEL_PATIENCE_MS; Date.now() < until; ) {
    const now = await store.journal.findRun(id);
    if (now.ok && now.value.endedAt !== undefined) {
      terminal.err(`Run ${shortRunId(id)} ${now.value.status}.\n`);
      return Exit.OK;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  terminal.err(`Run ${shortRunId(id)} has not ended yet. To check it, run: curlew runs show ${shortRunId(id)}\n`);
  return Exit.OK;
}
