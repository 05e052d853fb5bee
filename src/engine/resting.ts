// resting: attempts of subflows that are at rest, and those of them that can go on (spec 3.5, 5.3).
//   S1. An attempt at rest keeps its place; what was answered from elsewhere, while its run was busy or was not running, is news in it.
// Deliberately absent: going on (run-driver.ts R5), which takes a slot.

import type { Attempt } from "../nodes/executor.ts";
import { type RunState, stateAt } from "../scheduler/state.ts";
import type { StartAction } from "./driver-work.ts";

export class Resting {
  /** Those that can go on. */
  readonly news = new Set<string>();
  private readonly resting = new Map<string, StartAction>();
  private readonly running: ReadonlyMap<string, Attempt>;

  /** `running`: the attempts that there are, by the same keys. */
  constructor(running: ReadonlyMap<string, Attempt>) {
    this.running = running;
  }

  get size(): number {
    return this.resting.size;
  }

  add(key: string, action: StartAction): void {
    this.resting.set(key, action);
  }

  delete(key: string): void {
    this.resting.delete(key);
    this.news.delete(key);
  }

  /** Undefined when it does not rest. */
  take(key: string): StartAction | undefined {
    const action = this.resting.get(key);
    this.delete(key);
    return action;
  }

  /** S1. Whether there is any. */
  lookForNews(state: RunState): boolean {
    for (const [key, { path }] of this.resting) {
      const seen = stateAt(state, path)?.paused?.seen;
      if (seen !== undefined && this.running.get(key)?.pausing?.hasNews(seen)) this.news.add(key);
    }
    return this.news.size > 0;
  }
}
