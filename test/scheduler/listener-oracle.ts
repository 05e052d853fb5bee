// listener-oracle: predicts the result of a run with a listener from its events and its drawing. It knows nothing of
// state or plan. It computes each iteration separately, node after node. A listener is a queue whose lines are taken
// one by one. Drawings here have one listener "listen", whose body is everything that its edges lead to, without loops
// in it, and other nodes beside it.

import { expired, rejected } from "../../src/scheduler/approvals.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { type Drawing, type Drawn, needsValues, referredBy } from "./drawing.ts";
import { answerOf, asker, branchOf, isCached, outcomeOf, product } from "./script.ts";
import { lineOf, NOBODY, read, type Simulated } from "./simulate.ts";

const AHEAD = 100;
const ENDS = ["attempt.succeeded", "attempt.failed", "attempt.timed-out", "attempt.lost", "attempt.cancelled"];

const SETTLES = [...ENDS, "cache.answered", "node.", "approval.rejected", "approval.expired"];

interface Meant {
  status: "succeeded" | "failed" | "skipped";
  value: string;
  branch?: boolean;
  /** Its failure ends the run. */
  fatal: boolean;
}

export function listenerDifferences(run: Simulated): string[] {
  return new ListenerOracle(run).differences();
}

export function hasListener(drawing: Drawing): boolean {
  return drawing.nodes.some(({ lines }) => lines !== undefined);
}

class ListenerOracle {
  private readonly run: Simulated;
  private readonly drawing: Drawing;
  private readonly listener: Drawn;
  private readonly body: Drawn[];
  private readonly found: string[];

  constructor(run: Simulated) {
    this.run = run;
    this.drawing = run.drawing;
    const listener = run.drawing.nodes.find(({ lines }) => lines !== undefined);
    if (listener === undefined) throw new Error("no listener is drawn");
    this.listener = listener;
    const inside = new Set<string>();
    for (const id of [listener.id]) this.reach(id, inside);
    this.body = run.drawing.nodes.filter(({ id }) => inside.has(id));
    this.found = [...run.broken];
  }

  differences(): string[] {
    // The stories cover loops in iterations. Here everything has one index.
    if (this.body.some(({ type }) => type === "loop-start")) return this.found;
    const { events } = this.run;
    const early = events.findIndex((event) => this.endsEarly(event));
    this.lines(early);
    this.passes(early);
    for (const event of events) {
      if (event.type === "pass.succeeded") this.goodPass(event.index);
      if (event.type === "pass.failed" && !event.failedAt.startsWith(`${this.listener.id}[`)) this.badPass(event);
    }
    this.collected();
    this.outcome(early);
    return this.found;
  }

  private reach(id: string, inside: Set<string>): void {
    for (const { from, to, handle } of this.drawing.nodes.flatMap((node) => this.edgesInto(node))) {
      if (from !== id || inside.has(to) || (id === this.listener.id && handle === "error")) continue;
      inside.add(to);
      this.reach(to, inside);
    }
  }

  /** Those that are drawn. Without any, the nodes that it names by id are its parents. */
  private edgesInto(node: Drawn): Drawing["edges"] {
    const edges = this.drawing.edges.filter(({ to }) => to === node.id);
    return edges.length > 0 ? edges : referencesOf(node);
  }

  /**
   * Ends the run early: a cancel, or a failure outside of iterations; a failure in them only if the listener says so.
   */
  private endsEarly(event: RunEvent): boolean {
    if (event.type === "run.cancel-requested" || event.type === "run.timed-out-requested") return true;
    const stops = this.listener.stops === true;
    if (event.type === "pass.failed")
      return stops && event.failedAt.startsWith(`${this.listener.id}[`) && !this.tolerates(this.listener);
    const fails =
      ["attempt.failed", "attempt.timed-out", "attempt.lost", "node.failed"].includes(event.type) ||
      (event.type === "approval.rejected" && event.by !== NOBODY) ||
      (event.type === "approval.expired" && event.as !== "approve");
    if (!fails) return false;
    if (!("path" in event) || "retryAt" in event || event.path === this.listener.id) return false;
    const node = this.drawing.nodes.find(({ id }) => id === event.path.split("[", 1)[0]);
    if (node === undefined || this.tolerates(node) || this.drawing.finally.includes(node.id)) return false;
    return stops || !this.body.includes(node);
  }

  /** Every line once and in order over all attempts, never more than so many ahead. Each attempt has an end. */
  private lines(early: number): void {
    const { events } = this.run;
    const said: string[] = [];
    const ended: number[] = [];
    let begun = 0;
    for (const event of events) {
      if (event.type === "line.received") {
        if (event.index !== said.length) this.found.push(`line ${event.index} came as number ${said.length}`);
        if (ended.includes(event.number)) this.found.push(`a line of attempt ${event.number} after its end`);
        said.push(read(event.value));
        if (said.length - begun > AHEAD) this.found.push(`${said.length - begun} lines are ahead`);
      }
      if (event.type === "lines.ended") ended.push(event.number);
      if (event.type === "pass.started" || (event.type === "pass.failed" && this.refused(event.index))) begun += 1;
    }
    const attempts = events.filter(
      (event) => event.type === "attempt.started" && event.path === this.listener.id,
    ).length;
    const meant: string[] = [];
    for (let number = 1; number <= attempts; number++)
      for (let at = 0; at < (this.listener.lines ?? 0); at++) meant.push(lineOf(this.listener.id, number, at));
    if (early === -1 && said.join() !== meant.join())
      this.found.push(`lines ${said.join()}, should be ${meant.join()}`);
    if (!meant.join().startsWith(said.join()))
      this.found.push(`lines ${said.join()} are not the start of ${meant.join()}`);
    if (early === -1 && ended.length !== attempts) this.found.push(`${ended.length} of ${attempts} outputs were ended`);
  }

  /**
   * One iteration per line, in order, once its line is recorded and its inputs from outside are ready. So many at a
   * time, each ended once.
   */
  private passes(early: number): void {
    const { events } = this.run;
    const most = this.listener.max ?? 1;
    const open = new Set<number>();
    const over = new Set<number>();
    const settled = new Set<string>();
    let received = 0;
    let next = 0;
    for (const event of events) {
      if (event.type === "line.received") received += 1;
      if ("path" in event && SETTLES.some((type) => event.type.startsWith(type)) && !("retryAt" in event))
        settled.add(event.path);
      if (event.type === "pass.started" || (event.type === "pass.failed" && this.refused(event.index))) {
        if (event.index !== next) this.found.push(`pass ${event.index} begins as number ${next}`);
        if (event.index >= received) this.found.push(`pass ${event.index} begins before its line`);
        for (const gate of this.gates())
          if (!settled.has(gate)) this.found.push(`a pass begins before ${gate} is settled`);
        next += 1;
        if (event.type === "pass.started") open.add(event.index);
        if (open.size > most) this.found.push(`${open.size} passes at a time, should be ${most}`);
      }
      if (event.type !== "pass.succeeded" && event.type !== "pass.failed") continue;
      if (over.has(event.index)) this.found.push(`pass ${event.index} ends twice`);
      over.add(event.index);
      if (open.delete(event.index)) this.allSettled(event, settled);
    }
    if (early !== -1) return;
    if (next !== received) this.found.push(`${received} lines and ${next} passes`);
    if (open.size > 0) this.found.push(`passes ${[...open].join()} are left open`);
  }

  private allSettled(event: RunEvent & { index: number }, settled: Set<string>): void {
    const stopped = event.type === "pass.failed";
    for (const node of this.body) {
      const { id } = node;
      const path = `${id}[${event.index}]`;
      if (stopped && outcomeOf(this.drawing, node, path) === "retry") continue;
      if (!settled.has(`${id}[${event.index}]`)) this.found.push(`pass ${event.index} ends before ${path}`);
    }
  }

  private goodPass(index: number): void {
    const meant = this.meaning(index);
    for (const [id, { status, value, fatal }] of meant) {
      const path = `${id}[${index}]`;
      if (fatal) this.found.push(`pass ${index} succeeded though ${path} fails`);
      const seen = this.run.seen.get(path);
      if (seen?.status !== status) this.found.push(`${path} is ${seen?.status}, should be ${status}`);
      const type = this.drawing.nodes.find((node) => node.id === id)?.type;
      if (type !== "accumulator" && status === "succeeded" && seen?.value !== value)
        this.found.push(`${path} has ${seen?.value}, should have ${value}`);
    }
  }

  private badPass(event: Extract<RunEvent, { type: "pass.failed" }>): void {
    const { index } = event;
    const meant = this.meaning(index);
    const [id = ""] = event.failedAt.split("[", 1);
    if (event.failedAt !== `${id}[${index}]` || meant.get(id)?.fatal !== true)
      this.found.push(`pass ${index} failed at ${event.failedAt}, which does not fail it`);
    for (const node of this.body) {
      const path = `${node.id}[${index}]`;
      const seen = this.run.seen.get(path)?.status ?? "";
      if (["skipped", "cancelled"].includes(seen)) continue;
      // It would have been retried, but the iteration was being stopped.
      if (seen === "failed" && outcomeOf(this.drawing, node, path) === "retry") continue;
      if (seen !== meant.get(node.id)?.status)
        this.found.push(`${path} is ${seen}, should be ${meant.get(node.id)?.status}`);
    }
  }

  /** Accumulators collect in the order of the lines, and nodes after the listener read all of it. */
  private collected(): void {
    for (const node of this.body) {
      if (node.type !== "accumulator") continue;
      const parts: string[] = [];
      let last = -1;
      for (const event of this.run.events) {
        if (event.type !== "node.succeeded" || event.node !== node.id) continue;
        const index = Number(event.path.slice(node.id.length + 1, -1));
        if (index <= last) this.found.push(`${event.path} collects after ${node.id}[${last}]`);
        last = index;
        parts.push(...(event.added ?? []).map(read));
      }
      const text =
        node.json === true
          ? `[${parts.map((part) => (part.startsWith("{") ? part : JSON.stringify(part))).join(",")}]`
          : parts.join("\n");
      for (const reader of this.drawing.nodes) {
        const seen = this.run.seen.get(reader.id);
        if (this.body.includes(reader) || !reader.names.includes(node.id) || seen?.status !== "succeeded") continue;
        const meant = product(reader.id, [last === -1 ? (node.initial ?? "") : text]);
        if (seen.value !== meant) this.found.push(`${reader.id} has ${seen.value}, should have ${meant}`);
      }
    }
  }

  private outcome(early: number): void {
    const { events, state } = this.run;
    const bad = events.some(({ type }) => type === "pass.failed");
    const own = events.findLast(
      (event) => "path" in event && event.path === this.listener.id && ENDS.includes(event.type),
    );
    const failed = bad || own?.type !== "attempt.succeeded";
    const tolerated = this.tolerates(this.listener);
    const status = early === -1 ? (failed && !tolerated ? "failed" : "succeeded") : undefined;
    if (status !== undefined && state.status !== status)
      this.found.push(`the run is ${state.status}, should be ${status}`);
    if (early === -1 && this.run.seen.get(this.listener.id)?.status !== (failed ? "failed" : "succeeded"))
      this.found.push(`the listener is ${this.run.seen.get(this.listener.id)?.status}`);
    if (early !== -1 && state.status === "succeeded") this.found.push("a run that ended early succeeded");
  }

  /** The body of one iteration, node by node. Only the edges decide whether a node is reached. */
  private meaning(index: number): Map<string, Meant> {
    const all = new Map<string, Meant>();
    for (const node of this.body) this.of(node, index, all);
    return all;
  }

  private of(node: Drawn, index: number, all: Map<string, Meant>): Meant {
    const known = all.get(node.id) ?? this.meant(node, index, all);
    all.set(node.id, known);
    return known;
  }

  private meant(node: Drawn, index: number, all: Map<string, Meant>): Meant {
    const path = `${node.id}[${index}]`;
    const edges = this.edgesInto(node).map((edge) => this.edge(edge, index, all));
    const named = referencesOf(node).map((edge) => ({ from: edge.from, ...this.edge(edge, index, all) }));
    if (!edges.some(({ live }) => live)) return { status: "skipped", value: "", fatal: false };
    const outcome = isCached(this.drawing, node, path) ? "ok" : outcomeOf(this.drawing, node, path);
    const rejected = asker(this.drawing, node, path) !== undefined && isNo(answerOf(this.drawing, node, path));
    const fails = rejected || (node.type === "cli" ? !["ok", "retry"].includes(outcome) : outcome === "fail");
    if (named.some(({ from, live }) => !live && (from === node.stdin || needsValues(node))))
      return { status: "failed", value: "", fatal: !this.tolerates(node) };
    const parents = edges.map(({ live, value }) => (live ? value : "-"));
    const made = product(node.id, [...parents, ...named.map(({ value }) => value), `i=${index + 1}`]);
    const printed = node.type === "cli" && !rejected && outcome !== "lost";
    if (fails) return { status: "failed", value: printed ? `${made}!` : "", fatal: !this.tolerates(node) };
    if (node.type !== "if") return { status: "succeeded", value: made, fatal: false };
    return {
      status: "succeeded",
      value: edges[0]?.value ?? "",
      branch: branchOf(this.drawing, node, path),
      fatal: false,
    };
  }

  private edge(
    { from, handle }: Drawing["edges"][number],
    index: number,
    all: Map<string, Meant>,
  ): { live: boolean; value: string } {
    if (from === this.listener.id) return { live: true, value: this.lineText(index) };
    const source = this.body.find(({ id }) => id === from);
    const inside = source && this.of(source, index, all);
    if (inside === undefined) {
      const outside = this.run.seen.get(from);
      return outside?.status === "succeeded" ? { live: true, value: outside.value } : { live: false, value: "" };
    }
    if (inside.status === "failed") {
      const live = handle === undefined && this.drawing.nodes.find(({ id }) => id === from)?.continueOnError === true;
      return handle === "error"
        ? { live: true, value: this.failureText(from, index) }
        : { live, value: live ? inside.value : "" };
    }
    const live = inside.status === "succeeded" && (handle === undefined || handle === String(inside.branch));
    return { live, value: live ? inside.value : "" };
  }

  private lineText(index: number): string {
    const line = this.run.events.find((event) => event.type === "line.received" && event.index === index);
    return line?.type === "line.received" ? read(line.value) : "";
  }

  private failureText(id: string, index: number): string {
    const path = `${id}[${index}]`;
    const failed = this.run.events.findLast((event) => "failure" in event && "path" in event && event.path === path);
    if (failed !== undefined && "failure" in failed) return JSON.stringify(failed.failure);
    const over = this.run.events.findLast((event) => event.type === "approval.expired" && event.path === path);
    return JSON.stringify(
      over?.type === "approval.expired" && over.as !== "approve" ? expired(over.as) : rejected("no"),
    );
  }

  private gates(): string[] {
    const inside = new Set([...this.body.map(({ id }) => id), this.listener.id]);
    return this.drawing.edges
      .filter(({ from, to }) => inside.has(to) && !inside.has(from) && to !== this.listener.id)
      .map(({ from }) => from);
  }

  private refused(index: number): boolean {
    return this.drawing.script[`${this.listener.id}[${index}]`] === "refused";
  }

  private tolerates(node: Drawn): boolean {
    return (
      node.continueOnError === true ||
      this.drawing.edges.some(({ from, handle }) => from === node.id && handle === "error")
    );
  }
}

function referencesOf(node: Drawn): Drawing["edges"] {
  return referredBy(node).map((from) => ({ from, to: node.id }));
}

function isNo(answer: string): boolean {
  return answer !== "grant" && answer !== "expires-approve";
}
