// A data directory whose files were damaged: flipped bits, missing ends. Every call returns. A truncated file is never
// taken for complete.

import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { RunRow } from "../../src/store/journal.ts";
import { openStore } from "../../src/store/store.ts";
import { tempFolder } from "../setup/folders.ts";
import { codeOf, event, events, granted, id, must, newRun, owner } from "./fixture.ts";

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const FLIPS = process.env.CHECK_FULL === undefined ? 300 : 2_000;
const RUNS = 12;

interface Truth {
  rows: RunRow[];
  events: Map<string, RunEvent[]>;
}

/**
 * A data directory with runs of many kinds: short, long, with large events, ended, waiting, of a subflow. `keep`: what
 * is done before it closes.
 */
function makeHome(keep: (home: string) => void = () => {}): { home: string; truth: Truth } {
  const home = path.join(tempFolder(), "home");
  const store = must(openStore(home));
  for (let n = 1; n <= RUNS; n++) {
    const parent = n % 4 === 0 ? { parent: { run: id(n - 1), path: "sub" } } : {};
    must(store.journal.createRun(newRun(n, { name: `flow ${n % 3}`, ...parent }), { owner: owner(`t${n}`) }));
    must(store.journal.append(id(n), events(id(n), 1, 4 * n)));
    must(store.journal.append(id(n), [event(id(n), 4 * n + 1, "é€ long ".repeat(n === 5 ? 2_000 : 4 * n))]));
    must(store.journal.append(id(n), [granted(id(n), 4 * n + 2)], { status: "waiting", waiting: 1 }));
    if (n % 2 === 1)
      must(store.journal.append(id(n), [], { status: "succeeded", waiting: 0, endedAt: newRun(99).startedAt }));
    must(store.journal.release(id(n)));
  }
  const rows = must(store.journal.listRuns({ children: "all" })).runs;
  const truth = { rows, events: new Map(rows.map((row) => [row.id, must(store.journal.read(row.id))])) };
  keep(home);
  store.close();
  return { home, truth };
}

const { home: original, truth } = makeHome();
const whole = fs.readFileSync(path.join(original, "curlew.db"));

/** A home with these files and the key of the original one. */
function homeOf(files: Record<string, Buffer>): string {
  const folder = tempFolder();
  fs.copyFileSync(path.join(original, "key"), path.join(folder, "key"));
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), bytes, { mode: 0o600 });
  return folder;
}

/**
 * Looks at everything. Returns what could not be read, with `missing` for a run that is silently absent. A wrong answer
 * fails the test.
 */
function look(home: string, isExact = true): string[] {
  const opened = openStore(home);
  if (!opened.ok) return [opened.error.code];
  const store = opened.value;
  const wrong: string[] = [];
  const said = <T>(result: { ok: true; value: T } | { ok: false; error: { code: string } }): T | undefined => {
    if (result.ok) return result.value;
    wrong.push(result.error.code);
    return undefined;
  };
  const listed = said(store.journal.listRuns({ children: "all" }));
  for (const row of isExact ? (listed?.runs ?? []) : []) expect(truth.rows).toContainEqual(row);
  wrong.push(...(listed?.damaged ?? []).map(() => "record-damaged"));
  for (const row of truth.rows) {
    const found = said(store.journal.findRun(row.id));
    if (isExact && found !== undefined) expect(found).toEqual(row);
    const read = said(store.journal.read(row.id));
    // The end of a journal may be missing; the rest is true.
    if (isExact && read !== undefined) expect(read).toEqual(truth.events.get(row.id)!.slice(0, read.length));
    if (read !== undefined && read.length < truth.events.get(row.id)!.length) wrong.push("missing");
    if (listed !== undefined && !listed.runs.some((one) => one.id === row.id)) wrong.push("missing");
  }
  const findings = said(store.check());
  const log = said(store.audit.verify());
  const told = [...(findings ?? []), ...(log?.findings ?? [])].map(({ code }) => code);
  if (isExact && wrong.includes("missing") && findings !== undefined && log !== undefined)
    expect(told, "something is missing, and no check says so").not.toEqual([]);
  store.close();
  return [...wrong, ...told];
}

test("the original is whole", () => {
  expect(look(homeOf({ "curlew.db": whole }))).toEqual([]);
});

test(`flipped bits: every call returns (CHECK_SEED=${seed})`, {
  timeout: 600_000,
}, () => {
  let random = seed;
  const next = (below: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((random / 2 ** 32) * below);
  };
  const seen: Record<string, number> = {};
  for (let n = 0; n < FLIPS; n++) {
    const bytes = Buffer.from(whole);
    // Every tenth in the head of the file, where it hurts most. Every third flips several bits at once.
    const at = Array.from({ length: n % 3 === 0 ? 4 : 1 }, () => next((n % 10 === 0 ? 100 : bytes.length) * 8));
    for (const bit of at) bytes[bit >> 3]! ^= 1 << (bit & 7);
    const home = homeOf({ "curlew.db": bytes });
    try {
      const codes = look(home, false);
      for (const code of new Set(codes.length === 0 ? ["nothing"] : codes)) seen[code] = (seen[code] ?? 0) + 1;
    } catch (reason) {
      throw new Error(`bits ${at.join(", ")} of ${bytes.length} bytes`, { cause: reason });
    } finally {
      fs.rmSync(home, { recursive: true });
    }
  }
  console.log(seen);
  expect(Object.keys(seen)).toContain("store-damaged");
});

test("a truncated file, wherever it is cut, is never taken for complete", { timeout: 120_000 }, () => {
  for (let size = 211; size < whole.length; size += size < 4_096 ? 211 : 1_733) {
    const home = homeOf({ "curlew.db": whole.subarray(0, size) });
    const codes = look(home);
    expect({ size, codes }).not.toEqual({ size, codes: [] });
    fs.rmSync(home, { recursive: true });
  }
});

test("a truncated -wal loses only what was in it; a missing or wrong -shm loses nothing", () => {
  const files: Record<string, Buffer> = {};
  makeHome((home) => {
    for (const name of ["curlew.db", "curlew.db-wal", "curlew.db-shm", "key"])
      files[name] = fs.readFileSync(path.join(home, name));
  });
  const wal = files["curlew.db-wal"]!;
  const shm = files["curlew.db-shm"]!;
  const last = (home: string): number => {
    const store = must(openStore(home));
    const { runs } = must(store.journal.listRuns({ children: "all" }));
    for (const row of runs)
      expect(must(store.journal.read(row.id))).toEqual(truth.events.get(row.id)!.slice(0, row.lastSeq));
    expect(must(store.check())).toEqual([]);
    expect(must(store.audit.verify()).findings).toEqual([]);
    store.close();
    return runs.reduce((sum, row) => sum + row.lastSeq, 0);
  };
  const all = last(homeOf({ ...files, "curlew.db-shm": shm }));
  expect(all).toBe(truth.rows.reduce((sum, row) => sum + row.lastSeq, 0));
  const withoutShm = { "curlew.db": files["curlew.db"]!, "curlew.db-wal": wal, key: files.key! };
  expect(last(homeOf(withoutShm))).toBe(all);
  expect(last(homeOf({ ...withoutShm, "curlew.db-shm": Buffer.alloc(shm.length, 0xa5) }))).toBe(all);
  let before = 0;
  for (let size = 0; size <= wal.length; size += 5_003) {
    const home = homeOf({ ...withoutShm, "curlew.db-wal": wal.subarray(0, size) });
    const now = last(home);
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
    fs.rmSync(home, { recursive: true });
  }
  expect(before).toBeGreaterThan(all / 2);
  expect(codeOf(openStore(homeOf({ ...withoutShm, "curlew.db-wal": Buffer.alloc(9_000, 1) })))).toBe("ok");
});
