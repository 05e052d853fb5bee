// here: who sits at this process, and where: what an answer is put on record with (spec 3.5, 4.2).
//   E1. The user is the one the system knows, never what a variable such as USER says.
// Deliberately absent: any claim that this is proof. Who may run programs as that user may give that user's answers.

import { readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";

export interface Here {
  /** The system's name for the user of this process; `uid 1234` when it has none. */
  user: string;
  from: From;
}

/** Where an answer came from. */
export interface From {
  host: string;
  /** The terminal, such as `/dev/pts/3`; absent where there is none, or no way to know. */
  tty?: string;
  /** Of whoever asked a server. */
  address?: string;
  /** The beginning of the name of a browser's session. */
  session?: string;
}

export function here(): Here {
  const tty = terminalPath();
  return { user: userName(), from: { host: hostname(), ...(tty === undefined ? {} : { tty }) } };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have a number and no name.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Standard input first: it is where a person types. */
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
