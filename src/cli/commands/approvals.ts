// approvals: lists and answers waiting approvals. An answer is recorded first; then the run continues here in the
// foreground.

import type { Failure } from "../../base/failure.ts";
import { namesHash, shortRunId } from "../../base/ids.ts";
import { visibleLine } from "../../base/visible.ts";
import { type Answer, alreadyAnswered, answered, giveAnswer, isWritten, type Mask } from "../../engine/answer.ts";
import { allPending, lastAnswer, type Pending, pendingOf, requestId } from "../../engine/pending.ts";
import type { RunSecrets } from "../../engine/run-secrets.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { card, differenceJson, reasons, times } from "../approval-view.ts";
import { clusterFor } from "../cluster.ts";
import { Exit } from "../exit.ts";
import { findOutermost, type HomeOption, homeOf, refuse, refused, withStore } from "../open.ts";
import { callServer, type FoundServer, serverOf } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";
import { columnsOf, cut, padEnd, shellWord, width } from "../text.ts";
import type { SecretOptions } from "./run.ts";

export interface AnswerOptions extends HomeOption, SecretOptions {
  detach?: boolean;
  json?: boolean;
  quiet?: boolean;
  reason?: string;
  edit?: boolean;
  hash?: string;
  /** All nodes of the run that wait now. */
  all?: boolean;
}

/** Lists all waiting approvals in short. For one run or node, shows all details. */
export async function approvals(
  run: string | undefined,
  node: string | undefined,
  options: HomeOption & { json?: boolean },
  terminal: Terminal,
): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const found = run === undefined ? await allPending(store) : await pendingAt(run, node, store, terminal);
    if (found === undefined) return Exit.USAGE;
    if (!found.ok) return refused(found.error, terminal);
    const waiting = found.value;
    if (options.json) terminal.json(await Promise.all(waiting.map((each) => asJson(each, store))), true);
    else if (waiting.length === 0) terminal.err("Nothing waits for an approval.\n");
    else if (run === undefined) list(waiting, terminal);
    else await cards(waiting, store, terminal);
    return Exit.OK;
  });
}

/** Undefined after a message on stderr. */
async function pendingAt(name: string, node: string | undefined, store: Store, terminal: Terminal) {
  const row = await findOutermost(name, store, terminal);
  if (row === undefined) return undefined;
  const waiting = await pendingOf(row.run, store);
  if (node === undefined) return { ok: true as const, value: waiting };
  const one = await findPending(`${row.prefix}${node}`, row.run, waiting, store, terminal);
  return one === undefined ? undefined : { ok: true as const, value: [one] };
}

async function asJson(pending: Pending, store: Store): Promise<object> {
  const { run, path, asker, requestedAt, request } = pending;
  const { node, path: askedPath, number, hash, reasons: why, prompt, expiresAt, onTimeout, again, detail } = request;
  return {
    run: run.id,
    workflow: run.name,
    file: run.file,
    node,
    path,
    requestedAt,
    expiresAt,
    onTimeout,
    number,
    hash,
    reasons: why,
    prompt,
    again,
    command: detail.command,
    detail,
    lastApproved: await differenceJson(pending, store),
    inside:
      asker.id === run.id ? undefined : { run: asker.id, path: askedPath, workflow: asker.name, file: asker.file },
  };
}

/** The node, the workflow's question, the reason, and the command. */
function list(waiting: readonly Pending[], terminal: Terminal): void {
  const style = terminal.outStyle;
  const nowMs = Date.now();
  const columns = columnsOf(terminal.outStream, Number.POSITIVE_INFINITY);
  const wide = Math.min(40, Math.max(...waiting.map(({ path }) => width(visibleLine(path)))));
  const lines = waiting.flatMap((pending) => {
    const { run, path, request } = pending;
    const [first = "", ...more] = request.detail.rendered.trim().split("\n");
    const command = `${visibleLine(first)}${more.length === 0 ? "" : " …"}`;
    const name = padEnd(visibleLine(path), wide);
    return [
      `${shortRunId(run.id)}  ${style("strong", name)}  ${visibleLine(run.name)}, ${times(pending, nowMs)}`,
      ...(request.prompt === undefined ? [] : [cut(`  asks ${visibleLine(request.prompt)}`, columns)]),
      cut(`  why  ${reasons(request).join("; ")}`, columns),
      cut(`  runs ${command}`, columns),
    ];
  });
  terminal.out(`${lines.join("\n")}\n`);
  terminal.err("See all of it: curlew approvals RUN NODE. Answer: curlew approve NODE, or curlew reject NODE\n");
}

async function cards(waiting: readonly Pending[], store: Store, terminal: Terminal): Promise<void> {
  const columns = columnsOf(terminal.outStream, Number.POSITIVE_INFINITY);
  const view = { style: terminal.outStyle, columns, linesMax: Number.POSITIVE_INFINITY, nowMs: Date.now() };
  for (const [index, pending] of waiting.entries()) {
    const { run, path, request } = pending;
    terminal.out(`${index === 0 ? "" : "\n"}${await card(pending, store, view)}`);
    const words = `${shortRunId(run.id)} ${shellWord(path)}`;
    terminal.err(`Approve exactly this: curlew approve ${words} --hash ${request.hash.slice(0, 12)}\n`);
  }
}

export async function approve(names: readonly string[], options: AnswerOptions, terminal: Terminal): Promise<Exit> {
  return answerEach(names, options, terminal, async (pending, store, hide) => {
    const asks = terminal.isInteractive() && !options.quiet && !options.json;
    if (asks) {
      const { inlineView } = await import("../ask.ts");
      if (options.hash === undefined) terminal.err(await card(pending, store, inlineView(terminal)));
    }
    let change: { edited?: string } = {};
    if (options.edit) {
      const { editCommand } = await import("../edit.ts");
      const edited = await editCommand(pending, store, terminal, await hide());
      if (!edited.ok) return refused(edited.error, terminal);
      if (edited.value !== undefined) change = { edited: edited.value };
    }
    if (asks && (options.hash === undefined || options.edit)) {
      const { askLine, isYes } = await import("../ask.ts");
      const typed = await askLine(
        change.edited === undefined ? "Approve it? [y/N] " : "Approve it changed like this? [y/N] ",
        terminal,
      );
      if ("gone" in typed && typed.gone === "interrupted") return Exit.INTERRUPTED;
      if ("gone" in typed || !isYes(typed.text)) {
        terminal.err("Nothing was approved, and the node is still waiting.\n");
        return Exit.WAITING;
      }
    }
    return { grant: true, ...change };
  });
}

export async function reject(names: readonly string[], options: AnswerOptions, terminal: Terminal): Promise<Exit> {
  return answerEach(names, options, terminal, async () => ({ grant: false, reason: options.reason ?? "" }));
}

/** Returns the answer, or an exit code if nothing is to be recorded. */
type Decide = (pending: Pending, store: Store, hide: () => Promise<Mask>) => Promise<Answer | Exit>;

/** All are found before the first is answered. A run continues after the last of its answers. */
async function answerEach(
  names: readonly string[],
  options: AnswerOptions,
  terminal: Terminal,
  decide: Decide,
): Promise<Exit> {
  let targets: Target[] = [];
  const code = await withStore({ ...options, writes: true }, terminal, async (store) => {
    const found = await (options.all ? allOf(names, store, terminal) : targetsOf(names, store, terminal));
    if (found === undefined) return Exit.USAGE;
    if (found.length > 1 && (options.edit || options.hash !== undefined))
      return refuse(terminal, "too-many-arguments", "--edit and --hash belong to one node.", "Name one node.");
    targets = found;
    return Exit.OK;
  });
  let worst = code;
  for (const [index, { run, node }] of targets.entries()) {
    const isMore = targets.slice(index + 1).some((later) => later.run === run);
    const exit = await answer(run, node, { ...options, isMore }, terminal, decide);
    if (exit === Exit.INTERRUPTED) return exit;
    if (exit !== Exit.OK) worst = exit;
  }
  return worst;
}

interface Target {
  run: string;
  node: string;
}

/** Undefined after a message on stderr. */
async function allOf(
  [name = "", ...nodes]: readonly string[],
  store: Store,
  terminal: Terminal,
): Promise<Target[] | undefined> {
  const row = nodes.length === 0 ? (await findOutermost(name, store, terminal))?.run : undefined;
  if (nodes.length > 0)
    refuse(terminal, "too-many-arguments", "--all belongs to a run, not to nodes.", "Name only the run.");
  const waiting = row && (await pendingOf(row, store));
  if (row !== undefined && waiting?.length === 0) refused(await notWaiting("", row, waiting, store), terminal);
  return waiting?.length ? waiting.map(({ path }) => ({ run: name, node: path })) : undefined;
}

/** `RUN NODE…`, or nodes alone if each waits in only one run. Undefined after a message on stderr. */
async function targetsOf(
  [first = "", ...rest]: readonly string[],
  store: Store,
  terminal: Terminal,
): Promise<Target[] | undefined> {
  const waiting = await allPending(store);
  if (!waiting.ok) return terminal.problem(waiting.error);
  const at = (node: string) => waitingAt(node, waiting.value);
  if (rest.length > 0 && (at(first).length === 0 || (await store.journal.findRun(first)).ok))
    return rest.map((node) => ({ run: first, node }));
  const targets: Target[] = [];
  for (const node of [first, ...rest]) {
    const [one, ...others] = at(node);
    if (one === undefined || others.length > 0) return terminal.problem(notOne(node, at(node), waiting.value));
    targets.push({ run: one.run.id, node: one.path });
  }
  return targets;
}

function notOne(node: string, found: readonly Pending[], waiting: readonly Pending[]): Failure {
  const shown = (found.length > 0 ? found : waiting)
    .slice(0, 8)
    .map(({ run, path }) => `curlew approve ${shortRunId(run.id)} ${shellWord(path)}`);
  const paths = waiting.map(({ path }) => path);
  return {
    code: "not-waiting",
    message:
      found.length > 0
        ? `"${node}" waits for an approval in ${placesOf(found)}.`
        : `No node "${node}" waits for an approval.${didYouMean(node, paths)}`,
    hint: shown.length === 0 ? "Nothing waits for an approval." : `Name the run: ${shown.join(", or ")}`,
  };
}

/** The requests of this path, or of the node's iterations. */
function waitingAt(path: string, waiting: readonly Pending[]): Pending[] {
  const exact = waiting.filter((each) => each.path === path);
  return exact.length > 0 ? exact : waiting.filter((each) => each.path.replaceAll(/\[\d+\]/g, "") === path);
}

function placesOf(found: readonly Pending[]): string {
  const runs = new Set(found.map(({ run }) => run.id)).size;
  return runs === 1 ? `${found.length} iterations` : `${runs} runs`;
}

async function answer(
  name: string,
  node: string,
  options: AnswerOptions & { isMore: boolean },
  terminal: Terminal,
  decide: Decide,
): Promise<Exit> {
  const isGiven = options.envFile !== undefined || options.secret !== undefined;
  const server = await serverOf(homeOf(options, terminal));
  let runToContinue: string | undefined;
  let isThere = false;
  let lastSeq = 0;
  let found: RunSecrets | undefined;
  const code = await withStore(options, terminal, async (store) => {
    const row = await findOutermost(name, store, terminal);
    if (row === undefined) return Exit.USAGE;
    const waiting = await pendingOf(row.run, store);
    const pending = await findPending(`${row.prefix}${node}`, row.run, waiting, store, terminal);
    if (pending === undefined) return Exit.USAGE;
    if (options.hash !== undefined && !namesHash(options.hash, pending.request.hash))
      return refused(alreadyAnswered(pending.path, row.run.id), terminal);
    // Secrets needed to resume are resolved before the question, so a missing one is found before an answer is
    // recorded.
    const { secretsForRun } = await import("./run.ts");
    const isElsewhere = !isGiven && (options.detach || server !== undefined);
    const secrets = isElsewhere ? undefined : await secretsForRun(row.run.id, options, terminal);
    if (typeof secrets === "number") return secrets;
    found = secrets;
    const hide = async (): Promise<Mask> => {
      const { maskForAnswer } = await import("../../engine/mask-of-answer.ts");
      return maskForAnswer(pending, { store, home: homeOf(options, terminal), env: terminal.env, found });
    };
    const decided = await decide(pending, store, hide);
    if (typeof decided === "number") return decided;
    const given = await giveAnswer(pending, decided, store, isWritten(decided) ? await hide() : (text) => text);
    isThere = !given.ok && given.error.code === "run-claimed" && server !== undefined;
    if (isThere) {
      const exit = await answerThere(pending, decided, server!, terminal);
      if (exit !== undefined) return exit;
    } else if (!given.ok) return refused(given.error, terminal);
    runToContinue = row.run.id;
    const last = await store.journal.lastSeq(runToContinue);
    lastSeq = last.ok ? last.value : 0;
    return Exit.OK;
  });
  if (runToContinue === undefined) return code;
  // The last answer of the run continues it.
  if (options.isMore) return code;
  if (isThere || (server !== undefined && !options.detach && !isGiven)) {
    // A running server notices the answer itself. The call makes it resume the run without waiting.
    if (!isThere) await server!.call("POST", `/runs/${runToContinue}/resume`);
    terminal.err(`Recorded. The server continues run ${shortRunId(runToContinue)}.\n`);
    return Exit.OK;
  }
  if (options.detach) {
    const cluster = await clusterFor(options, homeOf(options, terminal), terminal);
    if (cluster.ok && cluster.value !== undefined) {
      const { leaveRun } = await import("../../app/cluster.ts");
      await leaveRun(cluster.value, runToContinue, lastSeq);
      terminal.err(`Recorded. A machine with a free slot continues run ${shortRunId(runToContinue)}.\n`);
      return Exit.OK;
    }
    terminal.err(`Recorded. To continue the run: curlew runs resume ${shortRunId(runToContinue)}\n`);
    return Exit.OK;
  }
  const { resume } = await import("./run.ts");
  return resume(runToContinue, { ...options, answered: lastSeq, found }, terminal);
}

/** Sends the answer to the server that owns the run, or returns an exit code. */
async function answerThere(
  pending: Pending,
  given: Answer,
  server: FoundServer,
  terminal: Terminal,
): Promise<Exit | undefined> {
  const { grant, ...body } = given;
  const answer = await callServer(
    server,
    "POST",
    `/approvals/${requestId(pending)}/${grant ? "grant" : "reject"}`,
    body,
  );
  if ("body" in answer) return undefined;
  return refused(answer.problem, terminal);
}

/** Undefined after a message on stderr. */
async function findPending(
  path: string,
  run: RunRow,
  waiting: readonly Pending[],
  store: Store,
  terminal: Terminal,
): Promise<Pending | undefined> {
  const found = waitingAt(path, waiting);
  if (found.length === 1) return found[0];
  return terminal.problem(await notWaiting(path, run, waiting, store));
}

async function notWaiting(path: string, run: RunRow, waiting: readonly Pending[], store: Store): Promise<Failure> {
  const several = waitingAt(path, waiting);
  const paths = (several.length > 0 ? several : waiting).map((each) => each.path);
  const last = paths.length === 0 || !paths.includes(path) ? await lastAnswer(run, path, store) : undefined;
  const before = last === undefined ? "" : ` any more: ${answered(last, Date.now())}`;
  const shown = paths.slice(0, 20).join(", ");
  return {
    code: "not-waiting",
    message:
      several.length > 0
        ? `"${path}" of run ${run.id} waits for an approval in ${placesOf(several)}.`
        : `"${path}" of run ${run.id} does not wait for an approval${before}.${last === undefined ? didYouMean(path, paths) : ""}`,
    hint:
      paths.length === 0
        ? "Nothing of this run waits for an approval."
        : `Waiting: ${shown}${paths.length > 20 ? ` and ${paths.length - 20} more` : ""}.`,
  };
}
