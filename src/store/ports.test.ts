// The smaller ports, in every database: state, trust, start keys, the audit log, renaming, and removal in order.

import { describe, expect, test } from "vitest";
import { eachDatabase } from "../../test/store/each-database.ts";
import { codeOf, must } from "../../test/store/fixture.ts";
import { limits } from "../base/limits.ts";
import { err, ok } from "../base/result.ts";
import { run as execute, get } from "./ask.ts";
import { openAudit } from "./audit.ts";
import { openDeliveries } from "./deliveries.ts";
import { storeFailed } from "./error.ts";
import { renamed } from "./renamed.ts";
import { openStartKeys } from "./start-keys.ts";
import { openState } from "./state.ts";
import { openTriggers } from "./triggers.ts";
import { openTrust } from "./trust.ts";

const KEY = Buffer.alloc(32, 7);

describe.each(eachDatabase())("in %s", (_name, open) => {
  test("the last write of a name counts, and each file has its own names", async () => {
    const { sql, again } = await open();
    const state = openState(sql);
    const entry = { file: "/a", name: "n", value: "1", at: "2026-01-01T00:00:00.000Z" };
    must(await state.set(entry));
    must(await state.set({ ...entry, value: "two ' \" é 🐦" }));
    must(await state.set({ ...entry, file: "/b", run: "r" }));
    expect(must(await openState(again()).read("/a"))).toEqual({ n: "two ' \" é 🐦" });
    expect(must(await state.list()).map(({ file, run }) => [file, run])).toEqual([
      ["/a", undefined],
      ["/b", "r"],
    ]);
    const zero = "a\0b \uE000 \uE0001 \0\0";
    must(await state.set({ ...entry, value: zero }));
    expect(must(await state.read("/a"))).toEqual({ n: zero });
    expect([must(await state.remove("/a", "n")), must(await state.remove("/a", "n"))]).toEqual([true, false]);
  });

  test("a start key belongs to its first request, until it is forgotten or old", async () => {
    const { sql, again } = await open();
    const keys = openStartKeys(sql);
    expect(must(await keys.take("k", "asked", "run1", 0))).toEqual({ run: "run1", same: true });
    expect(must(await openStartKeys(again()).take("k", "asked", "run2", 1))).toEqual({ run: "run1", same: true });
    expect(must(await keys.take("k", "other", "run2", 1))).toEqual({ run: "run1", same: false });
    expect(must(await keys.take("k", "asked", "run3", limits.startKeyMs + 1)).run).toBe("run3");
    must(await keys.forget("k"));
    expect(must(await keys.take("k", "asked", "run4", limits.startKeyMs + 2)).run).toBe("run4");
  });

  test("if many take a key at once, one wins, and all get its run", async () => {
    const { sql, again } = await open();
    const others = [sql, again(), again()].map(openStartKeys);
    const taken = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => must(await others[n % 3]!.take("k", "asked", `run${n}`, 0)).run),
    );
    expect(new Set(taken).size).toBe(1);
  });

  test("trust and its entries in the audit log are stored together, and all writers make one chain", async () => {
    const { sql, again } = await open();
    const audit = openAudit(sql, () => ok(KEY));
    const trust = openTrust(sql, audit);
    const command = { hash: "h1", file: "/a", node: "n", by: "ada" };
    expect(must(await trust.add([command, command, { ...command, hash: "h2" }], "cli"))).toBe(2);
    const second = again();
    const others = [
      trust,
      openTrust(
        second,
        openAudit(second, () => ok(KEY)),
      ),
    ];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => others[n % 2]!.add([{ ...command, hash: `more ${n}` }], "cli")),
    );
    expect(must(await trust.known(["h1", "h3", "more 19"]))).toEqual(new Set(["h1", "more 19"]));
    expect(must(await trust.remove(["h1", "h1", "h3"], "cli"))).toBe(1);
    expect(must(await audit.verify())).toMatchObject({ entries: 23, findings: [] });
    expect(must(await audit.list(1))[0]).toMatchObject({ type: "command.distrusted", hash: "h1", n: 23 });
  });

  test("no workflow is trusted without its entry", async () => {
    const { sql } = await open();
    const audit = openAudit(sql, () => err({ code: "home-key-damaged", message: "no key" }));
    const trust = openTrust(sql, audit);
    expect(codeOf(await trust.add([{ hash: "h1", file: "/a", node: "n", by: "ada" }], "cli"))).toBe("store-failed");
    expect(must(await trust.known(["h1"])).size).toBe(0);
  });

  test("no code changes an entry of the audit log", async () => {
    const { sql } = await open();
    const audit = openAudit(sql, () => ok(KEY));
    must(await audit.append({ type: "secret.set", name: "A", door: "cli" }));
    for (const change of ["UPDATE audit SET body = '{}'", "DELETE FROM audit"]) {
      const changed = await sql.transaction(function* () {
        return ok(yield* execute(change));
      });
      expect(changed).toMatchObject({ ok: false, error: { message: expect.stringContaining("append-only") } });
    }
    expect(must(await audit.verify()).findings).toEqual([]);
  });

  test("a document that is renamed keeps its deliveries and triggers; one that is not renamed keeps its name", async () => {
    const { sql } = await open();
    const [triggers, deliveries] = [openTriggers(sql), openDeliveries(sql)];
    must(await triggers.seen("/a#t", 5));
    must(await triggers.seen("/b#t", 9));
    const start = { run: "r", trigger: "/a#t", key: "k", startedBy: { kind: "schedule" as const }, file: "/a" };
    must(await triggers.decide("/a#t", { sinceMs: 6 }, [start]));
    must(await triggers.remember("/a#t", [["x", "1"]]));
    const refused = { id: "d", hook: "h", file: "/a", receivedAt: "2026-01-01T00:00:00.000Z", bytes: 0, reason: "no" };
    must(await deliveries.refuse(refused));
    const renaming = { from: "/a", to: "/b", triggers: [["/a#t", "/b#t"]] as const };
    const failed = await renamed(sql, renaming, () => err("taken"));
    expect(must(failed)).toEqual(err("taken"));
    expect(must(await triggers.due())[0]?.file).toBe("/a");
    expect(must(must(await renamed(sql, renaming, () => ok("done"))))).toBe("done");
    expect(must(await triggers.due())[0]).toMatchObject({ trigger: "/b#t", file: "/b" });
    expect(must(await triggers.state("/b#t"))?.sinceMs).toBe(6);
    expect(must(await triggers.state("/a#t"))).toBeUndefined();
    expect(must(await triggers.watched("/b#t"))).toEqual(new Map([["x", "1"]]));
    expect(must(await deliveries.find("d"))?.file).toBe("/b");
  });

  test("a failed transaction leaves nothing", async () => {
    const { sql } = await open();
    const failed = await sql.transaction(function* () {
      yield* execute("INSERT INTO removed_runs (run) VALUES (?)", "r");
      return err(storeFailed("here", "no"));
    });
    expect(codeOf(failed)).toBe("store-failed");
    const counted = await sql.guard(function* () {
      return ok(Number((yield* get("SELECT count(*) AS n FROM removed_runs"))?.n));
    });
    expect(must(counted)).toBe(0);
  });
});
