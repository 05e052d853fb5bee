// oracle: predicts a run's result from the drawing and the script. It knows neither graph.ts nor the scheduler,
// and works the other way round. It asks for the meaning of one path, and that asks for the paths it depends on. It has no
// queue, no counter, no order of events and no clock.
//   K1. A meaning is a status, a value, and whether the run continues after it. A path that depends on a failure that
//       ends the run has the meaning "never": a run that gets there is wrong.
//   K2. `after` lists the paths that must be finished before a path may start.

import { type Drawing, type Drawn, needsValues, referredBy } from "./drawing.ts";
import {
  ABSENT,
  type Answer,
  answerOf,
  asker,
  branchOf,
  failureOf,
  isCached,
  itemOf,
  lastPassOf,
  type Outcome,
  outcomeOf,
  passesOf,
  product,
} from "./script.ts";

export interface Meaning {
  status: "succeeded" | "failed" | "skipped" | "never";
  value: string;
  /** Failed, and not tolerated: the run ends early. */
  fatal: boolean;
  branch?: boolean;
  exitCode?: number;
  failure?: { code: string; message: string; exitCode?: number };
  attempts: number;
}

/** The iterations around a path, from the outside in. */
type Where = readonly { loop: string; index: number }[];

const SKIPPED: Meaning = { status: "skipped", value: "", fatal: false, attempts: 0 };
const NEVER: Meaning = { status: "never", value: "", fatal: false, attempts: 0 };
/** The failure of a command that was not approved. */
const REFUSED: Partial<Record<Answer, { code: string; message: string }>> = {
  reject: { code: "approval-rejected", message: "The approval was rejected: no." },
  "expires-reject": {
    code: "approval-rejected",
    message: "No one decided in time, which counts as a rejection here.",
  },
  "expires-fail": { code: "approval-expired", message: "No one decided about the approval in time." },
};
const COMMANDS = new Set(["cli", "llm", "subflow"]);

export class Oracle {
  private readonly drawing: Drawing;
  private readonly byId: Map<string, Drawn>;
  private readonly memo = new Map<string, unknown>();

  constructor(drawing: Drawing) {
    this.drawing = drawing;
    this.byId = new Map(drawing.nodes.map((node) => [node.id, node]));
  }

  /** Every path of a run without an early end, finally nodes included. */
  paths(): Map<string, Meaning> {
    const all = new Map<string, Meaning>();
    const visit = (where: Where): void => {
      for (const { id } of this.drawing.nodes) {
        if (!same(this.around(id), loopsOf(where))) continue;
        all.set(pathOf(id, where), this.meaning(id, where));
        if (!this.isStart(id)) continue;
        for (let index = 0; index < this.passes(id, where); index++) visit([...where, { loop: id, index }]);
      }
    };
    visit([]);
    return all;
  }

  /** The value of every iteration, and what `while` and `until` saw, by the keys that the simulated engine uses. */
  asked(): Map<string, string> {
    const all = new Map<string, string>();
    for (const path of this.paths().keys()) {
      const { id, where } = this.parse(path);
      if (!this.isStart(id) || this.meaning(id, where).status !== "succeeded") continue;
      const end = this.endOf(id);
      for (let index = 0; index < this.passes(id, where); index++) {
        const pass = [...where, { loop: id, index }];
        all.set(`pass ${pathOf(id, pass)}`, this.passValue(id, pass));
        const start = this.node(id);
        all.set(`until ${pathOf(id, pass)}`, [...this.namesOf(end, pass, true), ...this.refsOf(end, pass)].join(","));
        all.set(
          `while ${pathOf(id, pass)}`,
          [...this.namesOf(start, pass, true), ...this.refsOf(start, where)].join(","),
        );
      }
    }
    return all;
  }

  /** Paths (or `pass PATH`) that must be finished before this path starts. */
  after(path: string): string[] {
    const { id, where } = this.parse(path);
    const node = this.node(id);
    if (this.isFinally(id))
      return this.parentsOf(id)
        .filter((edge) => this.isFinally(edge.from))
        .map((edge) => edge.from);
    const before: string[] = [];
    if (node.type === "loop-end") {
      const start = this.startOf(id);
      for (let index = 0; index < this.passes(start, where); index++)
        before.push(`pass ${pathOf(start, [...where, { loop: start, index }])}`);
    }
    for (const { from } of this.parentsOf(id)) {
      const at = this.visible(from, where);
      if (at !== undefined && !where.some(({ loop }) => loop === from)) before.push(pathOf(from, at));
    }
    for (const { from } of this.referred(node)) {
      const at = this.visible(from, where);
      if (at !== undefined && !where.some(({ loop }) => loop === from)) before.push(pathOf(from, at));
    }
    for (const name of this.namedBy(node)) {
      const read = this.reading(id, name, where, false);
      if (read.kind === "here" && name !== id) before.push(pathOf(name, read.where));
      if (read.kind === "behind") before.push(pathOf(this.endOf(read.loop).id, read.where));
    }
    // A skipped one collects nothing, so it need not wait its turn.
    if (node.type === "accumulator" && this.statusOnly(id, where).status === "succeeded")
      for (const earlier of this.earlier(id, where))
        if (this.meaning(id, earlier).status === "succeeded") before.push(pathOf(id, earlier));
    return before;
  }

  /** The iteration of a path, as `pass pages[2]`. */
  passAround(path: string): string | undefined {
    const { where } = this.parse(path);
    const last = where.at(-1);
    return last === undefined ? undefined : `pass ${pathOf(last.loop, where)}`;
  }

  /** Iterations of this loop run one after another. */
  isOneByOne(start: string): boolean {
    return this.once(`one ${start}`, () => {
      const node = this.node(start);
      if ((node.max ?? 1) === 1 || node.form === "while" || this.endOf(start).until !== undefined) return true;
      return this.drawing.nodes.some((reader) =>
        reader.names.some((name) => {
          const asks = this.isStart(reader.id) || reader.type === "loop-end";
          return this.carriedBy(reader.id, name, asks) === start;
        }),
      );
    });
  }

  meaning(id: string, where: Where): Meaning {
    return this.once(`meaning ${pathOf(id, where)}`, () => {
      const node = this.node(id);
      if (node.type === "loop-end") return this.meaningOfEnd(id, where);
      const edges = this.parentsOf(id).map((edge) => ({ ...edge, ...this.seen(edge, where) }));
      if (this.isFinally(id)) return this.ofOutcome(node, where, edges);
      const seen = [...edges, ...this.referred(node).map((reference) => this.seen(reference, where))];
      if (seen.some((edge) => edge.source?.fatal === true || edge.source?.status === "never")) return NEVER;
      for (const name of this.namedBy(node)) {
        const read = this.reading(id, name, where, false);
        if (read.kind !== "here" || name === id) continue;
        const other = this.meaning(name, read.where);
        if (other.fatal || other.status === "never") return NEVER;
      }
      if (edges.length > 0 && !edges.some((edge) => edge.live)) return SKIPPED;
      return this.ofOutcome(node, where, edges);
    });
  }

  private ofOutcome(
    node: Drawn,
    where: Where,
    edges: { live: boolean; value: string; source?: Meaning; from: string }[],
  ): Meaning {
    const path = pathOf(node.id, where);
    const outcome = outcomeOf(this.drawing, node, path);
    if (this.lacksValue(node, where)) {
      const isCommand = COMMANDS.has(node.type) && node.approve !== true;
      if (COMMANDS.has(node.type) || outcome !== "fail")
        return { ...this.failed(node, "lost", "", isCommand ? 1 : 0), failure: ABSENT };
    }
    if (node.type === "cli" || node.type === "subflow") return this.ofCommand(node, where, outcome);
    if (outcome === "fail") return this.failed(node, "fail", "", 0);
    const first = edges.find((edge) => edge.live) ?? edges[0];
    const done = (value: string): Meaning => ({ status: "succeeded", value, fatal: false, attempts: 0 });
    switch (node.type) {
      case "if": {
        const asked = edges[0];
        const isCommand = asked !== undefined && COMMANDS.has(this.node(asked.from).type);
        const branch =
          node.content === true
            ? branchOf(this.drawing, node, path)
            : !isCommand || asked.source?.status === "succeeded";
        return { ...done(asked?.value ?? ""), branch };
      }
      case "variable":
        if (node.content === true || node.names.length > 0) return done(this.made(node, where));
        return done(first === undefined ? (node.initial ?? "") : first.value);
      case "accumulator":
        return done(
          join(
            node,
            [...this.earlier(node.id, where), where].flatMap((at) => this.contribution(node, at)),
          ),
        );
      case "start":
        return done("{}");
      case "loop-start":
        return done("");
      default:
        return done(this.made(node, where));
    }
  }

  /** It needs the value of a node that it names by id, and that node has none. */
  private lacksValue(node: Drawn, where: Where): boolean {
    const needs = ({ from }: { from: string }) => from === node.stdin || needsValues(node);
    return this.referred(node).some((reference) => needs(reference) && !this.seen(reference, where).live);
  }

  private ofCommand(node: Drawn, where: Where, outcome: Outcome): Meaning {
    const path = pathOf(node.id, where);
    const refused =
      asker(this.drawing, node, path) === undefined ? undefined : REFUSED[answerOf(this.drawing, node, path)];
    if (refused !== undefined) return { ...this.failed(node, "fail", "", 0), failure: refused, exitCode: -1 };
    const made = this.made(node, where);
    if (isCached(this.drawing, node, path))
      return { status: "succeeded", value: made, fatal: false, exitCode: 0, attempts: 0 };
    if (outcome === "ok" || outcome === "retry")
      return { status: "succeeded", value: made, fatal: false, exitCode: 0, attempts: outcome === "ok" ? 1 : 2 };
    return this.failed(node, outcome, outcome === "lost" ? "" : `${made}!`, 1);
  }

  private failed(node: Drawn, outcome: Outcome, value: string, attempts: number): Meaning {
    const handled = this.drawing.edges.some(
      ({ from, to, handle }) => from === node.id && handle === "error" && !this.isFinally(to) === !this.isFinally(from),
    );
    return {
      status: "failed",
      value,
      fatal: !handled && !this.tolerated(node),
      failure: failureOf(outcome),
      exitCode: outcome === "fail" ? 1 : -1,
      attempts,
    };
  }

  /** It decides itself, or an IF without a condition decides first. */
  private tolerated(node: Drawn): boolean {
    if (node.continueOnError === true) return true;
    if (!COMMANDS.has(node.type)) return false;
    return this.drawing.nodes.some(
      (other) => other.type === "if" && other.content !== true && this.parentsOf(other.id)[0]?.from === node.id,
    );
  }

  private meaningOfEnd(id: string, where: Where): Meaning {
    const start = this.startOf(id);
    const opened = this.meaning(start, where);
    if (opened.status === "never" || opened.fatal) return NEVER;
    const outside = [...this.parentsOf(id), ...this.referred(this.node(id))].filter((edge) =>
      this.isOutside(edge.from, start),
    );
    if (
      outside.some(
        (edge) =>
          ["never"].includes(this.seen(edge, where).source?.status ?? "") || this.seen(edge, where).source?.fatal,
      )
    )
      return NEVER;
    if (opened.status === "skipped") return SKIPPED;
    const values: string[] = [];
    for (let index = 0; index < this.passes(start, where); index++) {
      const pass = [...where, { loop: start, index }];
      for (const { id: inner } of this.drawing.nodes) {
        if (!same(this.around(inner), loopsOf(pass))) continue;
        const { status, fatal } = this.meaning(inner, pass);
        if (fatal || status === "never") return NEVER;
      }
      values.push(this.passValue(start, pass));
    }
    const value =
      values.length === 0
        ? ""
        : this.node(start).form === "items"
          ? JSON.stringify(values.map(asJson))
          : (values.at(-1) ?? "");
    return { status: "succeeded", value, fatal: false, attempts: 0 };
  }

  private passValue(start: string, pass: Where): string {
    const edges = this.parentsOf(this.endOf(start).id).map((edge) => this.seen(edge, pass));
    return edges.find((edge) => edge.live)?.value ?? "";
  }

  private passes(start: string, where: Where): number {
    return this.once(`passes ${pathOf(start, where)}`, () => {
      if (this.meaning(start, where).status !== "succeeded") return 0;
      const path = pathOf(start, where);
      return Math.min(
        passesOf(this.drawing, this.node(start), path),
        lastPassOf(this.drawing, this.endOf(start), path) + 1,
      );
    });
  }

  /** An edge as its target sees it. */
  private seen(
    edge: { from: string; handle?: string },
    where: Where,
  ): { live: boolean; value: string; source?: Meaning } {
    const pass = where.find(({ loop }) => loop === edge.from);
    if (pass !== undefined) return { live: true, value: this.current(pass, where) };
    const at = this.visible(edge.from, where);
    if (at === undefined) return { live: false, value: "" };
    const source = this.meaning(edge.from, at);
    if (source.status === "failed") {
      if (edge.handle === "error") return { live: true, value: JSON.stringify(source.failure), source };
      const live = this.tolerated(this.node(edge.from));
      return { live, value: live ? source.value : "", source };
    }
    const live = source.status === "succeeded" && (edge.handle === undefined || edge.handle === String(source.branch));
    return { live, value: live ? source.value : "", source };
  }

  private current(pass: { loop: string; index: number }, where: Where): string {
    const outer = where.slice(
      0,
      where.findIndex(({ loop }) => loop === pass.loop),
    );
    return this.node(pass.loop).form === "items"
      ? itemOf(pathOf(pass.loop, outer), pass.index)
      : String(pass.index + 1);
  }

  private made(node: Drawn, where: Where): string {
    const parents = this.parentsOf(node.id)
      .map((edge) => this.seen(edge, where))
      .map(({ live, value }) => (live ? value : "-"));
    const loops = where.flatMap((pass) => {
      const counter = `i_${pass.loop}=${pass.index + 1}`;
      return this.node(pass.loop).form === "items"
        ? [counter, `item_${pass.loop}=${this.current(pass, where)}`]
        : [counter];
    });
    const named = [...this.namesOf(node, where, false), ...this.refsOf(node, where)];
    return product(node.id, [...parents, ...named, ...loops.sort()]);
  }

  private refsOf(node: Drawn, where: Where): string[] {
    return this.referred(node).map((reference) => this.seen(reference, where).value);
  }

  private namesOf(node: Drawn, where: Where, inLoop: boolean): string[] {
    return node.names.map((name) => this.nameValue(node.id, name, where, inLoop));
  }

  private nameValue(reader: string, name: string, where: Where, inLoop: boolean): string {
    const read = this.reading(reader, name, where, inLoop);
    const node = this.node(name);
    if (read.kind === "here" && name === reader) return this.before(node, where);
    if (read.kind === "here") return this.meaning(name, read.where).value;
    if (read.kind === "behind")
      return this.lastOf(node, read.where, read.where.length, this.passes(read.loop, read.where)) ?? node.initial ?? "";
    const pass = read.where.at(-1);
    return (
      (pass && this.lastOf(node, read.where.slice(0, -1), read.where.length - 1, pass.index)) ?? node.initial ?? ""
    );
  }

  /**
   * How a node outside of loops sees itself while it is decided: an accumulator sees nothing, so its initial value
   * does not count yet.
   */
  private before(node: Drawn, _where: Where): string {
    return node.type === "accumulator" ? "" : (node.initial ?? "");
  }

  /** The last value among the first `passes` iterations of the loop around `name` at this depth. */
  private lastOf(node: Drawn, where: Where, depth: number, passes: number): string | undefined {
    const loop = this.around(node.id)[depth];
    if (loop === undefined) {
      const { status, value } = this.meaning(node.id, where);
      return status === "succeeded" ? value : node.type === "accumulator" ? undefined : "";
    }
    for (let index = passes - 1; index >= 0; index--) {
      const pass = [...where, { loop, index }];
      const next = this.around(node.id)[depth + 1];
      const value = this.lastOf(node, pass, depth + 1, next === undefined ? 0 : this.passes(next, pass));
      // A variable has the value of the last iteration; an accumulator that of the last time it collected.
      if (value !== undefined || node.type !== "accumulator") return value;
    }
    return undefined;
  }

  /**
   * How `reader` reads `name` from this place: in the iterations around it, after a loop beside it, or from the
   * previous iteration.
   */
  private reading(
    reader: string,
    name: string,
    where: Where,
    inLoop: boolean,
  ): { kind: "here" | "carried"; where: Where } | { kind: "behind"; where: Where; loop: string } {
    const loops = loopsOf(where);
    const target = this.around(name);
    const shared = target.findIndex((loop, depth) => loops[depth] !== loop);
    const depth = shared === -1 ? target.length : shared;
    if (this.carriedBy(reader, name, inLoop) !== undefined) return { kind: "carried", where: where.slice(0, depth) };
    const loop = target[depth];
    if (loop === undefined) return { kind: "here", where: where.slice(0, depth) };
    return { kind: "behind", where: where.slice(0, depth), loop };
  }

  /** The innermost loop around both in which the edges lead from the reader to what it names. */
  private carriedBy(reader: string, name: string, inLoop: boolean): string | undefined {
    return this.once(`carried ${reader} ${name} ${inLoop}`, () => {
      const node = this.node(reader);
      const own = !inLoop
        ? []
        : node.type === "loop-end"
          ? [this.startOf(reader)]
          : node.type === "loop-start"
            ? [reader]
            : [];
      const place = [...this.around(reader), ...own];
      const target = this.around(name);
      let depth = 0;
      while (depth < place.length && place[depth] === target[depth]) depth++;
      if (depth === 0) return undefined;
      const inner = target[depth];
      const behind = inner === undefined ? name : this.endOf(inner).id;
      return reader === behind || this.leads(reader, behind) ? place[depth - 1] : undefined;
    });
  }

  private contribution(node: Drawn, where: Where): string[] {
    const { status } = this.statusOnly(node.id, where);
    if (status !== "succeeded") return [];
    const isFirst = this.earlier(node.id, where).every(
      (at) => this.statusOnly(node.id, at).status !== "succeeded" || this.contribution(node, at).length === 0,
    );
    const initial = isFirst && node.initial !== undefined ? [node.initial] : [];
    if (node.content === true) return [...initial, this.made(node, where)];
    const edges = this.parentsOf(node.id).map((edge) => this.seen(edge, where));
    return [...initial, ...edges.filter((edge) => edge.live).map((edge) => edge.value)];
  }

  /** Whether an accumulator collects at all, without its value (which depends on this). */
  private statusOnly(id: string, where: Where): { status: string } {
    return this.once(`collects ${pathOf(id, where)}`, () => {
      if (outcomeOf(this.drawing, this.node(id), pathOf(id, where)) === "fail") return { status: "failed" };
      const edges = this.parentsOf(id).map((edge) => this.seen(edge, where));
      if (edges.some((edge) => edge.source?.fatal === true || edge.source?.status === "never"))
        return { status: "never" };
      return { status: edges.length === 0 || edges.some((edge) => edge.live) ? "succeeded" : "skipped" };
    });
  }

  /** All places of this node before `where`, in lexicographic order of their iterations. */
  private earlier(id: string, where: Where): Where[] {
    const loops = this.around(id);
    const walk = (at: Where): Where[] => {
      const loop = loops[at.length];
      if (loop === undefined) return [at];
      const all: Where[] = [];
      const own = where[at.length];
      const isOnTheWay = at.every(({ index }, depth) => index === where[depth]?.index);
      const most = isOnTheWay && own !== undefined ? own.index + 1 : this.passes(loop, at);
      for (let index = 0; index < most; index++) all.push(...walk([...at, { loop, index }]));
      return all;
    };
    return walk([]).filter((at) => pathOf(id, at) !== pathOf(id, where));
  }

  /** The edges into a node. Without any, the nodes that it names by id are its parents. */
  private parentsOf(id: string): Drawing["edges"] {
    return this.once(`parents ${id}`, () => {
      const drawn = this.drawing.edges.filter((edge) => edge.to === id);
      return drawn.length > 0 ? drawn : this.referred(this.node(id));
    });
  }

  /** The nodes that it names by id, as edges. */
  private referred(node: Drawn): Drawing["edges"] {
    return referredBy(node).map((from) => ({ from, to: node.id }));
  }

  /** Names in its content, as seen from the node's own place. */
  private namedBy(node: Drawn): string[] {
    return node.type === "loop-start" || node.type === "loop-end" ? [] : node.names;
  }

  /** The loops around a node, outermost first: those of its parents, opened by starts and closed by ends. */
  private around(id: string): readonly string[] {
    return this.once(`around ${id}`, () => {
      if (this.isFinally(id)) return [];
      const inside = this.insideOf(id);
      return this.node(id).type === "loop-end" ? inside.slice(0, -1) : inside;
    });
  }

  private insideOf(id: string): readonly string[] {
    return this.parentsOf(id)
      .map(({ from }) => (this.isStart(from) ? [...this.around(from), from] : this.around(from)))
      .reduce<readonly string[]>((longest, loops) => (loops.length > longest.length ? loops : longest), []);
  }

  private startOf(end: string): string {
    return this.once(`start of ${end}`, () => this.insideOf(end).at(-1) ?? "");
  }

  private endOf(start: string): Drawn {
    return this.once(`end of ${start}`, () => {
      const end = this.drawing.nodes.find((node) => node.type === "loop-end" && this.startOf(node.id) === start);
      if (end === undefined) throw new Error(`loop ${start} has no end`);
      return end;
    });
  }

  private isOutside(id: string, start: string): boolean {
    return id !== start && !this.around(id).includes(start);
  }

  private visible(id: string, where: Where): Where | undefined {
    const loops = this.around(id);
    return same(loops, loopsOf(where).slice(0, loops.length)) ? where.slice(0, loops.length) : undefined;
  }

  private leads(from: string, to: string): boolean {
    return this.once(`leads ${from} ${to}`, () =>
      this.drawing.nodes.some(
        ({ id }) => this.parentsOf(id).some((edge) => edge.from === from) && (id === to || this.leads(id, to)),
      ),
    );
  }

  private isStart(id: string): boolean {
    return this.node(id).type === "loop-start";
  }

  isFinally(id: string): boolean {
    return this.drawing.finally.includes(id) || this.isOnFailure(id);
  }

  isOnFailure(id: string): boolean {
    return this.drawing.onFailure?.includes(id) === true;
  }

  private node(id: string): Drawn {
    const node = this.byId.get(id);
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }

  private parse(path: string): { id: string; where: Where } {
    const [id = "", ...indexes] = path.replaceAll("]", "").split("[");
    return { id, where: this.around(id).map((loop, depth) => ({ loop, index: Number(indexes[depth]) })) };
  }

  private once<T>(key: string, find: () => T): T {
    if (!this.memo.has(key)) this.memo.set(key, find());
    return this.memo.get(key) as T;
  }
}

function pathOf(id: string, where: Where): string {
  return id + where.map(({ index }) => `[${index}]`).join("");
}

const loopsOf = (where: Where): string[] => where.map(({ loop }) => loop);

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

function join(node: Drawn, parts: string[]): string {
  return node.json === true ? JSON.stringify(parts.map(asJson)) : parts.join("\n");
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
