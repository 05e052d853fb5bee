// cluster: what a commit in PostgreSQL costs (spec 6.8). The server is on this machine, with fsync as in production.
// Control: the same commits in SQLite, in turn.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { Journal } from "../../src/store/index.ts";
import { openStore } from "../../src/store/index.ts";
import { connect, openPostgresStore, setUp } from "../../src/store/postgres/index.ts";
import { postgresPrograms, startPostgres } from "../../test/setup/postgres.ts";
import { event, id, must, newRun, owner } from "../../test/store/fixture.ts";
import { folder, median, quick, type Row } from "./measure.ts";

export const cluster = {
  commit: async (): Promise<Row[]> => {
    if (postgresPrograms() === undefined) return [missing("commits in PostgreSQL")];
    return inCluster(async (journal) => {
      const local = must(openStore(mkdtempSync(join(folder, "local-"))));
      const [here, there] = [await runOn(local.journal, 1), await runOn(journal, 1)];
      const took: number[][] = [[], []];
      for (let n = 0; n < (quick ? 200 : 2_000); n++) {
        took[0]!.push(await timed(() => here()));
        took[1]!.push(await timed(() => there()));
      }
      local.close();
      const [sqlite = 0, postgres = 0] = took.map(median);
      const figure = `${postgres.toFixed(2)} ms (SQLite: ${sqlite.toFixed(2)} ms)`;
      return [{ what: "a commit of one run in PostgreSQL", figure, reach: "≤ 1.5 ms", reached: postgres <= 1.5 }];
    });
  },
  commits: async (): Promise<Row[]> => {
    if (postgresPrograms() === undefined) return [missing("commits of 100 runs in PostgreSQL")];
    return inCluster(async (journal) => {
      const runs = await Promise.all(Array.from({ length: 100 }, (_, n) => runOn(journal, n + 1)));
      const each = quick ? 50 : 500;
      let best = 0;
      for (let round = 0; round < 3; round++) {
        const from = performance.now();
        await Promise.all(
          runs.map(async (next) => {
            for (let n = 0; n < each; n++) await next();
          }),
        );
        best = Math.max(best, (runs.length * each) / ((performance.now() - from) / 1_000));
      }
      const figure = `${Math.round(best).toLocaleString("en")}/s`;
      return [{ what: "commits of 100 runs of one process", figure, reach: "≥ 15,000/s", reached: best >= 15_000 }];
    });
  },
};

function missing(what: string): Row {
  return { what, figure: "PostgreSQL's programs are missing", reach: "", reached: false };
}

async function inCluster(work: (journal: Journal) => Promise<Row[]>): Promise<Row[]> {
  const server = await startPostgres({ durable: true });
  try {
    const connection = must(connect(server.url()));
    must(await setUp(connection));
    await connection.close();
    const auditKey = () => ({ ok: true as const, value: Buffer.alloc(32) });
    const store = must(
      await openPostgresStore({ url: server.url(), home: mkdtempSync(join(folder, "cluster-")), auditKey }),
    );
    const rows = await work(store.journal);
    await store.close();
    return rows;
  } finally {
    await server.remove();
  }
}

/** A new run, and a function that commits its next event. */
async function runOn(journal: Journal, n: number): Promise<() => Promise<void>> {
  const run = id(n).slice(0, -4) + String(n).padStart(4, "0");
  must(await journal.createRun(newRun(n, { id: run }), { owner: owner("me") }));
  let seq = 0;
  return async () => {
    seq += 1;
    const next: RunEvent = event(run, seq);
    must(await journal.append(run, [next]));
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
