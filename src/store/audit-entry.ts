// audit-entry: which events of a run the audit log is about, and what it says of each (spec 4.2).
//   N1. Said are names, hashes and people; never a command, a value or a reason.

import { limits } from "../base/limits.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { type From, here } from "./here.ts";

export interface EntryBody {
  /** The event's type; `secret.set`, `secret.removed`, `auth.signed-in`, `auth.signed-out`, `command.trusted`, `command.distrusted`; `unreadable` for an entry that is damaged. */
  type: string;
  /** The outermost run, and the path in it as a person names it. */
  run?: string;
  path?: string;
  /** Where the event stands: the run whose journal holds it, and its number there. */
  event?: { run: string; seq: number };
  /** What was asked about, or answered. */
  hash?: string;
  by?: string;
  /** `cli`, …: the way it came. */
  door?: string;
  from?: From;
  /** The command was changed by whoever granted it. */
  edited?: true;
  /** An approval that expired: what that counted as. */
  as?: string;
  /** A run that was started with approvals in advance; `*` for `--yes`. */
  inAdvance?: string[];
  /** A run with nodes whose safety level is `advanced`: their ids, the first `limits.auditNamesMax`. */
  advanced?: string[];
  advancedCount?: number;
  /** Of a secret; of a command that is trusted, its node. */
  name?: string;
}

/** Nothing for events that the log is not about. */
export function entryOf(event: RunEvent): EntryBody | undefined {
  if (event.type === "run.started") return startOf(event);
  if (!event.type.startsWith("approval.")) return undefined;
  const said = event as RunEvent & { path: string; hash: string; edited?: unknown } & Partial<EntryBody>;
  return {
    type: event.type,
    path: said.path,
    hash: said.hash,
    by: said.by,
    door: said.door,
    from: said.from,
    edited: said.edited === undefined ? undefined : true,
    as: said.as,
  };
}

/** Only of a run in which something will not be asked about. */
function startOf(event: Extract<RunEvent, { type: "run.started" }>): EntryBody | undefined {
  const { approvedInAdvance, advanced } = event;
  if (approvedInAdvance === undefined && advanced === undefined) return undefined;
  const { user, from } = here();
  return {
    type: event.type,
    by: user,
    door: event.trigger.kind,
    from,
    ...(approvedInAdvance === undefined ? {} : { inAdvance: approvedInAdvance }),
    ...(advanced === undefined
      ? {}
      : { advanced: advanced.slice(0, limits.auditNamesMax), advancedCount: advanced.length }),
  };
}
