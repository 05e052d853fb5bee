// The workflow files of the served folder, as routes and triggers use them (spec 2.4).
//   D1. Each change of a file is published once as a `document` message, whoever made it (watch.ts W1).
//   D2. Checks use the same environment and the same trust records as runs of this server.

import { resolve } from "node:path";
import type { RunBar, WorkflowItem } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import { failureIn } from "../../engine/failure-in.ts";
import type { RunStatus } from "../../scheduler/statuses.ts";
import { readSetting } from "../../secrets/config.ts";
import type { RunRow, Store } from "../../store/index.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { duplicateHook } from "../../workflow/diagnostics/trigger.ts";
import { triggersOf } from "../../workflow/triggers/index.ts";
import type { SeenDeps } from "../../workflow/unseen-findings.ts";
import type { Log } from "../log.ts";
import { type AtHead, textAtHead } from "./at-head.ts";
import { Catalog, type Entry } from "./catalog.ts";
import { type Checked, checkFile } from "./check-file.ts";
import { type Condition, type FolderProblem, ServedFolder, type StoredDocument } from "./folder.ts";
import { seenIn } from "./seen.ts";
import { type FolderWatch, watchFolder } from "./watch.ts";

export interface DocumentsDeps {
  home: string;
  /** Absolute, with links resolved. */
  root: string;
  env: NodeJS.ProcessEnv;
  store: Store;
  /** Called when a document changed, or with no etag when it is gone. */
  onChange(path: string, etag: string | undefined): void;
  log: Log;
}

type Standing = Pick<WorkflowItem, "running" | "waiting" | "stuck">;

const NONE: Standing = { running: 0, waiting: 0, stuck: 0 };

export class Documents {
  readonly folder: ServedFolder;
  /** When a schedule next starts the workflow. Set by the triggers part. */
  nextAtOf: (path: string) => Promise<string | undefined> = async () => undefined;
  /** Runs that the server cannot resume. Set by the run host. */
  stuckRuns: () => Iterable<string> = () => [];
  /** The document that owns a webhook path. Set by the triggers part. */
  hookOwnerOf: (hook: string) => string | undefined = () => undefined;
  readonly #deps: DocumentsDeps;
  readonly #environment: readonly string[];
  readonly #catalog: Catalog;
  #watch: FolderWatch | undefined;

  constructor(deps: DocumentsDeps) {
    this.#deps = deps;
    this.#environment = Object.keys(deps.env);
    this.folder = new ServedFolder(deps.root);
    this.#catalog = new Catalog(this.folder, this.#environment);
  }

  /** The absolute path. `folder` must have accepted `path` already. */
  fileOf(path: string): string {
    return resolve(this.#deps.root, path);
  }

  /** Checks the document and its subflows, as before a run. */
  async check(path: string, text: string): Promise<Checked> {
    const checked = await checkFile(text, path, this.#deps.root, this.#environment, await this.#trust());
    return { ...checked, diagnostics: [...checked.diagnostics, ...this.#hooksOfOthers(path, checked)] };
  }

  /** A webhook path belongs to one document of the folder (spec 2.5). */
  #hooksOfOthers(path: string, { tree, workflow }: Checked): Diagnostic[] {
    const source = tree.sources.get(path);
    return triggersOf(workflow ?? {}).flatMap((trigger) => {
      const owner = trigger.kind === "webhook" ? this.hookOwnerOf(trigger.path) : undefined;
      if (trigger.kind !== "webhook" || source === undefined || owner === undefined || owner === path) return [];
      const range = source.range(["on", trigger.index, "webhook", "path"]);
      return [duplicateHook({ file: path, range }, trigger.path, `by ${owner}`)];
    });
  }

  /** The document as it is committed at git's HEAD. */
  async atHead(path: string): Promise<AtHead> {
    const asked = this.folder.inFolderOf(path, (folder, name) => textAtHead(folder, name, this.#deps.env));
    return asked.ok ? await asked.value : asked;
  }

  write(path: string, text: string, condition: Condition): Result<StoredDocument & { made: boolean }, FolderProblem> {
    const written = this.folder.write(path, text, condition);
    if (written.ok) this.#changed(path, written.value.etag);
    return written;
  }

  remove(path: string, condition: Condition): Result<void, FolderProblem> {
    const removed = this.folder.remove(path, condition);
    if (removed.ok) this.#changed(path, undefined);
    return removed;
  }

  rename(path: string, to: string, condition: Condition): Result<StoredDocument, FolderProblem> {
    const renamed = this.folder.rename(path, to, condition);
    if (renamed.ok) {
      this.#changed(path, undefined);
      this.#changed(to, renamed.value.etag);
    }
    return renamed;
  }

  /** A summary of each file. `cut`: the folder has more files than are listed. */
  async entries(): Promise<{ entries: Entry[]; cut: boolean }> {
    return this.#catalog.entries(await this.#trust());
  }

  /** The entries, with data from the run history. */
  async items(): Promise<{ items: WorkflowItem[]; cut: boolean }> {
    const { entries, cut } = await this.entries();
    const open = await this.#open();
    const seen = await (await this.#trust()).known(entries.flatMap(({ hashes }) => hashes));
    return { items: await Promise.all(entries.map((entry) => this.#item(entry, open, seen))), cut };
  }

  async #item(
    { hashes, secrets: _, titles: __, ...entry }: Entry,
    open: ReadonlyMap<string, Standing>,
    seen: ReadonlySet<string>,
  ): Promise<WorkflowItem> {
    const file = this.fileOf(entry.path);
    const nextAt = await this.nextAtOf(entry.path);
    return {
      ...entry,
      inert: hashes.some((hash) => !seen.has(hash)) || undefined,
      nextAt,
      ...(open.get(file) ?? NONE),
      recent: await this.#recent(file),
    };
  }

  /** Unfinished runs by file. Stuck runs are counted as stuck and not by their recorded status. */
  async #open(): Promise<Map<string, Standing>> {
    const { journal } = this.#deps.store;
    const byFile = new Map<string, Standing>();
    const add = (file: string, status: RunStatus, runs: number, asking: number, stuck: number): void => {
      const { running, waiting, stuck: before } = byFile.get(file) ?? NONE;
      byFile.set(file, {
        running: running + (status === "waiting" ? 0 : runs),
        waiting: waiting + (status === "waiting" ? runs : asking),
        stuck: before + stuck,
      });
    };
    const counts = await journal.openCounts();
    for (const { file, status, isPart, runs, empty, asking } of counts.ok ? counts.value : [])
      if (!isPart) add(file, status, runs - empty, asking, empty);
    for (const id of this.stuckRuns()) {
      const row = await journal.findRun(id);
      if (!row.ok || row.value.endedAt !== undefined || row.value.parent !== undefined) continue;
      add(row.value.file, row.value.status, -1, row.value.waiting > 0 ? -1 : 0, 1);
    }
    return byFile;
  }

  /** Tests of single nodes are left out. */
  async #recent(file: string): Promise<RunBar[]> {
    const page = await this.#deps.store.journal.listRuns({
      workflow: file,
      tests: false,
      limit: limits.recentRunsShown,
    });
    if (!page.ok) return [];
    const [newest, ...before] = page.value.runs;
    if (newest === undefined) return [];
    return [...before.map(barOf).reverse(), { ...barOf(newest), failure: await this.failureOf(newest) }];
  }

  /** Where and why a run failed, with the title of the node in the current file. */
  async failureOf(row: RunRow): Promise<RunBar["failure"]> {
    const failure = await failureIn(row, this.#deps.store.journal);
    return failure && { ...failure, title: this.#catalog.titlesOf(row.file)?.[failure.node] };
  }

  #trust(): Promise<SeenDeps> {
    return seenIn(this.#deps.home, this.#deps.root, this.#deps.store);
  }

  /** Why the setting `trust` cannot be read, or undefined if it can. */
  async seenProblem(): Promise<string | undefined> {
    const mode = await readSetting(this.#deps.home, "trust");
    return mode.ok ? undefined : mode.error.message.replaceAll(`${this.#deps.home}/`, "");
  }

  #changed(path: string, etag: string | undefined): void {
    this.#watch?.known(path, etag);
    this.#deps.onChange(path, etag);
  }

  /** Returns at once. `ready` resolves when every existing folder is watched. */
  startWatching(): { ready: Promise<void>; close(): Promise<void> } {
    const { log, onChange } = this.#deps;
    const onTrouble = (error: unknown) => log.warn({ err: error }, "the folder cannot be watched in every part");
    // Check all files early, so that the first request for the list does not have to wait.
    const warmed = this.entries().catch((error: unknown) => log.warn({ err: error }, "the folder cannot be listed"));
    const started = watchFolder({ folder: this.folder, onChange, onTrouble })
      .then((watch) => {
        this.#watch = watch;
      })
      .catch(onTrouble);
    const close = async () => {
      this.#catalog.end();
      await Promise.all([started, warmed]);
      await this.#watch?.close();
    };
    return { ready: started, close };
  }
}

function barOf({ id, status, startedAt, endedAt }: RunRow): RunBar {
  const durationMs = endedAt === undefined ? undefined : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
  return { id, status, startedAt, durationMs };
}
