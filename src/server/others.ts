// Notices when another process writes to the store: quickly while one is writing, at
// little cost otherwise (spec 5.4 "idle").
//   O1. A number in the store tells whether another process has written. A change of the log file
//       only tells when to read that number.
//   O2. The log is watched only while no process writes. While one writes often, the
//       number is read at intervals instead.
//   O3. The log changes before the commit is complete. After a change, the number is read often for a moment. It is
//       also read rarely all the time, so that no write is missed for good.
//   O4. If the log cannot be watched, the number is read often enough to notice a write soon.
//       Only Linux reports every write at once.

import { type FSWatcher, watch } from "node:fs";
import { limits } from "../base/limits.ts";

export class Others {
  private readonly hasChanged: () => boolean;
  private log: string | undefined;
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private changedAt = Number.NEGATIVE_INFINITY;
  private touchedAt = Number.NEGATIVE_INFINITY;

  /** `log`: the file that every writer changes. `hasChanged` reads the number and notifies listeners. */
  constructor(log: string | undefined, hasChanged: () => boolean) {
    this.log = process.platform === "linux" ? log : undefined;
    this.hasChanged = hasChanged;
    this.askLater();
  }

  close(): void {
    clearTimeout(this.timer);
    this.log = undefined;
    this.unwatch();
  }

  private ask(): void {
    if (this.hasChanged()) this.changedAt = performance.now();
    this.askLater();
  }

  private askLater(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    const [changedMs, touchedMs] = [now - this.changedAt, now - this.touchedAt];
    if (Math.min(changedMs, touchedMs) <= limits.followQuietMs) this.unwatch();
    else if (this.watcher === undefined && this.watch()) {
      // Catches what was written before the watch started.
      this.ask();
      return;
    }
    const isSoon = changedMs <= limits.followQuietMs || touchedMs <= limits.followTouchedMs;
    const wait = isSoon ? limits.followEveryMs : this.watcher ? limits.followRestMs : limits.followSeldomMs;
    this.timer = setTimeout(() => this.ask(), wait).unref();
  }

  private touched(): void {
    this.touchedAt = performance.now();
    this.ask();
  }

  /** O2. */
  private watch(): boolean {
    if (this.log === undefined) return false;
    try {
      this.watcher = watch(this.log, { persistent: false }, () => this.watcher && this.touched());
      this.watcher.on("error", () => this.withoutLog());
    } catch {
      this.withoutLog();
    }
    return this.watcher !== undefined;
  }

  /** O4. */
  private withoutLog(): void {
    this.log = undefined;
    this.unwatch();
  }

  private unwatch(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}
