// runs: the commands about the run history: list, show, cancel, rm.

import { shortRunId } from "../../base/ids.ts";
import { oneLine } from "../../base/text.ts";
import { duration } from "../../base/time-text.ts";
import { cancelElsewhere, requestCancel as recordCancel } from "../../engine/answer.ts";
import { failureIn } from "../../engine/failure-in.ts";
import { outermostOf, pendingOf } from "../../engine/pending.ts";
import { isAlive } from "../../engine/recovery/owner.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import { RUN_STATUSES } from "../../scheduler/statuses.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { type Cell, printList } from "../list.ts";
import { findRun, type HomeOption, homeOf, refused, withStore } from "../open.ts";
import { problem } from "../problem.ts";
import type { Look } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import { localTime } from "../text.ts";

const LOOKS: Partial<Record<string, Look>> = {
  succeeded: "succeeded",
  failed: "failed",
  "timed-out": "failed",
  running: "running",
  waiting: "warning",
  cancelled: "warning",
};

export interface ListOptions extends HomeOption {
  limit: number;
  workflow?: string;
  status?: string;
  json?: boolean;
}

export async function list(options: ListOptions, terminal: Terminal): Promise<Exit> {
  const { status } = options;
  if (status !== undefined && !RUN_STATUSES.includes(status as RunStatus)) {
    return refused(
      problem(
        "unknown-status",
        `No status is called "${status}".${didYouMean(status, RUN_STATUSES)}`,
        `There are ${RUN_STATUSES.join(", ")}.`,
      ),
      terminal,
    );
  }
  return withStore(options, terminal, (store) => {
    const page = store.journal.listRuns({
      limit: options.limit,
      workflow: options.workflow,
      status: status as RunStatus | undefined,
    });
    if (!page.ok) return refused(page.error, terminal);
    const { runs } = page.value;
    printList(
      runs,
      {
        json: options.json,
        empty: "No runs yet. Start one: curlew run FILE",
        head: ["RUN", "STATUS", "STARTED", "TIME", "WORKFLOW"],
        row: (row) => cellsOf(row, store),
        toJson: (row) => listed(row, store),
      },
      terminal,
    );
    if (page.value.next !== undefined && !options.json) terminal.err("There are more; --limit shows them.\n");
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

/** A run as in `runs show --json`, without nodes (spec 2.7). */
function listed(row: RunRow, store: Store): object {
  const first = store.journal.read(row.id, 1, 1);
  const started = first.ok ? first.value[0] : undefined;
  const rerun = started?.type === "run.started" ? started.again : undefined;
  return {
    id: row.id,
    workflow: row.name,
    file: row.file,
    status: row.status,
    trigger: row.trigger,
    inputs: started?.type === "run.started" ? started.inputs : {},
    again: rerun && { run: rerun.run, from: rerun.from },
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    durationMs: row.endedAt === undefined ? undefined : Date.parse(row.endedAt) - Date.parse(row.startedAt),
    waiting: row.waiting > 0 ? row.waiting : undefined,
    ...failureIn(row, store.journal),
  };
}

function cellsOf(row: RunRow, store: Store): Cell[] {
  const { endedAt, startedAt, owner } = row;
  const isLost = endedAt === undefined && row.status === "running" && !(owner && isAlive(owner));
  const status = isLost ? "interrupted" : row.status;
  return [
    shortRunId(row.id),
    { look: LOOKS[status] ?? "strong", text: status },
    localTime(startedAt),
    endedAt === undefined ? "" : duration(Date.parse(endedAt) - Date.parse(startedAt)),
    `${oneLine(row.name)}${again(row)}${failed(row, store)}`,
  ];
}

/** The run whose results this one reuses. */
function again({ trigger }: RunRow): string {
  const other = /^(?:retry of|from [^ ]+, by) ([0-9a-z]+)$/.exec(trigger.by ?? "")?.[1];
  return other === undefined ? "" : ` (again, by ${shortRunId(other)})`;
}

/** The failing node and the full reason, however long. */
function failed(row: RunRow, store: Store): string {
  const { failure: at } = failureIn(row, store.journal);
  return at === undefined ? "" : `  ${oneLine(`${at.path}: ${at.failure.message}`)}`;
}

export async function show(name: string, options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const row = findRun(name, store, terminal);
    if (row === undefined) return Exit.USAGE;
    const { readRun } = await import("../../engine/read-run.ts");
    const { showText } = await import("../show.ts");
    const shown = await readRun(row, store);
    if (!shown.ok) return refused(shown.error, terminal);
    if (options.json) terminal.json(shown.value, true);
    else {
      const { approvalLines } = await import("../show-approvals.ts");
      const approvals = await approvalLines(shown.value.nodes, terminal.outStyle);
      const alive = row.owner !== undefined && isAlive(row.owner);
      const waiting = pendingOf(row, store).map(({ path }) => path);
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
  const code = await withStore(options, terminal, (store) => {
    const named = findRun(name, store, terminal);
    if (named === undefined) return Exit.USAGE;
    if (named.endedAt !== undefined) {
      return refused(problem("run-ended", `Run ${named.id} has ended already (${named.status}).`), terminal);
    }
    const row = outermostOf(named, store)?.run ?? named;
    if (row.owner !== undefined && isAlive(row.owner)) return endElsewhere(row, options, store, terminal);
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
    const told = cancelElsewhere(row, store);
    return told.ok ? watchEnd(row.id, store, terminal) : refused(told.error, terminal);
  }
  const { callServer, silentAbout } = await import("../server-call.ts");
  const answer = server === "silent" ? silentAbout(row.id) : await callServer(server, "POST", `/runs/${row.id}/cancel`);
  if ("body" in answer || answer.problem.code === "run-ended") return watchEnd(row.id, store, terminal);
  return refused(answer.problem, terminal);
}

/** Recorded before the run is resumed, so that no new node starts. */
function requestCancel(row: RunRow, store: Store, terminal: Terminal): Exit {
  const recorded = recordCancel(row.id, "curlew runs cancel", store);
  return recorded.ok ? Exit.OK : refused(recorded.error, terminal);
}

async function settleCancelled(id: string, options: HomeOption, terminal: Terminal): Promise<Exit> {
  const { openEngine } = await import("../../engine/index.ts");
  const engine = openEngine({ home: homeOf(options, terminal), env: terminal.env });
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
    const now = store.journal.findRun(id);
    if (now.ok && now.value.endedAt !== undefined) {
      terminal.err(`Run ${shortRunId(id)} ${now.value.status}.\n`);
      return Exit.OK;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  terminal.err(
    `Run ${shortRunId(id)} was asked to end and has not yet. "curlew runs show ${shortRunId(id)}" says how it goes.\n`,
  );
  return Exit.OK;
}
