// The user of this process and their terminal, as recorded with each decision (spec 3.5, 4.2).
//   E1. The user name comes from the system, never from a variable such as USER.
// An actor is not proven. Any program that runs as that user can decide in their name.

import { readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";

export interface Actor {
  /** The system's user name, or `uid 1234` if the user has no name. */
  user: string;
  from: ActorSource;
}

/** Where a decision came from. */
export interface ActorSource {
  host: string;
  /** The terminal, such as `/dev/pts/3`. Absent if no terminal is known. */
  tty?: string;
  /** The IP address of the server's client. */
  address?: string;
  /** The start of the browser session's name. */
  session?: string;
}

export function actorHere(): Actor {
  const tty = terminalPath();
  return { user: userName(), from: { host: hostname(), tty } };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may have only a number.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Standard input comes first, because that is where people type. */
function terminalPath(): string | undefined {
  for (const fd of [0, 2, 1]) {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      if (/^\/dev\/(?:pts\/\d+|tty\w*)$/.test(target)) return target;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
