// Decides starts when a file is created, changed, or removed (spec 2.5).
//   F1. The current files are compared with those seen before, so a change is found however it was noticed, even if no
//       server was running. Files that exist when a watch is new start nothing.
//   F2. A file counts once it has not changed for limits.watchQuietMs.
//   F3. The seen state and the resulting start are one transaction, so that no change is lost or starts two runs.
//   F4. While a watch is paused, changes are recorded but start nothing.
//   F5. A replaced folder is noticed within limits.triggerLookMs. From then on it is read every limits.triggerAgainMs,
//       because the system keeps watching the old folder for this whole process.
// A run does not get the contents of the file. Its workflow reads what it needs.

import { dirname } from "node:path";
import type { FSWatcher } from "chokidar";
import { limits } from "../../base/limits.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import type { WatchedChange } from "../../store/index.ts";
import type { FileTrigger } from "../../workflow/triggers/index.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import type { ActiveKind, KindDeps, ListedTrigger } from "./kind.ts";
import { filesOf, snapshotOf, watchedRoots } from "./watched-files.ts";

type Watch = ActiveTrigger<FileTrigger>;

export type WatchesDeps = Pick<KindDeps, "store" | "log" | "clock" | "newRunId" | "decided">;

interface Live {
  armed: Watch;
  watcher: FSWatcher | undefined;
  /** F5. Identifies the watched folders, to notice when they are replaced. */
  stand: string;
  isReplaced: boolean;
  /** Files that changed too recently (F2), and since when they have been the same. */
  resting: Map<string, { mark: string; sinceMs: number }>;
  timer: NodeJS.Timeout | undefined;
  /** One comparison at a time, so that a change is decided once. */
  compare(): Promise<void>;
  problem?: string;
}

export class Watches implements ActiveKind<FileTrigger> {
  private readonly deps: WatchesDeps;
  private readonly live = new Map<string, Live>();
  private closed = false;

  constructor(deps: WatchesDeps) {
    this.deps = deps;
  }

  async arm(armed: readonly Watch[]): Promise<void> {
    const wanted = new Map(armed.flatMap((one) => (one.problem === undefined ? [[one.id, one] as const] : [])));
    for (const [id, one] of this.live) if (!wanted.has(id)) await this.end(id, one);
    for (const [id, one] of wanted) {
      const live = this.live.get(id);
      if (live !== undefined) live.armed = one;
      else await this.begin(one);
    }
  }

  list(watches: readonly Watch[]): ListedTrigger[] {
    return watches.map(({ id, trigger: { paths, on } }) => ({
      title: `file ${paths.join(", ")} (${on.join(", ")})`,
      problem: this.live.get(id)?.problem,
    }));
  }

  async disarm(): Promise<void> {
    this.closed = true;
    for (const [id, live] of this.live) await this.end(id, live);
  }

  private async begin(armed: Watch): Promise<void> {
    const live: Live = {
      armed,
      watcher: undefined,
      stand: "",
      isReplaced: false,
      resting: new Map(),
      timer: undefined,
      compare: oneAtATime(() => this.compare(live)),
    };
    this.live.set(armed.id, live);
    const folder = dirname(armed.file);
    const isNew = await this.deps.store.triggers.state(armed.id);
    if (isNew.ok && isNew.value === undefined)
      await this.deps.store.triggers.remember(armed.id, filesOf(folder, armed.trigger.paths).marks);
    // Must come last: if only some files were remembered, the next start remembers them again.
    const seen = await this.deps.store.triggers.seen(armed.id, this.deps.clock.nowMs());
    if (!isNew.ok || !seen.ok) {
      live.problem = "The store does not respond.";
      return;
    }
    await this.watch(live);
  }

  /** F5. */
  look(): void {
    for (const live of this.live.values()) {
      const { file, trigger } = live.armed;
      if (live.watcher === undefined || live.isReplaced) continue;
      live.isReplaced = snapshotOf(dirname(file), trigger.paths) !== live.stand;
      if (live.isReplaced) this.soon(live, 0);
    }
  }

  private async watch(live: Live): Promise<void> {
    const { watch } = await import("chokidar");
    const { armed } = live;
    if (this.closed || this.live.get(armed.id) !== live) return;
    const folder = dirname(armed.file);
    live.stand = snapshotOf(folder, armed.trigger.paths);
    const nudge = (): void => this.soon(live, 0);
    live.watcher = watch(watchedRoots(folder, armed.trigger.paths), {
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      ignored: (path) => /(?:^|[/\\])(?:node_modules|\.git)$/.test(path),
    });
    live.watcher.on("all", nudge).on("ready", nudge);
    live.watcher.on("error", (reason) => {
      live.problem = `Watching failed: ${(reason as NodeJS.ErrnoException).code ?? "unknown reason"}.`;
      this.deps.log.warn(
        { trigger: armed.id, code: (reason as NodeJS.ErrnoException).code },
        "a file watch has trouble",
      );
    });
  }

  private async end(id: string, live: Live): Promise<void> {
    this.live.delete(id);
    clearTimeout(live.timer);
    await live.watcher?.close();
  }

  private soon(live: Live, waitMs: number): void {
    if (this.closed || live.timer !== undefined) return;
    live.timer = setTimeout(() => {
      live.timer = undefined;
      void live.compare();
    }, waitMs).unref();
  }

  private async compare(live: Live): Promise<void> {
    const { id, file, trigger } = live.armed;
    if (this.live.get(id) !== live) return;
    const known = await this.deps.store.triggers.watched(id);
    const state = await this.deps.store.triggers.state(id);
    if (!known.ok || !state.ok) {
      this.soon(live, limits.triggerAgainMs);
      return;
    }
    const { marks, cut } = filesOf(dirname(file), trigger.paths);
    if (cut) live.problem = `There are more than ${limits.watchedFilesMax} files. Curlew does not watch the rest.`;
    const nowMs = this.deps.clock.nowMs();
    const isPaused = state.value?.paused === true;
    const changes: WatchedChange[] = [];
    for (const [path, mark] of marks)
      if (known.value.get(path) !== mark && this.rests(live, path, mark, nowMs))
        changes.push(this.changeOf(live.armed, path, mark, known.value.has(path) ? "change" : "add", isPaused, nowMs));
    // If the folder was cut, a missing file may only be beyond the limit.
    if (!cut)
      for (const path of known.value.keys())
        if (!marks.has(path)) changes.push(this.changeOf(live.armed, path, undefined, "remove", isPaused, nowMs));
    for (const path of live.resting.keys()) if (!marks.has(path)) live.resting.delete(path);
    if (live.resting.size > 0) this.soon(live, limits.watchQuietMs);
    else if (live.isReplaced) this.soon(live, limits.triggerAgainMs);
    if (changes.length > 0) await this.decide(live, changes, nowMs);
  }

  /** F2. */
  private rests(live: Live, path: string, mark: string, nowMs: number): boolean {
    const before = live.resting.get(path);
    if (before?.mark !== mark) live.resting.set(path, { mark, sinceMs: nowMs });
    else if (nowMs - before.sinceMs >= limits.watchQuietMs) {
      live.resting.delete(path);
      return true;
    }
    return false;
  }

  private changeOf(
    { id, file, trigger }: Watch,
    path: string,
    mark: string | undefined,
    change: FileTrigger["on"][number],
    isPaused: boolean,
    nowMs: number,
  ): WatchedChange {
    const seen = { path, mark };
    if (isPaused || !trigger.on.includes(change)) return seen;
    const run = this.deps.newRunId();
    const event = JSON.stringify({ path, change });
    const startedBy = { kind: "file" as const, by: path, at: new Date(nowMs).toISOString() };
    return { ...seen, start: { run, trigger: id, key: run, startedBy, file, event } };
  }

  /** F3. */
  private async decide(live: Live, changes: WatchedChange[], nowMs: number): Promise<void> {
    const { id } = live.armed;
    const decided = await this.deps.store.triggers.decideWatched(id, nowMs, changes);
    if (!decided.ok) {
      this.deps.log.error(
        { code: decided.error.code, trigger: id },
        "changes could not be recorded; they are seen again",
      );
      this.soon(live, limits.triggerAgainMs);
    } else if (decided.value.length > 0) this.deps.decided();
  }
}
