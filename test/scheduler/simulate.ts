// simulate: a tiny engine over plan and evolve. It answers plan's requests from the script, in a random order.
//   M1. Every event is folded at once, and then plan is called again. Only the journal is remembered.
//   M2. The clock moves only when nothing else can happen, to the time that plan names.
//   M3. A crash drops the state and folds the journal from the start. Running attempts still run afterwards (adopted).

import { isDeepStrictEqual } from "node:util";
import type { Value } from "../../src/base/value.ts";
import type { Action } from "../../src/scheduler/action.ts";
import type { EventBody, RunEvent } from "../../src/scheduler/event.ts";
import { evolve } from "../../src/scheduler/evolve.ts";
import { plan } from "../../src/scheduler/plan.ts";
import {
  collectedCount,
  lookup,
  loopOpenAt,
  loopResult,
  loopVariables,
  parentsOf,
  passAt,
  placeAt,
  placeInPass,
  type ScopedNode,
  valueById,
} from "../../src/scheduler/scope.ts";
import { initialState, type RunState, stateAt } from "../../src/scheduler/state.ts";
import { analyze, type Graph } from "../../src/workflow/graph.ts";
import { type Drawing, type Drawn, needsValues, referredBy, workflowOf } from "./drawing.ts";
import {
  ABSENT,
  answerOf,
  asker,
  branchOf,
  budgetOf,
  failureOf,
  isCached,
  isChanged,
  itemOf,
  lastPassOf,
  outcomeOf,
  passesOf,
  product,
  restsOf,
} from "./script.ts";

export interface Options {
  /** 0 ≤ x < 1. Without it the first action is always taken and the oldest attempt ends first. */
  random?: () => number;
  /** Cancel after so many events. */
  cancelAfter?: number;
  timeoutAfter?: number;
  /** Crash before every event with this probability. */
  crashes?: number;
  eventsMax?: number;
  /** The event after `run.started` in a run that reuses another. */
  kept?: readonly EventBody[];
}

export interface Seen {
  status: string;
  value: string;
}

export interface Simulated {
  drawing: Drawing;
  graph: Graph;
  events: RunEvent[];
  state: RunState;
  /** Last status and value of every path, finished iterations included. */
  seen: Map<string, Seen>;
  /** Broken rules that hold at every moment: too many attempts, a request made twice, a refold that differs. */
  broken: string[];
}

const START_MS = Date.UTC(2026, 0, 1);
const END = { durationMs: 1 };
/** Gives answers that must change nothing. */
export const NOBODY = "nobody";
const SOMEBODY = { by: "somebody", door: "cli" };
const EXPIRY_MS = 5_000;

export function simulate(drawing: Drawing, options: Options = {}): Simulated {
  const { graph, problems } = analyze(workflowOf(drawing));
  if (problems.length > 0) throw new Error(`the drawing has problems: ${JSON.stringify(problems)}`);
  return new Simulation(drawing, graph, options).run();
}

/** The state after these events, from nothing. */
export function refold(graph: Graph, events: readonly RunEvent[]): RunState {
  let state = initialState(graph, { concurrencyDefault: 4 });
  for (const event of events) state = evolve(state, event);
  return state;
}

class Simulation {
  private readonly drawing: Drawing;
  private readonly graph: Graph;
  private readonly options: Options;
  private readonly drawn: Map<string, Drawn>;
  private readonly events: RunEvent[] = [];
  private readonly seen = new Map<string, Seen>();
  private readonly broken: string[] = [];
  /** Running attempts with their future results. */
  private readonly running = new Map<string, EventBody>();
  /** By path: suspended subflows, how often each was suspended, and the requests and grants for the next start. */
  private readonly resting = new Map<string, EventBody>();
  private readonly rested = new Map<string, number>();
  private readonly asked = new Map<string, { hash: string; number: number; granted: boolean; expires: boolean }>();
  private readonly changed = new Set<string>();
  /** The values kept for later runs, in the order of the events. */
  private readonly stored: Record<string, string> = {};
  private readonly lacked = new Map<string, number>();
  private state: RunState;
  private nowMs = START_MS;

  constructor(drawing: Drawing, graph: Graph, options: Options) {
    this.drawing = drawing;
    this.graph = graph;
    this.options = options;
    this.drawn = new Map(drawing.nodes.map((node) => [node.id, node]));
    this.state = initialState(graph, { concurrencyDefault: 4 });
  }

  run(): Simulated {
    const most = this.options.eventsMax ?? 20_000;
    this.record({
      type: "run.started",
      workflow: { name: "drawing", file: "drawing", text: "" },
      inputs: {},
      trigger: { kind: "cli" },
    });
    for (const body of this.options.kept ?? []) this.record(body);
    while (!this.isOver()) {
      if (this.events.length > most) {
        this.broken.push(`not over after ${most} events`);
        break;
      }
      if (!this.step()) {
        this.broken.push(`stuck: nothing runs and nothing is asked for, status ${this.state.status}`);
        break;
      }
    }
    // A listener is finished by the end of its last iteration.
    for (const { status, value, path } of this.state.root.nodes.values())
      if (this.drawn.get(path)?.lines !== undefined) this.seen.set(path, { status, value: read(value) });
    return {
      drawing: this.drawing,
      graph: this.graph,
      events: this.events,
      state: this.state,
      seen: this.seen,
      broken: this.broken,
    };
  }

  /** One event, or a move of the clock. False if nothing is left that could happen. */
  private step(): boolean {
    if (this.events.length === this.options.cancelAfter) return this.record({ type: "run.cancel-requested" });
    if (this.events.length === this.options.timeoutAfter) return this.record({ type: "run.timed-out-requested" });
    if (this.chance() < (this.options.crashes ?? 0)) this.crash();
    const { actions, wakeAtMs } = plan(this.state, this.nowMs);
    if (!isDeepStrictEqual(actions, plan(this.state, this.nowMs).actions))
      this.broken.push("asked twice, answered otherwise");
    const doable = actions.filter((action) => this.isDoable(action));
    const ends = [...this.running.values()];
    const waiting = [...this.state.waitingApproval.values()].filter((node) => this.isAnswered(node.path));
    const stirred = this.state.running.size < this.drawing.concurrency ? [...this.resting.keys()] : [];
    const pick = Math.floor(this.chance() * (doable.length + (this.options.random ? ends.length : 0)));
    const action = doable[pick];
    if (action !== undefined) return this.act(action);
    const end = ends[this.options.random ? pick - doable.length : 0] ?? ends[0];
    if (end !== undefined) return ("path" in end && this.rests(end.path)) || this.record(end);
    const rested = stirred[Math.floor(this.chance() * stirred.length)];
    if (rested !== undefined && this.chance() < 0.5) return this.resume(rested);
    const asked = waiting[Math.floor(this.chance() * waiting.length)];
    if (asked !== undefined && (wakeAtMs === undefined || this.chance() < 0.5)) return this.answerApproval(asked.path);
    const lacking = [...this.state.waitingBudget.values()].find(
      ({ budget }) => budget?.untilMs === undefined || this.sometimes(0.2),
    );
    if (lacking !== undefined && (wakeAtMs === undefined || this.chance() < 0.5)) return this.free(lacking);
    if (wakeAtMs === undefined) return rested !== undefined && this.resume(rested);
    this.nowMs = Math.max(this.nowMs + 1, wakeAtMs);
    return true;
  }

  private isDoable(action: Action): boolean {
    // While it runs it prints at random moments, and in any case before it ends.
    if (action.do === "receive-lines") return action.over !== undefined || action.from < this.linesOf(action.node);
    return action.do !== "cancel-attempt" || this.running.has(action.path) || this.resting.has(action.path);
  }

  private act(action: Action): boolean {
    if (action.do === "finish-run") return this.finish(action.as);
    if (action.do === "time-out-run") return this.record({ type: "run.timed-out-requested" });
    const node = this.drawn.get(action.node);
    if (node === undefined) throw new Error(`plan names a node that is not drawn: ${action.node}`);
    const at = { node: node.id, path: action.path };
    switch (action.do) {
      case "start-attempt": {
        return this.start(node, action.path, action.number);
      }
      case "cancel-attempt":
        return this.record({ type: "attempt.cancelled", ...at, number: action.number, end: END });
      case "request-approval":
        if (this.lacksValue(node, action.path)) return this.record({ type: "node.failed", ...at, failure: ABSENT });
        return this.request(node, action.path, action.number);
      case "expire-approval":
        if (this.sometimes(0.3))
          this.recordIgnored({ type: "approval.granted", ...at, hash: action.hash, ...SOMEBODY });
        return this.record({ type: "approval.expired", ...at, hash: action.hash, as: action.as });
      case "resume-attempt":
        return this.resume(action.path);
      case "skip":
        if (this.running.has(action.path) || this.resting.has(action.path))
          this.broken.push(`${action.path} is skipped, and its attempt has not ended`);
        return this.record({ type: "node.skipped", ...at, reason: action.reason });
      case "decide":
        return this.decide(node, action.path);
      case "open-loop":
        return this.openLoop(node, action.path);
      case "receive-lines":
        return this.receive(action);
      case "start-pass":
        return this.startPass(node, action.path, action.index);
      case "end-pass":
        return this.endPass(node, action.path, action.index);
      case "close-loop": {
        const start = this.graph.nodes[this.graph.startOf.get(this.graph.indexOf.get(node.id) ?? -1) ?? -1]?.id ?? "";
        const value = loopResult(loopOpenAt(this.state, start + action.path.slice(node.id.length)), this.state);
        return this.record({ type: "node.succeeded", ...at, value });
      }
    }
  }

  /**
   * The engine's work before a start: it prepares the command, and asks if it has a finding or differs from the grant.
   */
  private start(node: Drawn, path: string, number: number): boolean {
    if (this.running.has(path) || this.resting.has(path)) this.broken.push(`${path} started while it runs`);
    if (this.lacksValue(node, path)) return this.neverBegins(node, path, number);
    const asked = this.asked.get(path);
    const granted = asked?.granted === true && asked.number === number;
    const wants = asker(this.drawing, node, path);
    if (wants === "found" && !granted) return this.request(node, path, number);
    if (wants === "document" && !granted) this.broken.push(`${path} #${number} started without approval`);
    const key = `${path} ${number}`;
    if (wants !== undefined && isChanged(this.drawing, node, path, number) && !this.changed.has(key)) {
      this.changed.add(key);
      return this.request(node, path, number, "Something has changed.");
    }
    if (number === 1 && isCached(this.drawing, node, path)) return this.answerFromCache(node, path);
    if (this.lacks(node, path, number)) return true;
    this.record({ type: "attempt.started", node: node.id, path, number, detail: { childRun: `child of ${path}` } });
    this.asked.delete(path);
    this.running.set(path, this.endOf(node, path, number));
    this.countRunning();
    return true;
  }

  /** A node that it names by id has no value, and it has no default. */
  private lacksValue(node: Drawn, path: string): boolean {
    const { stdin, refs = [] } = node;
    const needed = [...(stdin === undefined ? [] : [stdin]), ...(needsValues(node) ? refs : [])];
    return needed.some((id) => "absent" in valueById(this.state, placeAt(this.state, path), id));
  }

  private neverBegins(node: Drawn, path: string, number: number): boolean {
    const at = { node: node.id, path, number };
    this.record({ type: "attempt.started", ...at, detail: {} });
    return this.record({ type: "attempt.failed", ...at, failure: ABSENT, value: { text: "" }, end: END });
  }

  private answerFromCache(node: Drawn, path: string): boolean {
    const value = { text: this.made(node, placeAt(this.state, path)) };
    const [storedAt, expiresAt] = [new Date(START_MS).toISOString(), new Date(START_MS + EXPIRY_MS).toISOString()];
    const from = { run: "before", path };
    return this.record({ type: "cache.answered", node: node.id, path, value, key: "k", from, storedAt, expiresAt });
  }

  /** A budget has no room, as often as the script says: until a time, or until a message that there is room. */
  private lacks(node: Drawn, path: string, number: number): boolean {
    const waits = stateAt(this.state, path)?.budget;
    if (waits !== undefined && (waits.untilMs ?? Number.POSITIVE_INFINITY) > this.nowMs)
      this.broken.push(`${path} is tried again before its budget has room`);
    const key = `${path} ${number}`;
    const times = this.lacked.get(key) ?? 0;
    const what = budgetOf(this.drawing, node, path, number)[times];
    if (what === undefined) return false;
    this.lacked.set(key, times + 1);
    const until = what === "rate" ? { until: new Date(this.nowMs + 1_000).toISOString() } : {};
    return this.record({ type: "budget.awaited", node: node.id, path, number, for: what, key: "k", ...until });
  }

  private free({ path }: { path: string }): boolean {
    return this.record({ type: "budget.freed", node: path.split("[", 1)[0] ?? "", path });
  }

  /** A listener takes no slot. */
  private countRunning(): void {
    const busy = [...this.running.keys()].filter((path) => this.drawn.get(path)?.lines === undefined).length;
    if (busy > this.drawing.concurrency) this.broken.push(`${busy} attempts at a time`);
  }

  /** One line, or the end: the file that a listener prints to is represented by a number of lines. */
  private receive(action: Extract<Action, { do: "receive-lines" }>): boolean {
    const { node, path, number, from, over, index } = action;
    if (from >= this.linesOf(node))
      return this.record({
        type: "lines.ended",
        node,
        path,
        number,
        next: from,
        ...(over === "stopped" ? { cut: 1 } : {}),
      });
    if (action.most < 1) this.broken.push(`${path}: asked for no line`);
    const value = { text: lineOf(path, number, from) };
    const refused = this.drawing.script[`${path}[${index}]`] === "refused" ? { failure: failureOf("fail") } : {};
    return this.record({ type: "line.received", node, path, number, index, next: from + 1, value, ...refused });
  }

  private linesOf(id: string): number {
    return this.drawn.get(id)?.lines ?? 0;
  }

  private request(node: Drawn, path: string, number: number, again?: string): boolean {
    const hash = `hash ${this.events.length}`;
    const answer = answerOf(this.drawing, node, path);
    const expires = answer.startsWith("expires-");
    this.asked.set(path, { hash, number, granted: false, expires });
    return this.record({
      type: "approval.requested",
      node: node.id,
      path,
      number,
      hash,
      reasons: [{ code: "drawn", message: "It is drawn so." }],
      detail: { command: "", rendered: "", values: [] },
      bound: {},
      ...(again === undefined ? {} : { again }),
      ...(expires ? { expiresAt: new Date(this.nowMs + EXPIRY_MS).toISOString() } : {}),
      ...(expires ? { onTimeout: answer.slice("expires-".length) as "reject" | "fail" | "approve" } : {}),
    });
  }

  private resume(path: string): boolean {
    const end = this.resting.get(path);
    const node = this.drawn.get(path.split("[", 1)[0] ?? "");
    if (end === undefined || node === undefined) throw new Error(`${path} does not rest`);
    this.resting.delete(path);
    this.running.set(path, end);
    this.countRunning();
    return this.record({ type: "attempt.resumed", node: node.id, path, number: this.numberOf(path) });
  }

  /** A subflow suspends before it ends, as often as its script says. */
  private rests(path: string): boolean {
    const node = this.drawn.get(path.split("[", 1)[0] ?? "");
    const end = this.running.get(path);
    if (node === undefined || end === undefined) return false;
    const key = `${path} ${this.numberOf(path)}`;
    const times = this.rested.get(key) ?? 0;
    if (times >= restsOf(this.drawing, node, path)) return false;
    this.rested.set(key, times + 1);
    this.running.delete(path);
    this.resting.set(path, end);
    const wakes = this.sometimes(0.3);
    return this.record({
      type: "attempt.paused",
      node: node.id,
      path,
      number: this.numberOf(path),
      waiting: [`${path}/gate`],
      seen: {},
      ...(wakes ? { wakeAt: new Date(this.nowMs + EXPIRY_MS).toISOString() } : {}),
    });
  }

  private numberOf(path: string): number {
    return stateAt(this.state, path)?.attempts ?? 0;
  }

  private decide(node: Drawn, path: string): boolean {
    const at = { node: node.id, path };
    const place = placeAt(this.state, path);
    if (outcomeOf(this.drawing, node, path) === "fail")
      return this.record({ type: "node.failed", ...at, failure: failureOf("fail") });
    if (this.lacksValue(node, path)) return this.record({ type: "node.failed", ...at, failure: ABSENT });
    const parents = parentsOf(this.state, place);
    const first = parents.find((parent) => parent.live) ?? parents[0];
    switch (node.type) {
      case "if": {
        const asked = parents[0];
        const branch = node.content === true ? branchOf(this.drawing, node, path) : (asked?.exitCode ?? 0) === 0;
        return this.record({ type: "node.succeeded", ...at, value: asked?.value ?? { text: "" }, branch });
      }
      case "accumulator": {
        const index = this.graph.indexOf.get(node.id) ?? -1;
        const before = collectedCount(this.state, index) === 0 && node.initial !== undefined ? [node.initial] : [];
        const added =
          node.content === true
            ? [this.made(node, place)]
            : parents.filter((parent) => parent.live).map((parent) => read(parent.value));
        return this.record({ type: "node.succeeded", ...at, added: [...before, ...added].map((text) => ({ text })) });
      }
      case "variable": {
        const text =
          node.content === true || node.names.length > 0
            ? this.made(node, place)
            : first === undefined
              ? (node.initial ?? "")
              : read(first.value);
        return this.record({ type: "node.succeeded", ...at, value: { text }, ...stateOf(node, text) });
      }
      case "start":
        return this.record({ type: "node.succeeded", ...at, value: { text: "{}" } });
      default:
        return this.record({ type: "node.succeeded", ...at, value: { text: this.made(node, place) } });
    }
  }

  private openLoop(node: Drawn, path: string): boolean {
    const at = { node: node.id, path };
    if (outcomeOf(this.drawing, node, path) === "fail")
      return this.record({ type: "node.failed", ...at, failure: failureOf("fail") });
    if (node.form === "while" || node.form === "forever") return this.record({ type: "loop.started", ...at, first: 1 });
    return this.record({ type: "loop.started", ...at, passes: passesOf(this.drawing, node, path), first: 1 });
  }

  private startPass(node: Drawn, path: string, index: number): boolean {
    const at = { node: node.id, path };
    if (node.form === "while" && index >= passesOf(this.drawing, node, path))
      return this.record({ type: "loop.exhausted", ...at, passes: index });
    // The value that a `while` sees is recorded as the iteration's counter text, so that the oracle can compare it.
    const saw = this.conditionSees(node, () => placeAt(this.state, path));
    this.seen.set(`while ${path}[${index}]`, { status: "asked", value: saw });
    const item: { item?: Value } = node.form === "items" ? { item: { text: itemOf(path, index) } } : {};
    const loop = loopOpenAt(this.state, path);
    const live = loop.active.size;
    const failure = loop.listener?.queue.get(index)?.failure;
    if (failure !== undefined) {
      const pass = `${path}[${index}]`;
      return this.record({ type: "pass.failed", node: node.id, path: pass, index, failedAt: pass, failure });
    }
    if (live >= (node.max ?? 1)) this.broken.push(`${live + 1} passes of ${path} at a time`);
    return this.record({
      type: "pass.started",
      node: node.id,
      path: `${path}[${index}]`,
      index,
      counter: index + 1,
      ...item,
    });
  }

  private endPass(node: Drawn, path: string, index: number): boolean {
    if (node.lines !== undefined) {
      const { failed } = passAt(this.state, path);
      const at = { node: node.id, path, index };
      if (failed === undefined) return this.record({ type: "pass.succeeded", ...at, last: false });
      return this.record({ type: "pass.failed", ...at, failedAt: failed.path, failure: failed.failure });
    }
    const place = placeInPass(this.state, path);
    const end = this.drawn.get(this.graph.nodes[place.node]?.id ?? "");
    if (end === undefined) throw new Error(`no loop end at ${path}`);
    const parents = parentsOf(this.state, place);
    const value = parents.find((parent) => parent.live)?.value ?? { text: "" };
    const saw = this.conditionSees(end, () => place);
    this.seen.set(`until ${path}`, { status: "asked", value: saw });
    this.seen.set(`pass ${path}`, { status: "succeeded", value: read(value) });
    const last = index >= lastPassOf(this.drawing, end, path.slice(0, path.lastIndexOf("[")));
    return this.record({ type: "pass.succeeded", node: node.id, path, index, value: { text: read(value) }, last });
  }

  private endOf(node: Drawn, path: string, number: number): EventBody {
    const at = { node: node.id, path, number };
    const outcome = outcomeOf(this.drawing, node, path);
    const made = this.made(node, placeAt(this.state, path));
    const value = { text: outcome === "ok" || outcome === "retry" ? made : `${made}!` };
    if (outcome === "ok" || (outcome === "retry" && number > 1))
      return { type: "attempt.succeeded", ...at, value, end: { ...END, exitCode: 0 }, ...stateOf(node, made) };
    const failure = failureOf(outcome === "retry" ? "fail" : outcome);
    if (outcome === "lost") {
      // A listener is started again once.
      const restarts = node.lines !== undefined && number === 1;
      return {
        type: "attempt.lost",
        ...at,
        failure,
        ...(restarts ? { retryAt: new Date(this.nowMs).toISOString() } : {}),
      };
    }
    if (outcome === "timeout") return { type: "attempt.timed-out", ...at, failure, value, end: END };
    const again = outcome === "retry" ? { retryAt: new Date(this.nowMs + 1_000).toISOString() } : {};
    return { type: "attempt.failed", ...at, failure, value, end: { ...END, exitCode: 1 }, ...again };
  }

  /** One that stays waiting, or whose time limit is to pass, is not answered. */
  private isAnswered(path: string): boolean {
    const word = this.drawing.script[path] ?? this.drawing.script[path.split("[", 1)[0] ?? ""];
    return word !== "wait" && this.asked.get(path)?.expires !== true;
  }

  private answerApproval(path: string): boolean {
    const node = this.drawn.get(path.split("[", 1)[0] ?? "");
    const asked = this.asked.get(path);
    if (node === undefined || asked === undefined) return false;
    const at = { node: node.id, path };
    // Answers to something else, and from an earlier approver, change nothing.
    if (this.sometimes(0.2)) this.recordIgnored({ type: "approval.granted", ...at, hash: "stale", ...SOMEBODY });
    if (this.sometimes(0.2))
      this.recordIgnored({ type: "approval.rejected", ...at, hash: "stale", ...SOMEBODY, reason: "late" });
    const about = { ...at, hash: asked.hash, ...SOMEBODY };
    if (answerOf(this.drawing, node, path) === "reject")
      return this.record({ type: "approval.rejected", ...about, reason: "no" });
    this.record({ type: "approval.granted", ...about });
    // The second of two answers also changes nothing.
    if (this.sometimes(0.2)) this.recordIgnored({ type: "approval.rejected", ...about, reason: "too late" });
    return true;
  }

  private recordIgnored(body: Extract<EventBody, { type: "approval.granted" | "approval.rejected" }>): void {
    const before = structuredClone([stateAt(this.state, body.path)?.status, this.state.status]);
    this.record({ ...body, by: NOBODY });
    if (!isDeepStrictEqual(before, [stateAt(this.state, body.path)?.status, this.state.status]))
      this.broken.push(`${body.path}: an answer that counts for nothing changed something`);
  }

  private finish(as: string): boolean {
    if (as !== "failed") return this.record({ type: `run.${as}` as "run.succeeded" });
    const first = this.state.failure;
    if (first === undefined) throw new Error("a failed run without a failure");
    return this.record({ type: "run.failed", ...first });
  }

  private made(node: Drawn, place: ScopedNode): string {
    const parents = parentsOf(this.state, place).map((parent) => (parent.live ? read(parent.value) : "-"));
    const loops = Object.entries(loopVariables(this.state, place)).map(([name, value]) => `${name}=${read(value)}`);
    return product(node.id, [
      ...parents,
      ...this.namesSeen(node, place),
      ...this.refsSeen(node, place),
      ...loops.sort(),
    ]);
  }

  private namesSeen(node: Drawn, place: ScopedNode): string[] {
    return node.names.map((name) => {
      const value = lookup(this.state, place, name);
      if (value === undefined) throw new Error(`${node.id} names ${name}, which nothing has`);
      return "initial" in value ? value.initial : read(value);
    });
  }

  private conditionSees(node: Drawn, place: () => ScopedNode): string {
    if (node.names.length + referredBy(node).length === 0) return "";
    return [...this.namesSeen(node, place()), ...this.refsSeen(node, place())].join(",");
  }

  private refsSeen(node: Drawn, place: ScopedNode): string[] {
    return referredBy(node).map((id) => {
      const found = valueById(this.state, place, id);
      return "value" in found ? read(found.value) : "";
    });
  }

  private record(body: EventBody): true {
    const event: RunEvent = { seq: this.events.length + 1, at: new Date(this.nowMs).toISOString(), run: "r", ...body };
    this.events.push(event);
    this.follow(body);
    this.state = evolve(this.state, event);
    if ("state" in body) {
      Object.assign(this.stored, body.state);
      if (!isDeepStrictEqual(this.state.stored, this.stored)) this.broken.push(`${event.seq}: what is stored differs`);
    }
    if ("path" in body && !body.type.startsWith("pass.")) {
      const node = stateAt(this.state, body.path);
      if (node !== undefined) this.seen.set(node.path, { status: node.status, value: read(node.value) });
    }
    return true;
  }

  /** Tells the runner of attempts and the approver about the events. */
  private follow(body: EventBody): void {
    if (!("path" in body)) return;
    const asked = this.asked.get(body.path);
    const lets =
      (body.type === "approval.granted" && body.by !== NOBODY) ||
      (body.type === "approval.expired" && body.as === "approve");
    if (lets && asked?.hash === body.hash) asked.granted = true;
    const ends = ["attempt.started", "attempt.paused", "attempt.resumed"].includes(body.type);
    if (!body.type.startsWith("attempt.") || ends) return;
    this.running.delete(body.path);
    this.resting.delete(body.path);
  }

  private crash(): void {
    const folded = refold(this.graph, this.events);
    if (!isDeepStrictEqual(folded, this.state))
      this.broken.push(`folded again after ${this.events.length} events, the state differs`);
    this.state = folded;
  }

  private isOver(): boolean {
    return ["succeeded", "failed", "cancelled", "timed-out"].includes(this.state.status);
  }

  private sometimes(share: number): boolean {
    return this.options.random !== undefined && this.options.random() < share;
  }

  private chance(): number {
    return this.options.random?.() ?? 0;
  }
}

const stateOf = ({ id, stores }: Drawn, text: string) => (stores === true ? { state: { [id]: text } } : {});

export function lineOf(path: string, number: number, at: number): string {
  return `${path}#${number}.${at}`;
}

/** A value as text, as the engine would build it. */
export function read(value: Value): string {
  if ("text" in value) return value.text;
  if ("file" in value) throw new Error("no files here");
  const texts = value.parts.slice(0, value.count).map(read);
  return value.joined === "lines" ? texts.join("\n") : JSON.stringify(texts.map(json));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
