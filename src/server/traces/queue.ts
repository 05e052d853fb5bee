// Queues finished runs and sends them as traces one by one (spec 2.4).
//   Q1. At most limits.tracesWaitingMax runs wait. Beyond that, the oldest are dropped. Failed sends are not retried.
//   Q2. The log says once that sending fails, and once that it works again and how many runs were dropped.
//   Q3. On close, the queue waits for a receiver that responds, but not for one that is unreachable.

import { limits } from "../../base/limits.ts";

export interface TracesDeps {
  send(run: string): Promise<void>;
  tell(level: "warn" | "info", about: { reason: string } | { leftOut: number }, text: string): void;
}

export class TraceQueue {
  private readonly deps: TracesDeps;
  private readonly waiting: string[] = [];
  private working: Promise<void> | undefined;
  private leftOut = 0;
  private isAway = false;

  constructor(deps: TracesDeps) {
    this.deps = deps;
  }

  add(run: string): void {
    this.waiting.push(run);
    if (this.waiting.length > limits.tracesWaitingMax) {
      this.waiting.shift();
      this.leftOut += 1;
    }
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Q3. */
  async done(): Promise<void> {
    if (!this.isAway) await this.working;
  }

  private async work(): Promise<void> {
    for (let run = this.waiting.shift(); run !== undefined; run = this.waiting.shift())
      await this.deps.send(run).then(
        () => this.sent(),
        (reason: Error) => this.failed(reason),
      );
  }

  private sent(): void {
    const { leftOut } = this;
    if (this.isAway || leftOut > 0) this.deps.tell("info", { leftOut }, "traces are sent again");
    this.isAway = false;
    this.leftOut = 0;
  }

  private failed({ message }: Error): void {
    this.leftOut += 1;
    if (!this.isAway) this.deps.tell("warn", { reason: message }, "traces are not sent; Curlew drops the oldest");
    this.isAway = true;
  }
}
