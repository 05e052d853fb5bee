// generate: a random drawing from a seed: branches, merges, loops of all forms in loops, variables, accumulators, error
// branches, finally, values by id.
//   N1. The same seed gives the same drawing and script. Both are printed with every find.
//   N2. If the graph rejects a drawing (a variable that waits for itself, a value from inside a loop), the drawing
//       names fewer variables and nodes. No case is dropped.

import { analyze } from "../../src/workflow/graph.ts";
import { type Drawing, type Drawn, workflowOf } from "./drawing.ts";

export type Random = () => number;

/** Mulberry32: small, fast, good enough to shuffle with. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function generate(seed: number): Drawing {
  const generator = new Generator(seed);
  const drawing = generator.draw();
  for (let round = 0; ; round++) {
    const problems = problemsOf(drawing);
    if (problems.length === 0) return generator.refer();
    const naming = drawing.nodes.filter((node) => node.names.length > 0);
    if (naming.length === 0) throw new Error(`seed ${seed}: ${JSON.stringify(problems)}`);
    naming[round % naming.length]?.names.pop();
  }
}

const problemsOf = (drawing: Drawing) => analyze(workflowOf(drawing)).problems;

class Generator {
  private readonly random: Random;
  private readonly drawing: Drawing;
  private left: number;

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.left = 2 + this.below(14);
    this.drawing = { nodes: [], edges: [], finally: [], concurrency: 1 + this.below(4), script: {}, seed };
  }

  draw(): Drawing {
    const root = this.scope([], [], 0);
    this.drawing.nodes = this.shuffled(this.drawing.nodes);
    this.drawing.edges = this.shuffled(this.drawing.edges);
    this.mention();
    if (this.one(4)) this.addFinally(root);
    if (this.one(10)) this.drawing.timeout = this.among(["500ms", "1s", "1500ms"]);
    return this.drawing;
  }

  /**
   * Draws nodes that follow `entry` (a loop's start) or nothing. Returns those that later nodes of the scope may
   * follow.
   */
  private scope(entry: string[], outside: string[], depth: number): string[] {
    const open = [...entry];
    const items = 1 + this.below(depth === 0 ? 7 : 3);
    for (let item = 0; item < items && this.left > 0; item++) {
      this.left -= 1;
      if (depth < 3 && this.one(4)) open.push(this.loop(open, outside, depth));
      else open.push(this.plain(open, outside));
    }
    return open;
  }

  private plain(open: string[], outside: string[]): string {
    const types: Drawn["type"][] = ["cli", "cli", "cli", "subflow", "text", "variable", "if", "if", "accumulator"];
    if (outside.length > 0) types.push("accumulator", "variable");
    else types.push("start");
    const node = this.add(this.among(types));
    if ((node.type === "cli" || node.type === "subflow") && this.one(4)) node.continueOnError = true;
    if (node.type === "cli" && this.one(8)) node.approve = true;
    if ((node.type === "cli" || node.type === "variable") && this.one(6)) node.stores = true;
    if (node.type === "variable" || node.type === "accumulator") {
      if (this.one(2)) node.initial = `initial-${node.id}`;
      if (this.one(3)) node.content = true;
    }
    if (node.type === "accumulator" && this.one(2)) node.json = true;
    if (node.type === "if" && !this.one(3)) node.content = true;
    this.hang(node.id, open, outside);
    return node.id;
  }

  private loop(open: string[], outside: string[], depth: number): string {
    const start = this.add("loop-start");
    start.form = this.among(["iterations", "iterations", "items", "while", "forever"]);
    if (start.form !== "forever") start.passes = this.below(5);
    if (this.one(2)) start.max = 2 + this.below(3);
    this.hang(start.id, open, outside);
    const before = this.drawing.edges.length;
    const body = this.scope([start.id], [...outside, ...open], depth + 1);
    const end = this.add("loop-end");
    if (start.form === "forever" || this.one(4)) end.until = this.below(3);
    const inner = new Set(this.drawing.edges.slice(before).map(({ from }) => from));
    // A node without a successor leads to the end, so that the body is closed. Sometimes more nodes do.
    for (const id of body) if (!inner.has(id) || this.one(5)) this.connect(id, end.id);
    if (!this.drawing.edges.some(({ to }) => to === end.id)) this.connect(start.id, end.id);
    if (outside.length + open.length > 0 && this.one(8)) this.connect(this.among([...outside, ...open]), end.id);
    return end.id;
  }

  /** Edges into a node: some from its own scope, sometimes one from outside the loop. */
  private hang(id: string, open: string[], outside: string[]): void {
    const inLoop = open[0] !== undefined && this.node(open[0]).type === "loop-start";
    const sources = this.shuffled(open).slice(0, inLoop ? 1 + this.below(2) : this.below(4));
    for (const source of sources) this.connect(source, id);
    if (outside.length > 0 && sources.length > 0 && this.one(5)) this.connect(this.among(outside), id);
  }

  private connect(from: string, to: string): void {
    if (from === to) return;
    const { type } = this.node(from);
    const handle = type === "if" ? this.among(["true", "false"]) : type === "cli" && this.one(5) ? "error" : undefined;
    this.drawing.edges.push({ from, to, ...(handle === undefined ? {} : { handle }) });
    if (type === "if" && this.one(6))
      this.drawing.edges.push({ from, to, handle: handle === "true" ? "false" : "true" });
  }

  private mention(): void {
    const named = this.drawing.nodes
      .filter(({ type }) => type === "variable" || type === "accumulator")
      .map(({ id }) => id);
    if (named.length === 0) return;
    for (const node of this.drawing.nodes) {
      const can =
        node.type === "cli" ||
        node.type === "text" ||
        node.form === "while" ||
        node.until !== undefined ||
        (node.content === true && node.type !== "start");
      if (!can || !this.one(2)) continue;
      node.names = [...new Set(Array.from({ length: 1 + this.below(2) }, () => this.among(named)))];
    }
  }

  /** Values by id, most of them of nodes that were drawn before. The graph says which nodes may be named. */
  refer(): Drawing {
    const { nodes, edges, finally: last, onFailure = [] } = this.drawing;
    if (this.one(3)) return this.drawing;
    for (const node of nodes) {
      const can =
        ["cli", "text", "subflow"].includes(node.type) ||
        (node.type === "if" && node.content === true) ||
        node.form === "while" ||
        node.until !== undefined;
      // A node without edges starts when the nodes that it names are settled.
      if (!can || !this.one(edges.some(({ to }) => to === node.id) ? 2 : 1)) continue;
      // When the run has ended early, which nodes have a value depends on the order.
      if ([...last, ...onFailure].includes(node.id) || this.one(4)) node.lenient = true;
      node.refs = [];
      for (let count = 1 + this.below(2); count > 0; count--) this.referTo(node);
    }
    return this.drawing;
  }

  private referTo(node: Drawn): void {
    const isBefore = ({ id }: Drawn) => Number(id.slice(1)) < Number(node.id.slice(1));
    // A Variable's id is its name, so it is never a reference.
    const others = this.drawing.nodes.filter(({ type }) => type !== "variable" && type !== "accumulator");
    const named = this.among(this.one(4) ? others : others.filter(isBefore))?.id;
    if (named === undefined || named === node.id) return;
    const { refs, stdin } = node;
    if (node.type === "cli" && node.lenient !== true && this.one(3)) node.stdin = named;
    else node.refs = [...new Set([...(refs ?? []), named])];
    if (problemsOf(this.drawing).length > 0) Object.assign(node, { refs, stdin });
  }

  private addFinally(root: string[]): void {
    const first = this.add("cli");
    this.drawing.finally.push(first.id);
    if (this.one(2)) this.connect(this.among(root), first.id);
    const named = this.drawing.nodes.filter(({ type }) => type === "variable" || type === "accumulator");
    if (named.length > 0 && this.one(2)) first.names = [this.among(named).id];
    if (this.one(2)) {
      const warn = this.add(this.among(["cli", "text"]));
      this.drawing.onFailure = [warn.id];
      if (this.one(2)) this.drawing.edges.push({ from: warn.id, to: first.id });
    }
    if (!this.one(2)) return;
    const second = this.add(this.among(["cli", "text"]));
    this.drawing.finally.push(second.id);
    this.drawing.edges.push({ from: first.id, to: second.id });
  }

  private add(type: Drawn["type"]): Drawn {
    const node: Drawn = { id: `${type.replace("loop-", "").slice(0, 1)}${this.drawing.nodes.length}`, type, names: [] };
    this.drawing.nodes.push(node);
    return node;
  }

  private node(id: string): Drawn {
    return this.drawing.nodes.find((node) => node.id === id) as Drawn;
  }

  private below(most: number): number {
    return Math.floor(this.random() * most);
  }

  private one(inHowMany: number): boolean {
    return this.below(inHowMany) === 0;
  }

  private among<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  private shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  }
}
