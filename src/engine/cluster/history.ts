// history: moves the history of a data directory into a cluster and back, and checks that of a cluster (spec 6.2).

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { AuditFinding, Finding } from "../../store/index.ts";
import { type Moved, type Moving, moveFrom, moveTo, openPostgresStore } from "../../store/postgres/index.ts";
import { isAlive } from "../recovery/owner.ts";
import { asFailure } from "../run-start.ts";
import { eventMarks, signer } from "./sign.ts";

/** `key`: for runs (sign.ts M13). */
type Keyed = Omit<Moving, "marks"> & { key: Buffer };

/** Failures: `move-failed`, those of the store. */
export async function historyTo(moving: Keyed): Promise<Result<Moved, Failure>> {
  return failing(await moveTo({ ...moving, marks: eventMarks(signer(moving.key)) }, isAlive));
}

/** Failures: `move-failed`, `run-unsigned`, those of the store. */
export async function historyBack(moving: Keyed): Promise<Result<Moved, Failure>> {
  return failing(await moveFrom({ ...moving, marks: eventMarks(signer(moving.key)) }));
}

export interface Checked {
  runs: number;
  events: number;
  findings: (Finding | AuditFinding)[];
}

/** Reads every record. With the key for runs, checks their marks and the audit log too. Failures: those of the store. */
export async function checkHistory(
  options: Parameters<typeof openPostgresStore>[0],
  key: Buffer | undefined,
): Promise<Result<Checked, Failure>> {
  const opened = await openPostgresStore({ ...options, marks: key && eventMarks(signer(key)) });
  if (!opened.ok) return failing(opened);
  const { journal, audit, counts, close } = opened.value;
  try {
    const [counted, found] = [await counts(), await journal.check()];
    if (!counted.ok) return failing(counted);
    if (!found.ok) return failing(found);
    const log = key !== undefined ? await audit.verify() : ok({ findings: [] });
    if (!log.ok) return failing(log);
    return ok({ ...counted.value, findings: [...found.value, ...log.value.findings] });
  } finally {
    await close();
  }
}

function failing<T>(result: Result<T, Parameters<typeof asFailure>[0]>): Result<T, Failure> {
  return result.ok ? result : err(asFailure(result.error));
}
