// approvals: a run that waits for approval, answered and resumed from outside, and what its journal says. Each `run`
// and `resume` uses a new engine, as another process would.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { expect } from "vitest";
import { err, ok } from "../../src/base/result.ts";
import type { Clock } from "../../src/engine/clock.ts";
import { type Engine, openEngine, type RunHandle } from "../../src/engine/index.ts";
import { isAlive, thisProcess } from "../../src/engine/recovery/owner.ts";
import type { EventBody, RunEvent } from "../../src/scheduler/event.ts";
import { openStore } from "../../src/store/index.ts";
import { validateTree } from "../../src/workflow/tree.ts";
import { tempFolder } from "../setup/folders.ts";

export type Requested = Extract<RunEvent, { type: "approval.requested" }>;

export interface Went {
  status: string;
  result: string;
  waiting: string[];
  failure: string | undefined;
}

export interface Given {
  env?: Record<string, string>;
  clock?: Clock;
  inAdvance?: string[];
  /** Called with each event and the outermost run. */
  during?(event: RunEvent, handle: RunHandle): unknown;
}

export interface Home {
  /** Folder of the document, and of the home in it. */
  path: string;
  home: string;
  run(given?: Given): Promise<Went>;
  /** The outermost run, or the one that is given. */
  resume(given?: Given & { run?: string }): Promise<Went>;
  /** Every event of the run and its subflows, oldest run first. */
  events(): RunEvent[];
  /** The requests so far, in order. */
  requests(): Requested[];
  /** Records an answer unchanged, whether it is valid or not. */
  record(run: string, body: EventBody): void;
  grant(request: Requested, more?: { edited?: string; hash?: string }): void;
  reject(request: Requested, reason?: string): void;
  /** Removes a run with its outputs. */
  remove(run: string): void;
  /** The outermost run, with these events instead of the recorded ones. */
  replace(events: readonly RunEvent[]): void;
  /** The outermost run's id. */
  id(): string;
}

/** A document in a new folder, without its first two lines. */
export function home(document: string, files: Record<string, string> = {}): Home {
  const path = tempFolder();
  const at = join(path, ".home");
  const texts = { "t.flow.yaml": `curlew: 1\nname: T\n${document}`, ...files };
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const runs = () => readdirSync(join(at, "runs")).sort();
  const told = (request: Requested) => {
    const { run, node, path: place, hash } = request;
    return { run, about: { node, path: place, hash, by: "tester", door: "test", from: { host: hostname() } } };
  };
  const it: Home = {
    path,
    home: at,
    run: async (given = {}) => {
      const file = join(path, "t.flow.yaml");
      const read = (name: string) => readFileSync(name, "utf8");
      const find = async (name: string) => (readable(name) ? ok(read(name)) : err("none"));
      const environment = new Set(Object.keys(given.env ?? {}));
      const tree = await validateTree(read(file), file, find, { environment });
      const problems = tree.diagnostics.filter(({ severity }) => severity === "error");
      expect(problems).toEqual([]);
      const { workflow } = tree;
      if (workflow === undefined) throw new Error("no workflow");
      const subflows = Object.fromEntries(
        [...tree.sources].filter(([name]) => name !== file).map(([name, source]) => [name, source.text]),
      );
      const trigger = { kind: "cli" as const };
      const request = { file, text: read(file), workflow, subflows, inputs: {}, trigger };
      const inAdvance = given.inAdvance === undefined ? {} : { approvedInAdvance: given.inAdvance };
      return went(at, given, (engine) => engine.start({ ...request, ...inAdvance }));
    },
    resume: (given = {}) => went(at, given, (engine) => engine.resume(given.run ?? it.id())),
    id: () => it.events().find((event) => event.type === "run.started" && event.parent === undefined)?.run ?? "",
    events: () =>
      withStore(at, ({ journal }) =>
        runs().flatMap((run) => {
          const read = journal.read(run);
          return read.ok ? read.value : [];
        }),
      ),
    requests: () => it.events().filter((event) => event.type === "approval.requested"),
    record: (run, body) =>
      withStore(at, ({ journal }) => {
        const claimed = journal.claim(run, thisProcess(), isAlive);
        if (!claimed.ok) throw new Error(claimed.error.message);
        const event = { seq: claimed.value.lastSeq + 1, at: new Date().toISOString(), run, ...body } as RunEvent;
        expect(journal.append(run, [event]).ok).toBe(true);
        journal.release(run);
      }),
    grant: (request, more = {}) => {
      const { run, about } = told(request);
      it.record(run, { type: "approval.granted", ...about, ...more });
    },
    remove: (run) => withStore(at, (store) => expect(store.removeRun(run, isAlive).ok).toBe(true)),
    replace: (events) =>
      withStore(at, (store) => {
        const [first] = events;
        const row = store.journal.findRun(it.id());
        if (!row.ok || first === undefined) throw new Error("no run to replace");
        const { id, name, file, trigger, startedAt } = row.value;
        expect(store.removeRun(id, isAlive).ok).toBe(true);
        const plain = events.map(({ seq: _, ...event }, index) => ({ ...event, seq: index + 1 }) as RunEvent);
        const created = store.journal.createRun(
          { id, name, file, trigger, startedAt, status: "running" },
          { events: plain },
        );
        expect(created.ok && store.outputs.folder(id).ok).toBe(true);
      }),
    reject: (request, reason = "no") => {
      const { run, about } = told(request);
      it.record(run, { type: "approval.rejected", ...about, reason });
    },
  };
  return it;
}

async function went(at: string, given: Given, begin: (engine: Engine) => ReturnType<Engine["start"]>): Promise<Went> {
  const { PATH = "", HOME = "", LANG = "" } = process.env;
  let handle: RunHandle | undefined;
  const engine = await openEngine({
    home: at,
    env: { PATH, HOME, LANG, ...given.env },
    ...(given.clock === undefined ? {} : { clock: given.clock }),
    onEvent: (event) => queueMicrotask(() => handle && given.during?.(event, handle)),
  });
  if (!engine.ok) throw new Error(engine.error.message);
  try {
    const begun = await begin(engine.value);
    if (!begun.ok) throw new Error(`${begun.error.code}: ${begun.error.message}`);
    handle = begun.value;
    const outcome = await handle.done;
    const sink = new PassThrough();
    const chunks: Buffer[] = [];
    sink.on("data", (chunk: Buffer) => chunks.push(chunk));
    await outcome.result?.write(sink);
    const failed = outcome.failure;
    return {
      status: outcome.status,
      result: Buffer.concat(chunks).toString("utf8"),
      waiting: (outcome.waiting ?? []).map((waiting) => waiting.path),
      failure: failed === undefined ? undefined : `${failed.path} ${failed.failure.code}: ${failed.failure.message}`,
    };
  } finally {
    await engine.value.close();
  }
}

function withStore<T>(at: string, use: (store: Extract<ReturnType<typeof openStore>, { ok: true }>["value"]) => T): T {
  const store = openStore(at);
  if (!store.ok) throw new Error(store.error.message);
  try {
    return use(store.value);
  } finally {
    store.value.close();
  }
}

function readable(name: string): boolean {
  try {
    readFileSync(name);
    return true;
  } catch {
    return false;
  }
}

/** The journal as `type path`, for comparing. */
export function told(events: readonly RunEvent[]): string[] {
  return events.map((event) => ("path" in event ? `${event.type} ${event.path}` : event.type));
}

/** Every byte that the folder holds, as text: journal, outputs, scripts. */
export function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
}
