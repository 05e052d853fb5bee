// commands: the commands of a simulated world: a process that lasts a while and ends as the script says, watched or
// not.
//   C1. Before a process starts, its `attempt.started` must be on disk, and a node that needs approval must have it.
//   C2. A process of an earlier life is found as a runner would find it: alive, ended, never started, or lost after a
//       power cut.

import type { Failure } from "../../src/base/failure.ts";
import type { Now } from "../../src/base/now.ts";
import { err, ok, type Result } from "../../src/base/result.ts";
import type { NodeContext } from "../../src/kinds/context.ts";
import type { Attempt, AttemptEnding, Prepared } from "../../src/kinds/executor.ts";
import { type Kinds, kindsOf } from "../../src/kinds/index.ts";
import type { ChildRuns } from "../../src/kinds/subflow/index.ts";
import { absent } from "../../src/kinds/template.ts";
import type { Tools } from "../../src/kinds/tools.ts";
import { valueText } from "../../src/kinds/values.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { WorkflowNode } from "../../src/workflow/model.ts";
import type { Drawing } from "../scheduler/drawing.ts";
import { asker, failureOf, hash, outcomeOf, product } from "../scheduler/script.ts";
import type { Disk } from "./disk.ts";
import { evaluatorOf } from "./document.ts";
import { Dead, type Life, type Process, type World } from "./world.ts";

const LASTS_MS = 3_000;
type Cli = Extract<WorkflowNode, { type: "cli" }>;
/** Like the runner's answers (kinds/executor.ts). */
interface Before {
  stem: string;
}

export function kindsIn(
  world: World,
  disk: Disk,
  drawing: Drawing,
  life: Life,
): (tools: Tools, children: ChildRuns) => Kinds {
  const evaluator = evaluatorOf(drawing);
  const prepare = (node: Cli, context: NodeContext): Now<Result<Prepared, Failure>> => {
    const { id } = context.run;
    const path = pathOf(node, context);
    const drawn = drawing.nodes.find((one) => one.id === path.split("[", 1)[0]);
    const asks = context.path === path && drawn !== undefined && asker(drawing, drawn, path) === "found";
    const missing = missingIn(node, context);
    if (missing !== undefined) return err(missing);
    const seen = seenBy(node, context);
    return ok({
      shown: { command: node.data.content },
      ...(asks ? { asks: [{ code: "drawn", message: "It is drawn so." }] } : {}),
      binding: async () => ({ detail: { command: node.data.content, rendered: seen, values: [] }, bound: { seen } }),
      start: (stem) => start(node, context, id, stem, seen),
    });
  };

  function start(node: Cli, context: NodeContext, run: string, stem: string, seen: string): Attempt {
    // Killed before the process exists.
    world.step(life);
    const events = read(disk, run);
    const started = events.findLast((event) => event.type === "attempt.started" && event.path === context.path);
    if (started?.type !== "attempt.started" || String(started.seq) !== stem) {
      world.broken.push(`${context.path}: a process begins, and its attempt.started is not on the disk`);
      throw new Error("not on record");
    }
    checkStart(node, context.path, started.number, events);
    const path = pathOf(node, context);
    const ending = endingOf(node, path, started.number, seen);
    const lastsMs = 1 + (hash(`${drawing.seed} lasts ${run} ${context.path} ${started.number}`) % LASTS_MS);
    world.launch({ run, stem, path: context.path, number: started.number, ending, life }, lastsMs);
    // Killed when it exists and before this is known.
    world.step(life);
    return attemptOf(world.processes.get(`${run} ${stem}`)!);
  }

  function checkStart(node: Cli, path: string, number: number, events: readonly RunEvent[]): void {
    const own = events.filter((event) => "path" in event && event.path === path);
    const passed = own.findLastIndex((event) => event.type === "attempt.started");
    const before = own.slice(0, passed);
    const last = before.findLast(({ type }) => type.startsWith("attempt.") && type !== "attempt.started");
    if (last?.type === "attempt.succeeded") world.broken.push(`${path} #${number} begins after it has succeeded`);
    if (last !== undefined && "retryAt" in last && last.retryAt !== undefined && Date.parse(last.retryAt) > world.nowMs)
      world.broken.push(`${path} #${number} begins before its retry time`);
    if (node.data.needsUserApproval !== true) return;
    const request = before.findLast(({ type }) => type === "approval.requested");
    const grant = before.findLast(({ type }) => type === "approval.granted");
    if (request?.type !== "approval.requested" || grant?.type !== "approval.granted" || grant.hash !== request.hash)
      world.broken.push(`${path} #${number} starts without approval`);
  }

  /** The script's name for a node of a subflow: the node that runs it. */
  function pathOf(_node: Cli, context: NodeContext): string {
    const at = context.inputs.at;
    if (typeof at !== "string") return context.path;
    const [id = "", ...counters] = at.split("|");
    return id + counters.map((counter) => `[${Number(counter) - 1}]`).join("");
  }

  function endingOf(node: Cli, path: string, number: number, seen: string): AttemptEnding {
    const drawn = drawing.nodes.find(({ id }) => id === path.split("[", 1)[0])!;
    const facts = { durationMs: 1, exitCode: 0 };
    const value = { text: product(node.id, [seen]) };
    const outcome = node.id === "first" ? "ok" : outcomeOf(drawing, drawn, path);
    if (outcome === "ok" || (outcome === "retry" && number > 1)) return { status: "succeeded", value, facts };
    if (outcome === "lost" && drawn.type === "cli") return { status: "lost" };
    const failure = failureOf(outcome === "retry" ? "fail" : outcome);
    if (outcome === "timeout") return { status: "timed-out", failure, value, facts: { durationMs: 1 } };
    return { status: "failed", failure, value, facts: { durationMs: 1, exitCode: 1 } };
  }

  function attemptOf(process: Process): Attempt {
    const { promise: done, resolve } = Promise.withResolvers<AttemptEnding>();
    if (process.state === "ended") resolve(process.ending);
    else process.settle = resolve;
    const stop = (): void => {
      if (life.alive) world.end(process, { status: "cancelled", facts: { durationMs: 1 } });
    };
    return { done, cancel: stop, kill: stop };
  }

  /** C2. */
  function find(node: WorkflowNode, context: NodeContext, before: Before) {
    if (node.type !== "cli") return undefined;
    const process = world.processes.get(`${context.run.id} ${before.stem}`);
    const nothing = { cancel: () => {}, kill: () => {} };
    if (process === undefined || process.state === "gone") {
      const status = process === undefined ? ("not-started" as const) : ("lost" as const);
      return { ...nothing, done: Promise.resolve({ status }), found: Promise.resolve({ adopted: false, keeps: [] }) };
    }
    return { ...attemptOf(process), found: Promise.resolve({ adopted: process.state === "running", keeps: [] }) };
  }

  return (tools, children) => {
    const real = kindsOf({ ...tools, evaluator }, children);
    world.adopts = "find" in real;
    return {
      ...real,
      prepare: (node, context) => {
        if (!life.alive) throw new Dead();
        return node.type === "cli" ? prepare(node, context) : real.prepare(node, context);
      },
      find,
    } as Kinds;
  };
}

/** All that the node sees, as text. */
function seenBy(node: Cli, context: NodeContext): string {
  const text = (value: Parameters<typeof valueText>[0]): string => {
    const read = valueText(value, context.files, 1_000_000);
    if (read instanceof Promise || !read.ok) throw new Error("a value that is not text");
    return read.value;
  };
  const parents = context.parents().map((parent) => (parent.live ? text(parent.value) : "-"));
  const loops = Object.entries(context.loop()).map(([name, value]) => `${name}=${text(value)}`);
  const names = [...node.data.content.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => {
    const value = context.variable(name) ?? valueOfNode(name, context);
    return `${name}=${value === undefined ? "" : text(value)}`;
  });
  return [...parents, ...names, ...loops.sort()].join(",");
}

/** As the real kind: a command that names a node without a value does not start. */
function missingIn({ data }: Cli, context: NodeContext): Failure | undefined {
  const named = [...data.content.matchAll(/\$\{(\w+)\}/g)].map(([, id = ""]) => ({
    id,
    found: context.node(id, true),
  }));
  const input = data.stdin?.source === "node" ? (data.stdin.node ?? "") : undefined;
  for (const { id, found } of input === undefined ? named : [{ id: input, found: context.node(input) }, ...named])
    if (found !== undefined && "absent" in found) return absent({ root: id, members: [] }, found.absent);
  return undefined;
}

function valueOfNode(id: string, context: NodeContext) {
  const found = context.node(id);
  return found !== undefined && "value" in found ? found.value : undefined;
}

export function read(disk: Disk, run: string): RunEvent[] {
  const events = disk.journal.read(run);
  return events.ok ? events.value : [];
}
