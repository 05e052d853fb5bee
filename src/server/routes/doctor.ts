// Returns the findings of `curlew doctor` (spec 2.2, 2.3; docs/reference/doctor.md).
//   D1. The checks are those of the command line. Requests that arrive during a check share its result.

import type { DoctorReport } from "../../api/shapes.ts";
import type { Check } from "../../app/doctor/check.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";

const LEVELS = { ok: "ok", note: "note", wrong: "error" } as const satisfies Record<
  Check["status"],
  DoctorReport["findings"][number]["level"]
>;

const working = new WeakMap<ServerContext, Promise<Check[]>>();

export const doctorRoutes = {
  "GET /doctor": async (_call, context) => {
    const checks = working.get(context) ?? look(context);
    working.set(context, checks);
    return json({ findings: (await checks).map(findingOf) } satisfies DoctorReport);
  },
} satisfies Partial<Handlers>;

async function look(context: ServerContext): Promise<Check[]> {
  try {
    const { allChecks } = await import("../../app/doctor/look.ts");
    const { clusterChecks } = await import("../../app/doctor/leftovers.ts");
    const { engine, store, home, env } = context;
    const machines = await engine.machines?.list();
    // A server of a cluster has its key.
    const key = "same" as const;
    const history =
      machines && clusterChecks({ machines: machines.ok ? machines.value : [], key, journal: store.journal });
    return await allChecks(home, env, history);
  } finally {
    working.delete(context);
  }
}

function findingOf({ what, status, message, code, help }: Check): DoctorReport["findings"][number] {
  return {
    code: code ?? what,
    level: LEVELS[status],
    title: what,
    detail: message,
    remedy: help,
  };
}
