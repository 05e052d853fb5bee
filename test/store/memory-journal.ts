// A journal in memory, for tests. It meets the contract of journal.ts except for durability.

import { firstRunIdAt } from "../../src/base/ids.ts";
import { limits } from "../../src/base/limits.ts";
import type { AtOnce } from "../../src/base/now.ts";
import { err, ok, type Result } from "../../src/base/result.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { OPEN_STATUSES } from "../../src/scheduler/statuses.ts";
import {
  notOwner,
  partOfOpen,
  runAmbiguous,
  runClaimed,
  runExists,
  runNotFound,
  type StoreError,
} from "../../src/store/error.ts";
import type {
  Finding,
  IndexChange,
  IsAlive,
  Journal,
  NewRun,
  OpenCount,
  Owner,
  PlacedEvent,
  PlacedPage,
  RunPage,
  RunQuery,
  RunRow,
} from "../../src/store/journal.ts";
import { checkSeqs, decodeEvent, encodeEvent, newRow, settleQuery } from "../../src/store/row.ts";

/**
 * Shared by several memory journals, as processes share a file. Bodies are text, so
 * that stored events cannot be changed.
 */
export type MemoryDisk = Map<string, { row: RunRow; bodies: string[]; positions?: number[] }> & { last?: number };

export function memoryJournal(disk: MemoryDisk = new Map()): AtOnce<Journal> {
  const tokens = new Map<string, string>();

  const find = (run: string) => {
    const found = disk.get(run);
    return found ? ok(found) : err(runNotFound(run));
  };

  let own = 0;
  const nextPosition = (): number => {
    disk.last = (disk.last ?? 0) + 1;
    own += 1;
    return disk.last;
  };

  function createRun(
    run: NewRun,
    first: { owner?: Owner; events?: readonly RunEvent[] } = {},
  ): Result<RunRow, StoreError> {
    if (disk.has(run.id)) return err(runExists(run.id));
    const events = first.events ?? [];
    const wrong = checkSeqs(run.id, 0, events);
    if (wrong) return err(wrong);
    const row = { ...newRow(run), lastSeq: events.length, ...(first.owner && { owner: first.owner }) };
    disk.set(run.id, { row, bodies: events.map(encodeEvent), positions: events.map(nextPosition) });
    if (first.owner) tokens.set(run.id, first.owner.token);
    return ok(structuredClone(row));
  }

  function append(run: string, events: readonly RunEvent[], change: IndexChange = {}): Result<number, StoreError> {
    const found = find(run);
    if (!found.ok) return found;
    const { row, bodies, positions } = found.value;
    if (!row.owner || row.owner.token !== tokens.get(run)) return err(notOwner(run, row.owner));
    const wrong = checkSeqs(run, row.lastSeq, events);
    if (wrong) return err(wrong);
    for (const event of events) {
      bodies.push(encodeEvent(event));
      positions?.push(nextPosition());
    }

    Object.assign(row, change, { lastSeq: row.lastSeq + events.length });
    return ok(row.lastSeq);
  }

  function read(run: string, fromSeq = 1, limit = Number.POSITIVE_INFINITY): Result<RunEvent[], StoreError> {
    const events: RunEvent[] = [];
    if (limit <= 0) return find(run).ok ? ok(events) : err(runNotFound(run));
    const seen = each(run, fromSeq, (event) => events.push(event) < limit);
    return seen.ok ? ok(events) : seen;
  }

  function each(run: string, fromSeq: number, visit: (event: RunEvent) => unknown): Result<number, StoreError> {
    const found = find(run);
    if (!found.ok) return found;
    let visited = 0;
    for (let seq = Math.max(1, fromSeq); seq <= found.value.bodies.length; seq++) {
      const event = decodeEvent(run, seq, found.value.bodies[seq - 1]!);
      if (!event.ok) return event;
      visited++;
      if (visit(event.value) === false) break;
    }
    return ok(visited);
  }

  function readAll(afterPosition: number, limit: number = limits.journalPageEvents): Result<PlacedPage, StoreError> {
    const placed: PlacedEvent[] = [];
    for (const [run, { bodies, positions = [] }] of disk)
      for (const [index, position] of positions.entries()) {
        const event = position > afterPosition ? decodeEvent(run, index + 1, bodies[index]!) : undefined;
        if (event?.ok === true) placed.push({ position, event: event.value });
      }
    const events = placed.sort((one, other) => one.position - other.position).slice(0, limit);
    return ok({ events, position: events.at(-1)?.position ?? afterPosition });
  }

  function claim(run: string, owner: Owner, isAlive: IsAlive): Result<RunRow, StoreError> {
    const found = find(run);
    if (!found.ok) return found;
    const { row } = found.value;
    if (row.owner && row.owner.token !== owner.token && isAlive(row.owner)) return err(runClaimed(run, row.owner));
    row.owner = owner;
    tokens.set(run, owner.token);
    return ok(structuredClone(row));
  }

  function release(run: string): Result<void, StoreError> {
    const found = find(run);
    if (!found.ok) return found;
    const { row } = found.value;
    if (!row.owner || row.owner.token !== tokens.get(run)) return err(notOwner(run, row.owner));
    delete row.owner;
    tokens.delete(run);
    return ok(undefined);
  }

  const newestFirst = () => [...disk.values()].map((run) => run.row).sort((a, b) => (a.id < b.id ? 1 : -1));

  function listRuns(query: RunQuery = {}): Result<RunPage, StoreError> {
    const { limit, statuses } = settleQuery(query);
    const { sort = "newest" } = query;
    const tookMs = ({ startedAt, endedAt = "" }: RunRow) => Date.parse(endedAt) - Date.parse(startedAt);
    const byTime = sort === "longest" || sort === "shortest";
    const keyOf = (row: RunRow) => (byTime ? `${String(tookMs(row)).padStart(15, "0")}-${row.id}` : row.id);
    const up = sort === "oldest" || sort === "shortest" ? 1 : -1;
    const cursor = byTime ? query.cursor?.padStart(36, "0") : query.cursor;
    const inOrder = [...disk.values()]
      .flatMap(({ row }) => (byTime && row.endedAt === undefined ? [] : [row]))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -up : up));
    const rows = inOrder.filter(
      (row) =>
        (cursor === undefined || (up > 0 ? keyOf(row) > cursor : keyOf(row) < cursor)) &&
        (query.workflow === undefined || row.name === query.workflow || row.file === query.workflow) &&
        (statuses === undefined || statuses.includes(row.status)) &&
        isWanted(row, query) &&
        (typeof query.children === "object"
          ? row.parent?.run === query.children.of
          : query.children === "all" || !row.parent),
    );
    const runs = structuredClone(rows.slice(0, limit));
    return ok({ runs, ...(rows.length > limit && { next: keyOf(runs.at(-1)!).replace(/^0+(?=\d+-)/, "") }) });
  }

  function openCounts(): Result<OpenCount[], StoreError> {
    const open = newestFirst().filter(({ status }) => OPEN_STATUSES.includes(status));
    const alike = Map.groupBy(open, ({ file, status, parent }) => `${parent !== undefined} ${status} ${file}`);
    return ok(
      [...alike.values()].map((rows) => ({
        ...{ file: rows[0]!.file, status: rows[0]!.status, isPart: rows[0]!.parent !== undefined, runs: rows.length },
        empty: rows.filter(({ lastSeq }) => lastSeq === 0).length,
        asking: rows.filter(({ waiting }) => waiting > 0).length,
        requests: rows.reduce((sum, { waiting }) => sum + waiting, 0),
      })),
    );
  }

  function isWanted(
    row: RunRow,
    { sinceMs, untilMs, trigger, kinds, tests, text, failedAt, begun, asking }: RunQuery,
  ): boolean {
    if (kinds?.includes(row.kind) === false || (tests === false && row.kind === "test")) return false;
    if ((begun && row.lastSeq === 0) || (asking && row.waiting === 0)) return false;
    if (sinceMs !== undefined && row.id < firstRunIdAt(sinceMs)) return false;
    if (untilMs !== undefined && row.id >= firstRunIdAt(untilMs)) return false;
    if (trigger !== undefined && row.trigger.kind !== trigger) return false;
    const names = `${row.name}\n${row.file}\n${row.id}`.toLowerCase();
    if (text !== undefined && !names.includes(text.toLowerCase())) return false;
    const last = disk.get(row.id)?.bodies.at(-1) ?? "";
    return failedAt === undefined || last.includes(`"type":"run.failed","node":${JSON.stringify(failedAt)},`);
  }

  function findRun(name: string): Result<RunRow, StoreError> {
    const rows = newestFirst();
    const wanted = name.toLowerCase();
    const exact =
      wanted === "latest"
        ? (rows.find((row) => !row.parent && row.kind !== "test") ?? rows.find((row) => !row.parent))
        : disk.get(wanted)?.row;
    if (exact) return ok(structuredClone(exact));
    const begun = wanted === "" ? [] : rows.filter((row) => row.id.startsWith(wanted));
    const top = begun.filter((row) => !row.parent);
    const matches = top.length > 0 ? top : begun;
    if (matches.length > 1)
      return err(
        runAmbiguous(
          name,
          matches.slice(0, limits.ambiguousRunsShown).map((row) => row.id),
        ),
      );
    return matches[0] ? ok(structuredClone(matches[0])) : err(runNotFound(name));
  }

  const removed: string[] = [];
  function deleteRun(run: string, isAlive: IsAlive): Result<string[], StoreError> {
    const self = disk.get(run);
    if (self === undefined) return err(runNotFound(run));
    const parent = self.row.parent && disk.get(self.row.parent.run)?.row;
    if (parent && parent.endedAt === undefined) return err(partOfOpen(run, parent.id));
    const family = [run];
    for (const parent of family) {
      for (const { row } of disk.values()) if (row.parent?.run === parent) family.push(row.id);
    }
    for (const id of family) {
      const owner = disk.get(id)?.row.owner;
      if (owner && isAlive(owner)) return err(runClaimed(id, owner));
    }
    for (const id of family) disk.delete(id);
    removed.push(...family);
    return ok(family);
  }

  function check(): Result<Finding[], StoreError> {
    return ok([]);
  }

  return {
    createRun,
    append,
    read,
    each,
    readAll,
    lastPosition: () => ok(disk.last ?? 0),
    othersChange: () => ok((disk.last ?? 0) - own),
    lastSeq: (run) => {
      const found = find(run);
      return found.ok ? ok(found.value.row.lastSeq) : found;
    },
    claim,
    release,
    leftRuns: () =>
      ok([...disk.values()].flatMap(({ row }) => (row.owner && row.endedAt !== undefined ? [row.id] : []))),
    openCounts,
    listRuns,
    endedSince: (sinceMs) =>
      ok(
        [...disk.values()].flatMap(({ row }) => (Date.parse(row.endedAt ?? "") >= sinceMs && !row.parent ? [row] : [])),
      ),
    findRun,
    deleteRun,
    removedSince: (n) => ok({ n: removed.length, runs: n === undefined ? [] : removed.slice(n) }),
    check,
    close: () => {},
  };
}
