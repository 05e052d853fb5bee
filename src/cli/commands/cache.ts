// cache: shows and clears the cached values of nodes with `cache` (spec 3.3; docs/reference/retry.md).
//   C1. Clearing deletes values from the disk. Runs that used a value keep their own copy.

import { resolve } from "node:path";
import { shortRunId } from "../../base/ids.ts";
import { bytes, count, oneLine } from "../../base/text.ts";
import { timeBetween } from "../../base/time-text.ts";
import type { CacheEntry } from "../../store/index.ts";
import { Exit } from "../exit.ts";
import { printList } from "../list.ts";
import { type HomeOption, refused, withStore } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface ClearOptions extends HomeOption {
  key?: string;
  workflow?: string;
}

export async function list(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const all = await store.cache.list();
    if (!all.ok) return refused(all.error, terminal);
    const now = Date.now();
    const fresh = all.value.filter(({ expiresMs }) => expiresMs > now);
    const row = (entry: CacheEntry) => cellsOf(entry, now);
    printList(fresh, { json: options.json, empty: "The cache is empty.", row, toJson }, terminal);
    return Exit.OK;
  });
}

export async function clear(options: ClearOptions, terminal: Terminal): Promise<Exit> {
  return withStore({ ...options, writes: true }, terminal, async (store) => {
    const workflow = options.workflow === undefined ? undefined : resolve(terminal.cwd, options.workflow);
    const gone = await store.cache.clear({ key: options.key, workflow });
    if (!gone.ok) return refused(gone.error, terminal);
    terminal.err(`${count(gone.value.entries, "value")} cleared (${bytes(gone.value.bytes)}).\n`);
    return Exit.OK;
  });
}

function cellsOf({ key, workflow, node, run, storedMs, expiresMs, bytes: size }: CacheEntry, now: number): string[] {
  const age = `${timeBetween(new Date(storedMs).toISOString(), now)} old`;
  const left = timeBetween(new Date(now).toISOString(), expiresMs);
  const where = `${node} of ${oneLine(workflow)}`;
  return [oneLine(key), where, bytes(size), `${age}, ${left} left`, `run ${shortRunId(run)}`];
}

function toJson({ storedMs, expiresMs, text: _text, digest: _digest, ...entry }: CacheEntry) {
  return { ...entry, storedAt: new Date(storedMs).toISOString(), expiresAt: new Date(expiresMs).toISOString() };
}
