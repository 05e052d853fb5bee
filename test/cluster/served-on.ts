// served-on: a server in this process that is machine "one" of a cluster, and takes no runs of others.

import { ok } from "../../src/base/result.ts";
import { openClusterEngine } from "../../src/engine/cluster/index.ts";
import type { EngineOptions } from "../../src/engine/index.ts";
import { type Served, served } from "../server/served.ts";
import { LEASE_MS } from "./cluster.ts";

/** `url`: of the database. */
export function servedOn(url: string): Promise<Served> {
  return served(
    {},
    {
      open: async (given: EngineOptions) => {
        const machine = { name: "one", labels: ["eu"], slots: 2, leaseMs: LEASE_MS, version: "1.2.3" };
        const keys = { key: Buffer.alloc(32, 7), auditKey: () => ok(Buffer.alloc(32, 8)) };
        const opened = await openClusterEngine({ ...given, ...keys, url, machine, takes: false, patienceMs: 600_000 });
        return opened.ok ? ok({ engine: opened.value, store: opened.value.store, isShared: true }) : opened;
      },
    },
  );
}
