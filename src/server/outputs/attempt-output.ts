// Finds the output and value of a node of a run by the path that people use (spec 2.7).
//   O1. `sub/gate` is the node `gate` in the run of the subflow `sub`, started by its newest attempt.
//   O2. Results are cached, because a screen that follows an output asks many times per second.

import type { AttemptDetail, AttemptEnd } from "../../base/attempt.ts";
import { Recent } from "../../base/recent.ts";
import type { Value } from "../../base/value.ts";
import { evolve } from "../../scheduler/evolve.ts";
import { initialState, stateAt } from "../../scheduler/state.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { analyze } from "../../workflow/graph.ts";
import { parseWorkflow } from "../../workflow/parse.ts";

export interface AttemptOutput {
  run: string;
  path: string;
  number: number;
  files: { stdout: string; stderr: string; order: string };
  startedMs: number;
  /** No more output will be written. */
  complete: boolean;
  /** The output goes to a secret Variable and is not in any file. */
  secret: boolean;
  /** Something was printed, so there are files. */
  printed: boolean;
}

interface CachedAttempt {
  detail: AttemptDetail;
  startedMs: number;
  secret: boolean;
  printed: boolean;
  ended: boolean;
  seq: number;
}

const CACHED_MAX = 200;

export class Outputs {
  private readonly cache = new Recent<CachedAttempt>(CACHED_MAX);
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Undefined if there is no such attempt, or it started no program. */
  async attempt(run: RunRow, path: string, number: number): Promise<AttemptOutput | undefined> {
    const place = await this.place(run, path);
    if (place === undefined) return undefined;
    const key = `${place.run.id} ${place.path} ${number}`;
    const before = this.cache.get(key);
    const found = before?.ended === true ? before : await this.read(place.run.id, place.path, number, before);
    if (found?.detail.stdoutFile === undefined || found.detail.stderrFile === undefined) return undefined;
    this.cache.set(key, found);
    const { stdoutFile: stdout, stderrFile: stderr } = found.detail;
    return {
      run: place.run.id,
      path: place.path,
      number,
      files: { stdout, stderr, order: stdout.replace(/\.out$/, ".ord") },
      startedMs: found.startedMs,
      complete: found.ended || (await this.isOver(place.run.id)),
      secret: found.secret,
      printed: found.printed,
    };
  }

  /** The output value of a node, or undefined if it has none. `folder`: where its files are. */
  async value(run: RunRow, path: string): Promise<{ value: Value; run: string } | undefined> {
    const place = await this.place(run, path);
    const events = place && (await this.store.journal.read(place.run.id));
    const first = events?.ok === true ? events.value[0] : undefined;
    if (place === undefined || events?.ok !== true || first?.type !== "run.started") return undefined;
    const { workflow } = parseWorkflow(first.workflow.text, first.workflow.file);
    if (workflow === undefined) return undefined;
    let state = initialState(analyze(workflow).graph, { concurrencyDefault: 1 });
    let found: Value | undefined;
    for (const event of events.value) {
      state = evolve(state, event);
      if (!("path" in event) || event.path !== place.path) continue;
      const node = stateAt(state, place.path);
      if (node?.status === "succeeded") found = node.value;
    }
    const last = stateAt(state, place.path);
    if (last?.status === "succeeded") found = last.value;
    return found === undefined ? undefined : { value: found, run: place.run.id };
  }

  /** O1. */
  private async place(run: RunRow, path: string): Promise<{ run: RunRow; path: string } | undefined> {
    let at = run;
    const parts = path.split("/");
    for (const part of parts.slice(0, -1)) {
      let child: string | undefined;
      await this.store.journal.each(at.id, 1, (event) => {
        if (event.type === "attempt.started" && event.path === part) child = event.detail.childRun ?? child;
      });
      const found = child === undefined ? undefined : await this.store.journal.findRun(child);
      if (found?.ok !== true) return undefined;
      at = found.value;
    }
    return { run: at, path: parts.at(-1)! };
  }

  private async read(
    run: string,
    path: string,
    number: number,
    before: CachedAttempt | undefined,
  ): Promise<CachedAttempt | undefined> {
    let found = before;
    await this.store.journal.each(run, (before?.seq ?? 0) + 1, (event) => {
      const { seq } = event;
      if (found !== undefined) found = { ...found, seq };
      if (!("path" in event) || event.path !== path) return;
      if (event.type === "node.kept" && event.attempt?.number === number) {
        const { detail, startedAt, end } = event.attempt;
        found = { detail, startedMs: Date.parse(startedAt), ...outputOf(end), ended: true, seq };
      }
      if (!event.type.startsWith("attempt.") || !("number" in event) || event.number !== number) return;
      if (event.type === "attempt.started")
        found = { detail: event.detail, startedMs: Date.parse(event.at), ...outputOf(), ended: false, seq };
      else if (found !== undefined && !CONTINUES.has(event.type)) {
        found = { ...found, ...outputOf("end" in event ? event.end : undefined), ended: true, seq };
      }
    });
    return found;
  }

  private async isOver(run: string): Promise<boolean> {
    const row = await this.store.journal.findRun(run);
    return row.ok && row.value.endedAt !== undefined;
  }
}

function outputOf(end?: AttemptEnd): Pick<CachedAttempt, "secret" | "printed"> {
  const { stdout, stderr } = end ?? {};
  return { secret: stdout?.secret === true, printed: (stdout?.bytes ?? 0) + (stderr?.bytes ?? 0) > 0 };
}

const CONTINUES = new Set(["attempt.adopted", "attempt.paused", "attempt.resumed"]);
