// suspended: suspended attempts of subflows, and those of them that can continue (spec 3.5, 5.3).
//   S1. A suspended attempt keeps its place. An answer recorded elsewhere, while its run was busy or inactive, counts
//       as news.

import type { Attempt } from "../../kinds/executor.ts";
import { type RunState, stateAt } from "../../scheduler/state.ts";
import type { StartAction } from "./driver-work.ts";

export class Suspended {
  /** Keys of attempts that can continue. */
  readonly pendingInput = new Set<string>();
  private readonly suspended = new Map<string, StartAction>();
  private readonly running: ReadonlyMap<string, Attempt>;

  /** `running`: all attempts, by the same keys. */
  constructor(running: ReadonlyMap<string, Attempt>) {
    this.running = running;
  }

  get size(): number {
    return this.suspended.size;
  }

  add(key: string, action: StartAction): void {
    this.suspended.set(key, action);
  }

  delete(key: string): void {
    this.suspended.delete(key);
    this.pendingInput.delete(key);
  }

  /** Undefined if the attempt is not suspended. */
  take(key: string): StartAction | undefined {
    const action = this.suspended.get(key);
    this.delete(key);
    return action;
  }

  /** S1. Returns whether there is any news. */
  async lookForPendingInput(state: RunState): Promise<boolean> {
    for (const [key, { path }] of [...this.suspended]) {
      const seen = stateAt(state, path)?.paused?.seen;
      if (seen === undefined || !(await this.running.get(key)?.pausing?.hasPendingInput(seen))) continue;
      if (this.suspended.has(key)) this.pendingInput.add(key);
    }
    return this.pendingInput.size > 0;
  }
}
