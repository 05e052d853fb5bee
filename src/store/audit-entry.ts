// Selects the events of a run that the audit log records, and what it records of each (spec 4.2).
//   N1. Entries contain names, hashes, and people, but no commands, values, or reasons.

import { limits } from "../base/limits.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { type ActorSource, actorHere } from "./actor.ts";

export interface EntryBody {
  /**
   * The event's type, or one of `secret.set`, `secret.removed`, `auth.signed-in`, `auth.signed-out`, `command.trusted`,
   * `command.distrusted`, `state.set`, `state.removed`, `machine.drained`, `machine.resumed`, `machine.forgotten`.
   * `unreadable` for an entry that is damaged.
   */
  type: string;
  /** The outermost run, and the node's path in it. */
  run?: string;
  path?: string;
  /** The run whose journal has the event, and its number there. */
  event?: { run: string; seq: number };
  /** The hash of what was asked about or decided. */
  hash?: string;
  by?: string;
  /** How the decision was made: `cli`, … */
  door?: string;
  from?: ActorSource;
  /** The approver changed the command. */
  edited?: true;
  /** For an approval that expired: how that was counted. */
  as?: string;
  /** For a run started with approvals in advance. `*` stands for `--yes`. */
  inAdvance?: string[];
  /** For a run with nodes whose safety level is `advanced`: their ids, at most `limits.auditNamesMax`. */
  advanced?: string[];
  advancedCount?: number;
  /** The name of a secret or of a value of `state`, the node of a trusted command, or a machine. */
  name?: string;
}

/** Undefined for events that are not logged. */
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

/** Undefined unless something in the run needs no approval. */
function startOf(event: Extract<RunEvent, { type: "run.started" }>): EntryBody | undefined {
  const { approvedInAdvance, advanced } = event;
  if (approvedInAdvance === undefined && advanced === undefined) return undefined;
  const { user, from } = actorHere();
  return {
    type: event.type,
    by: user,
    door: event.trigger.kind,
    from,
    inAdvance: approvedInAdvance,
    ...(advanced === undefined
      ? {}
      : { advanced: advanced.slice(0, limits.auditNamesMax), advancedCount: advanced.length }),
  };
}
