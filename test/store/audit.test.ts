// The audit log: what is written with an event, and what its check reports after someone changed the database.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { hostname, userInfo } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { openStore } from "../../src/store/store.ts";
import { endsWithTest } from "../setup/ends.ts";
import { tempFolder } from "../setup/folders.ts";
import { alive, at, codeOf, event, granted, id, must, newRun, owner } from "./fixture.ts";

const me = owner("me");

/** A home whose log has `grants` entries of one run, closed. */
function home(grants = 5): string {
  const folder = tempFolder();
  const store = must(openStore(folder));
  must(store.journal.createRun(newRun(1), { owner: me }));
  for (let seq = 1; seq <= grants; seq++) must(store.journal.append(id(1), [granted(id(1), seq)]));
  store.close();
  return folder;
}

function verify(folder: string) {
  const store = must(openStore(folder));
  const report = must(store.audit.verify());
  store.close();
  return report;
}

/** Someone with access to the database but not through Curlew. */
function meddle(folder: string, sql: string): void {
  const sqlite = new DatabaseSync(path.join(folder, "curlew.db"));
  sqlite.exec(`DROP TRIGGER audit_stays; DROP TRIGGER audit_is_kept; ${sql}`);
  sqlite.close();
}

test("an answer and its entry are one transaction; the entry says who, when, by which command and what", () => {
  const folder = home(0);
  const store = must(openStore(folder));
  must(store.journal.claim(id(1), me, alive));
  const from = { host: "box", tty: "/dev/pts/3" };
  const grant = { ...granted(id(1), 2), from, edited: "echo else" } as unknown as RunEvent;
  must(store.journal.append(id(1), [event(id(1), 1), grant]));
  expect(must(store.audit.list(10))).toEqual([
    {
      n: 1,
      at: at(2),
      type: "approval.granted",
      run: id(1),
      path: "gate[2]",
      event: { run: id(1), seq: 2 },
      hash: "hash 2",
      by: "ada",
      door: "cli",
      from,
      edited: true,
      chain: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  // A rejected event makes no entry.
  expect(codeOf(store.journal.append(id(1), [granted(id(1), 9)]))).toBe("journal-gap");
  expect(must(store.audit.verify())).toMatchObject({ entries: 1, findings: [] });
  store.close();
});

test("the log has a run whose nodes will not ask: approved in advance, advanced nodes", () => {
  const store = must(openStore(tempFolder()));
  const start = (n: number, more: object) => {
    const started = {
      seq: 1,
      at: at(n),
      run: id(n),
      type: "run.started",
      inputs: {},
      trigger: { kind: "cli" },
      ...more,
    };
    must(store.journal.createRun(newRun(n), { events: [{ workflow: {}, ...started } as unknown as RunEvent] }));
  };
  start(1, {});
  start(2, { approvedInAdvance: ["*"] });
  start(3, { advanced: Array.from({ length: 150 }, (_, n) => `node-${n}`) });
  const { username } = userInfo();
  const [advanced, inAdvance, ...rest] = must(store.audit.list(10));
  expect(rest).toEqual([]);
  expect(inAdvance).toMatchObject({ type: "run.started", run: id(2), inAdvance: ["*"], by: username, door: "cli" });
  expect(inAdvance).toMatchObject({ from: { host: hostname() } });
  expect(advanced).toMatchObject({ run: id(3), advancedCount: 150 });
  expect(advanced?.advanced).toHaveLength(100);
  expect(must(store.audit.verify()).findings).toEqual([]);
  store.close();
});

test.each([
  [
    "one byte of an entry",
    "UPDATE audit SET body = replace(body, '\"ada\"', '\"adb\"') WHERE n = 3",
    "audit-changed",
    3,
  ],
  ["a hash", "UPDATE audit SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE n = 2", "audit-changed", 2],
  ["a dropped entry", "DELETE FROM audit WHERE n = 2", "audit-missing", 2],
  ["the first entry dropped", "DELETE FROM audit WHERE n = 1", "audit-missing", 1],
  [
    "a dropped entry, the others moved up",
    "DELETE FROM audit WHERE n = 2; UPDATE audit SET n = n - 1 WHERE n > 2",
    "audit-changed",
    2,
  ],
  [
    "two entries that changed places",
    "UPDATE audit SET n = 99 WHERE n = 2; UPDATE audit SET n = 2 WHERE n = 3; UPDATE audit SET n = 3 WHERE n = 99",
    "audit-changed",
    2,
  ],
  ["the end cut off", "DELETE FROM audit WHERE n > 3", "audit-truncated", 4],
  ["everything cut off", "DELETE FROM audit", "audit-truncated", 1],
  [
    "the end cut off, and its record made to fit",
    "DELETE FROM audit WHERE n > 3; UPDATE audit_head SET count = 3, hash = (SELECT hash FROM audit WHERE n = 3)",
    "audit-head",
    4,
  ],
  [
    "an entry of one's own",
    "INSERT INTO audit SELECT 6, replace(body, '\"n\":5', '\"n\":6'), hash FROM audit WHERE n = 5",
    "audit-changed",
    6,
  ],
  ["no record of the end", "DELETE FROM audit_head", "audit-head", 6],
])("%s is found", (_what, sql, code, entry) => {
  const folder = home();
  expect(verify(folder).findings).toEqual([]);
  meddle(folder, sql);
  expect(verify(folder).findings).toMatchObject([{ code, entry }]);
});

test("the log reveals a rewritten journal, and the journal reveals a log that lost entries", () => {
  const changed = home();
  meddle(changed, `UPDATE events SET body = replace(body, 'hash 4', 'hash X')`);
  expect(verify(changed).findings).toMatchObject([{ code: "audit-unlogged", entry: 4, run: id(1) }]);
  const removed = home();
  meddle(removed, "DELETE FROM events WHERE seq = 5");
  expect(verify(removed).findings).toMatchObject([{ code: "audit-without-event", entry: 5, run: id(1) }]);
  // The log and the record of its end are restored to an earlier state: only the journal still knows.
  const older = home();
  const rows = (): string => {
    const sqlite = new DatabaseSync(path.join(older, "curlew.db"));
    const { count, hash, mac } = sqlite.prepare("SELECT * FROM audit_head").get() as Record<string, string>;
    sqlite.close();
    return `UPDATE audit_head SET count = ${count}, hash = '${hash}', mac = '${mac}'; DELETE FROM audit WHERE n > ${count}`;
  };
  const then = rows();
  const store = must(openStore(older));
  must(store.journal.claim(id(1), me, alive));
  must(store.journal.append(id(1), [granted(id(1), 6)]));
  store.close();
  meddle(older, then);
  expect(verify(older).findings).toMatchObject([{ code: "audit-unlogged", run: id(1) }]);
});

test("Curlew's own code can neither change nor remove an entry", () => {
  const folder = home();
  const sqlite = new DatabaseSync(path.join(folder, "curlew.db"));
  expect(() => sqlite.exec("UPDATE audit SET body = '{}' WHERE n = 1")).toThrow("append-only");
  expect(() => sqlite.exec("DELETE FROM audit")).toThrow("append-only");
  sqlite.close();
});

test("entries outlive their run, and a removed run is not reported", () => {
  const folder = home();
  const store = must(openStore(folder));
  must(store.removeRun(id(1), () => false));
  expect(must(store.audit.list(10))).toHaveLength(5);
  expect(must(store.audit.verify())).toMatchObject({ entries: 5, findings: [] });
  store.close();
});

test("with another key no entry fits, and work continues after an entry that says so", () => {
  const folder = home();
  fs.writeFileSync(path.join(folder, "key"), Buffer.alloc(32, 7));
  expect(verify(folder).findings).toMatchObject([{ code: "audit-changed", entry: 1 }]);
  const store = must(openStore(folder));
  must(store.audit.append({ type: "secret.set", name: "API_KEY", door: "cli" }));
  expect(must(store.audit.list(2))).toMatchObject([
    { n: 7, type: "secret.set", name: "API_KEY" },
    { n: 6, type: "audit.damaged" },
  ]);
  store.close();
});

test("a truncated log is continued, and stays reported as truncated", () => {
  const folder = home();
  meddle(
    folder,
    "DELETE FROM audit WHERE n > 3; UPDATE audit_head SET count = 3, hash = (SELECT hash FROM audit WHERE n = 3)",
  );
  const store = must(openStore(folder));
  must(store.audit.append({ type: "secret.removed", name: "API_KEY", door: "cli" }));
  store.close();
  expect(verify(folder).findings).toMatchObject([{ code: "audit-head", entry: 4 }]);
});

test("a damaged key prevents the answer from being recorded, with an error", () => {
  const folder = home();
  fs.writeFileSync(path.join(folder, "key"), "short");
  const store = must(openStore(folder));
  must(store.journal.claim(id(1), me, alive));
  expect(store.journal.append(id(1), [granted(id(1), 6)])).toMatchObject({
    ok: false,
    error: { code: "store-failed", message: expect.stringContaining("damaged") },
  });
  expect(must(store.journal.lastSeq(id(1)))).toBe(5);
  expect(must(store.audit.verify()).findings).toMatchObject([{ code: "audit-key" }]);
  store.close();
});

test("two processes that write at the same time make one chain", async () => {
  const folder = tempFolder();
  const rounds = 30;
  const processes = [1, 2].map((n) => {
    const args = [path.join(import.meta.dirname, "answerer.ts"), folder, String(n)];
    const child = endsWithTest(spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] }));
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  for (let round = 0; round < rounds; round++) {
    for (const { child } of processes) child.stdin.write("go\n");
    for (const { lines } of processes) expect(await lines.next()).toEqual({ value: "done", done: false });
  }
  const ends = processes.map(({ child }) => once(child, "close"));
  for (const { child } of processes) child.stdin.end();
  for (const [code] of await Promise.all(ends)) expect(code).toBe(0);
  expect(verify(folder)).toMatchObject({ entries: 2 * 4 * rounds, findings: [] });
}, 60_000);
