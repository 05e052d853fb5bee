// Only a store in PostgreSQL has these: connecting, versions, readers beside slow writers, clocks of several machines.

import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../test/setup/folders.ts";
import { has } from "../../../test/setup/machine.ts";
import { databases } from "../../../test/store/databases.ts";
import { alive, codeOf, dead, event, events, id, must, newRun, owner } from "../../../test/store/fixture.ts";
import { limits } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import type { Moment } from "../budgets.ts";
import { connect, openPostgresStore, setUp } from "./index.ts";
import { type EventMarks, postgresJournal } from "./journal.ts";
import { passwordFor, passwordIn } from "./passfile.ts";
import { tooOld } from "./schema.ts";
import { dialedUrl, targetOf } from "./target.ts";

const auditKey = () => ok(Buffer.alloc(32, 7));

describe("the URL", () => {
  test.each([
    ["postgres://u@db.internal/curlew", { rejectUnauthorized: true, servername: "db.internal" }],
    ["postgresql://u@10.0.0.1/curlew?sslmode=require", { rejectUnauthorized: true, host: "10.0.0.1" }],
    ["postgres://u@127.0.0.1/curlew", false],
    ["postgres://u@localhost/curlew?sslmode=disable", false],
    ["postgres://u@localhost/curlew?sslmode=verify-full", { rejectUnauthorized: true, servername: "localhost" }],
    ["postgres:///curlew?host=/run/postgresql", false],
    ["postgres://u@[::1]:5433/curlew", false],
  ])("%s", (url, ssl) => {
    expect(must(targetOf(url)).config.ssl).toEqual(ssl);
  });

  test.each([
    "mysql://u@h/d",
    "curlew",
    "postgres://u@h/d?sslmode=disable",
    "postgres://u@h/d?sslmode=no-verify",
    "postgres://u@h/d?ssl=0",
    "postgres://u@h/d?sslrootcert=/none/ca.pem",
  ])("%s is refused", (url) => {
    expect(codeOf(targetOf(url))).toBe("database-url");
  });

  test.each([
    ["postgres://u:p%40w@db.internal/d", "postgres://u:p%40w@db.internal:5432/d?sslmode=verify-full"],
    ["postgres://u@127.0.0.1:99/d", "postgres://u@127.0.0.1:99/d?sslmode=disable"],
    ["postgres://u@[::1]/d", "postgres://u@[::1]:5432/d?sslmode=disable"],
    ["postgres://u@/d?host=/run/pg", "postgres://u@localhost:5432/d?sslmode=disable&host=%2Frun%2Fpg"],
  ])("%s is dialed by DBOS with the same TLS", (url, dialed) => {
    expect(dialedUrl(url)).toBe(dialed);
  });

  test("a password file is read as PostgreSQL reads it", () => {
    const text = "# h:1:d:u:comment\nother:1:d:u:no\nh:1:d\\:x:u:co\\:lon\n*:*:d:u:any:thing\r\n";
    const asked = { host: "h", port: 1, database: "d:x", user: "u" };
    expect(passwordIn(text, asked)).toBe("co:lon");
    expect(passwordIn(text, { ...asked, database: "d" })).toBe("any:thing");
    expect(passwordIn(text, { ...asked, user: "ada" })).toBeUndefined();
    expect(passwordIn("localhost:*:*:u:socket", { ...asked, host: "/run/postgresql" })).toBe("socket");
    const file = path.join(tempFolder(), "pgpass");
    fs.writeFileSync(file, text, { mode: 0o644 });
    expect(passwordFor(asked, { PGPASSFILE: file })).toMatchObject({ error: { code: "database-url" } });
    fs.chmodSync(file, 0o600);
    expect(passwordFor(asked, { PGPASSFILE: file })).toEqual(ok("co:lon"));
    expect(codeOf(passwordFor(asked, { PGPASSFILE: `${file}.none` }))).toBe("database-url");
  });

  test("an old PostgreSQL is rejected", () => {
    expect(tooOld("here", limits.postgresVersionMin)).toBeUndefined();
    expect(tooOld("here", limits.postgresVersionMin - 1)).toMatchObject({ code: "store-refused" });
  });

  test("the password is shown nowhere", async () => {
    const target = must(targetOf("postgres://ada:hunter2@127.0.0.1:1/curlew"));
    expect(target.shown).toBe("postgres://ada@127.0.0.1:1/curlew");
    expect(target.config.password).toBe("hunter2");
    const away = must(connect("postgres://ada:hunter2@127.0.0.1:1/curlew", 100));
    const asked = await away.query("SELECT 1");
    expect(codeOf(asked)).toBe("store-unreachable");
    expect(JSON.stringify(asked)).not.toContain("hunter2");
    await away.close();
  });
});

const inCluster = has("postgres") ? describe : undefined;
inCluster?.("in a cluster", () => {
  const cluster = databases();
  const open = (url: string) => openPostgresStore({ url, home: path.join(tempFolder(), "home"), auditKey });

  test("a database is set up once, even by two at the same moment, and one without set-up is rejected", async () => {
    const url = await cluster.fresh();
    const admin = must(connect(url));
    must(await admin.query("CREATE DATABASE other"));
    const other = cluster.server().url("other");
    expect(codeOf(await open(other))).toBe("store-not-set-up");
    const two = [must(connect(other)), must(connect(other))];
    const made = await Promise.all(two.map(setUp));
    expect(made.map((one) => must(one).created).filter(Boolean)).toEqual([true]);
    const store = must(await open(other));
    expect(must(await store.journal.listRuns()).runs).toEqual([]);
    await store.close();
    must(await two[0]!.query("UPDATE curlew.facts SET value = '99' WHERE name = 'version'"));
    expect(codeOf(await open(other))).toBe("store-newer");
    expect(codeOf(await setUp(two[0]!))).toBe("store-newer");
    for (const one of [...two, admin]) await one.close();
    expect(codeOf(await open(cluster.server().url("none")))).toBe("store-refused");
  });

  test("a claim counts although the answer to the release before it comes later", async () => {
    const connection = must(connect(await cluster.fresh()));
    let answered = Promise.resolve();
    const sql = (port?: string) => {
      const own = connection.sql(port);
      const guard: typeof own.guard = async (work) => {
        const [done, until] = [own.guard(work), answered];
        await until;
        return done;
      };
      return { ...own, guard };
    };
    const journal = postgresJournal(Object.assign(Object.create(connection), { sql }), undefined);
    must(await journal.createRun(newRun(1), { owner: owner("first"), events: events(id(1), 1, 1) }));
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    const releasing = journal.release(id(1));
    answered = Promise.resolve();
    const isFree = "SELECT 1 FROM curlew.runs WHERE owner_token IS NULL";
    await expect.poll(async () => must(await connection.query(isFree)).length).toBe(1);
    must(await journal.claim(id(1), owner("second"), alive));
    resolve();
    must(await releasing);
    expect(codeOf(await journal.append(id(1), events(id(1), 2, 2)))).toBe("ok");
    await connection.close();
  });

  test("the latest run is the newest of this user", async () => {
    const connection = must(connect(await cluster.fresh()));
    const journal = postgresJournal(connection, undefined);
    for (const n of [1, 2]) must(await journal.createRun(newRun(n)));
    expect(must(await journal.findRun("latest")).id).toBe(id(2));
    must(await connection.query("UPDATE curlew.runs SET by_user = 'another' WHERE id = $1", [id(2)]));
    expect(must(await journal.findRun("latest")).id).toBe(id(1));
    must(await connection.query("UPDATE curlew.runs SET by_user = 'another'"));
    expect(await journal.findRun("latest")).toMatchObject({ error: { code: "run-not-found" } });
    await connection.close();
  });

  test("M11: no event is missed beside a slower transaction, and all readers see one order", async () => {
    const url = await cluster.fresh();
    const [slow, fast] = [must(connect(url)), must(connect(url))];
    const [one, two] = [postgresJournal(slow, undefined), postgresJournal(fast, undefined)];
    must(await one.createRun(newRun(1), { owner: owner("one"), events: events(id(1), 1, 1) }));
    must(await two.createRun(newRun(2), { owner: owner("two"), events: events(id(2), 1, 1) }));
    const before = must(await two.lastPosition());
    let looked = 0;
    const written = await slow.tries(async (ask) => {
      await ask("BEGIN");
      await ask("SELECT pg_current_xact_id()");
      must(await two.append(id(2), events(id(2), 2, 3)));
      expect(must(await two.readAll(before)).events).toEqual([]);
      looked = must(await two.othersChange());
      await ask(
        `INSERT INTO curlew.events SELECT (pg_current_xact_id()::text::bigint << 16), key, 2, '{"at":"x","type":"run.paused"}' FROM curlew.runs WHERE id = $1`,
        [id(1)],
      );
      await ask("COMMIT");
      return ok(undefined);
    });
    must(written);
    // Otherwise a reader that has looked too early would not look again.
    expect(must(await two.othersChange())).toBeGreaterThan(looked);
    const seen = must(await one.readAll(before)).events.map(({ event: { run, seq } }) => [run, seq]);
    expect(seen).toEqual([
      [id(1), 2],
      [id(2), 2],
      [id(2), 3],
    ]);
    await Promise.all([slow.close(), fast.close()]);
  });

  test("M1, M2: a writer whose run was claimed again writes nothing more, even with the same token", async () => {
    const url = await cluster.fresh();
    const [first, second] = [must(connect(url)), must(connect(url))];
    const [one, two] = [postgresJournal(first, undefined), postgresJournal(second, undefined)];
    must(await one.createRun(newRun(1), { owner: owner("same"), events: events(id(1), 1, 1) }));
    must(await two.claim(id(1), owner("same"), alive));
    expect(codeOf(await one.append(id(1), [event(id(1), 2)]))).toBe("not-owner");
    expect(codeOf(await one.append(id(1), [event(id(1), 2)], { state: { a: "1" } }))).toBe("not-owner");
    expect(must(await two.append(id(1), [event(id(1), 2)]))).toBe(2);
    const claims = await Promise.all(
      [one, two, one, two].map((journal, n) => journal.claim(id(1), owner(`by ${n}`), dead)),
    );
    expect(claims.map(codeOf)).toEqual(["ok", "ok", "ok", "ok"]);
    const writes = await Promise.all([one, two].map((journal) => journal.append(id(1), [event(id(1), 3)])));
    expect(writes.map(codeOf).toSorted()).toEqual(["not-owner", "ok"]);
    await Promise.all([first.close(), second.close()]);
  });

  test("M2: of many claims at the same moment, one succeeds", async () => {
    const connected = must(connect(await cluster.fresh()));
    const journals = Array.from({ length: 6 }, () => postgresJournal(connected, undefined));
    must(await journals[0]!.createRun(newRun(1)));
    const claims = await Promise.all(journals.map((journal, n) => journal.claim(id(1), owner(`by ${n}`), alive)));
    await connected.close();
    expect(claims.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(claims.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(["run-claimed"]));
  });

  test("a fence applies to every append, and rejected events are not written", async () => {
    const url = await cluster.fresh();
    const connection = must(connect(url));
    let fence: string | undefined = "r.name <> 'fenced'";
    const journal = postgresJournal(connection, undefined, { fence: () => fence });
    must(await journal.createRun(newRun(1, { name: "fenced" }), { owner: owner("me") }));
    expect(codeOf(await journal.append(id(1), [event(id(1), 1)]))).toBe("not-owner");
    expect(codeOf(await journal.append(id(1), [event(id(1), 1)], { state: { a: "1" } }))).toBe("not-owner");
    fence = undefined;
    expect(codeOf(await journal.append(id(1), [event(id(1), 1)]))).toBe("ok");
    await connection.close();
  });

  test.each([
    ["a changed event", "UPDATE curlew.events SET body = replace(body, 'value 2', 'value 9')", 2],
    [
      "an event at another place",
      "UPDATE curlew.events e SET mark = (SELECT mark FROM curlew.events WHERE seq = 1)",
      2,
    ],
    ["an event without a mark", "UPDATE curlew.events SET mark = ''", 1],
    [
      "the events of another run",
      `WITH run2 AS (SELECT key FROM curlew.runs WHERE id = '${id(2)}')
        UPDATE curlew.events SET run = (SELECT key FROM run2) WHERE run <> (SELECT key FROM run2)`,
      1,
    ],
  ])("M13: %s is not read with the key, and others are", async (_, change, seq) => {
    const connection = must(connect(await cluster.fresh()));
    const sign = (...about: unknown[]): string => JSON.stringify(about);
    const marks: EventMarks = { sign, isSigned: (mark, ...about) => mark === sign(...about) };
    const journal = postgresJournal(connection, undefined, { marks });
    must(await journal.createRun(newRun(1), { owner: owner("me"), events: events(id(1), 1, 1) }));
    must(await journal.append(id(1), events(id(1), 2, 3)));
    must(await journal.createRun(newRun(2)));
    const whole = must(await journal.read(id(1)));
    expect(whole).toHaveLength(3);
    expect(must(await journal.check())).toEqual([]);
    must(await connection.query(change));
    const run = change.includes("run2") ? id(2) : id(1);
    expect(await journal.read(run)).toMatchObject({
      error: { code: "run-unsigned", message: expect.stringContaining(`Event ${seq} of run ${run}`) },
    });
    expect(must(await journal.readAll(0)).events.length).toBeLessThan(3);
    expect(must(await journal.check()).map(({ code }) => code)).toContain("run-unsigned");
    expect(must(await postgresJournal(connection, undefined).read(run))).toHaveLength(3);
    await connection.close();
  });

  test("more events than one transaction takes come in order", async () => {
    const connection = must(connect(await cluster.fresh()));
    const journal = postgresJournal(connection, undefined);
    must(await journal.createRun(newRun(1), { owner: owner("me") }));
    const all = events(id(1), 1, limits.eventsPerCommitMax + 3, "x");
    expect(must(await journal.append(id(1), all, { status: "running" }))).toBe(all.length);
    expect(must(await journal.findRun(id(1)))).toMatchObject({ lastSeq: all.length, status: "running" });
    expect(must(await journal.read(id(1), all.length - 1))).toEqual(all.slice(-2));
    await connection.close();
  });

  test("a budget uses the database's time, even if the clocks of the machines differ", async () => {
    const store = must(await open(await cluster.fresh()));
    const budgets = store.budgets({ isAlive: alive, isHeld: () => true });
    const wanted = { rate: { key: "k", limit: 1, perMs: 60_000 } };
    const at = (wallMs: number, upMs: number, boot: string): Moment => ({ wallMs, upMs, boot });
    const take = async (node: string, now: Moment) =>
      must(await budgets.take({ run: "r", path: node, number: 1 }, wanted, owner("me"), now));
    const early = at(0, 5_000, "one");
    expect(await take("a", early)).toEqual({ taken: true });
    const waits = await take("b", early);
    expect(waits).toMatchObject({ taken: false, waits: "rate" });
    expect(Math.abs((waits as { untilMs: number }).untilMs - 60_000)).toBeLessThan(5_000);
    // Another machine, whose clock is a year ahead.
    const other = store.budgets({ isAlive: alive, isHeld: () => true });
    const ahead = at(Date.now() + 31_536_000_000, 9_000_000, "two");
    const taken = must(await other.take({ run: "r", path: "c", number: 1 }, wanted, owner("you"), ahead));
    expect(taken).toMatchObject({ taken: false, waits: "rate" });
    await store.close();
  });

  test("listeners learn of a write at once, and again after the server was away", async () => {
    const url = await cluster.fresh();
    const [here, there] = [must(await open(url)), must(await open(url))];
    let heard = 0;
    const end = there.onWritten(() => (heard += 1));
    // The first look, when it listens.
    await expect.poll(() => heard, { interval: 5 }).toBe(1);
    must(await here.journal.createRun(newRun(1), { owner: owner("me") }));
    await expect.poll(() => heard, { interval: 5 }).toBe(2);
    await cluster.server().stop();
    await cluster.server().start();
    await expect.poll(() => heard, { interval: 20 }).toBeGreaterThan(2);
    const before = heard;
    must(await here.journal.append(id(1), events(id(1), 1, 2)));
    await expect.poll(() => heard, { interval: 5 }).toBeGreaterThan(before);
    end();
    must(await here.removeRun(id(1), dead));
    await Promise.all([here.close(), there.close()]);
  });

  test("old runs are removed, the earliest end first, but never a claimed one", async () => {
    const store = must(await open(await cluster.fresh()));
    for (const n of [1, 2, 3, 4]) {
      must(await store.journal.createRun(newRun(n), { owner: owner("me") }));
      must(
        await store.journal.append(id(n), events(id(n), 1, 1), { status: "succeeded", endedAt: `2026-01-0${9 - n}` }),
      );
    }
    must(store.outputs.write(id(4), "1.out", Buffer.alloc(10_000)));
    const left = must(await store.removeLeaving({ keep: 1 }, ({ token }) => token === "none"));
    expect(left.runs.map((run) => run.id)).toEqual([4, 3, 2].map(id));
    expect(left.freedBytes).toBeGreaterThanOrEqual(10_000);
    expect(must(await store.removeLeaving({ keep: 0 }, alive)).runs).toEqual([]);
    await store.close();
  });

  test("removing a run removes its outputs here, and on another machine when that one sweeps", async () => {
    const url = await cluster.fresh();
    const [here, there] = [must(await open(url)), must(await open(url))];
    must(await here.journal.createRun(newRun(1), { events: events(id(1), 1, 1) }));
    for (const store of [here, there]) must(store.outputs.write(id(1), "1.out", Buffer.from("x")));
    expect(must(await here.leaving({ keep: 0 }))).toEqual([]);
    expect(must(await here.removeRun(id(1), dead))).toEqual([id(1)]);
    expect([here.outputs.exists(id(1)), there.outputs.exists(id(1))]).toEqual([false, true]);
    expect(must(await there.sweepRemoved())).toEqual([id(1)]);
    expect(must(await there.counts())).toEqual({ runs: 0, events: 0 });
    await Promise.all([here.close(), there.close()]);
  });
});
