// others: asks whether another process has written to the store: soon while one does, hardly ever while nobody does (spec 5.4 "idle").
//   O1. The store's own number says whether. That its log was touched, by whomever, only says when to ask.
//   O2. The log is watched while nobody writes, and no longer: who writes much is asked for in turns, not heard each time.
//   O3. A touch comes before the commit counts: after one it is asked often for a moment. None is missed for good: it is asked seldom all along.
//   O4. Where the log cannot be watched (only Linux tells of every write at once), it is asked as often as one is soon noticed.

import { type FSWatcher, watch } from "node:fs";
import { limits } from "../base/limits.ts";

export class Others {
  private readonly hasChanged: () => boolean;
  private log: string | undefined;
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private changedAt = Number.NEGATIVE_INFINITY;
  private touchedAt = Number.NEGATIVE_INFINITY;

  /** `log`: the file that every writer touches. `hasChanged` is asked, and tells whoever has to know. */
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
      // What was written before it was watched.
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
