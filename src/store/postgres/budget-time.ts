// budget-time: budgets of several machines count by the clock of the database, because theirs differ.
//   T1. The distance between the clocks is measured once. It changes only when a later measurement differs by more than
//       a second, so that a moment keeps its number.

import { ok, type Result } from "../../base/result.ts";
import type { Budgets, Moment } from "../budgets.ts";
import type { StoreError } from "../error.ts";
import type { Connection } from "./connection.ts";

const MEASURED_FOR_MS = 60_000;
const DRIFT_MS = 1_000;

export function byDatabaseTime(connection: Connection, budgets: Budgets): Budgets {
  /** Milliseconds since 1970 of the database, when this machine had been up for 0 ms. */
  let zeroMs: number | undefined;
  let measuredAt = 0;

  /** `now`: of this machine, at this moment. */
  async function measure(now: Moment): Promise<Result<number, StoreError>> {
    if (zeroMs !== undefined && now.upMs - measuredAt < MEASURED_FOR_MS) return ok(zeroMs);
    const from = performance.now();
    const told = await connection.query("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms");
    if (!told.ok) return told;
    const measuredMs = Number(told.value[0]!.ms) - Math.round(now.upMs + performance.now() - from);
    if (zeroMs === undefined || Math.abs(measuredMs - zeroMs) > DRIFT_MS) zeroMs = measuredMs;
    measuredAt = now.upMs;
    return ok(zeroMs);
  }

  const moment = (upMs: number, zero: number): Moment => ({
    ...{ wallMs: upMs + zero, upMs: upMs + zero, boot: "database" },
  });

  return {
    take: async (who, wanted, owner, now) => {
      const zero = await measure(now);
      if (!zero.ok) return zero;
      const taken = await budgets.take(who, wanted, owner, moment(now.upMs, zero.value));
      if (!taken.ok || taken.value.taken || taken.value.untilMs === undefined) return taken;
      return ok({ ...taken.value, untilMs: taken.value.untilMs - zero.value - now.upMs + now.wallMs });
    },
    turns: async (owner, now) => {
      const zero = await measure(now);
      return zero.ok ? budgets.turns(owner, moment(now.upMs, zero.value)) : zero;
    },
    countLater: async (key, taken, from) => {
      const zero = await measure(from);
      return zero.ok ? budgets.countLater(key, moment(taken.upMs, zero.value), moment(from.upMs, zero.value)) : zero;
    },
    giveBack: budgets.giveBack,
    adopt: budgets.adopt,
  };
}
