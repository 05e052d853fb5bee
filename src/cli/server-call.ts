// server-call: the running server of a data directory, found through server.json and called with its token (spec 2.7).
//   C1. A server counts as running only if it responds. The file alone may be left over from an earlier one.

import { relative, sep } from "node:path";
import { readServerFile } from "../app/instance.ts";
import { limits } from "../base/limits.ts";
import { isAlive } from "../engine/recovery/owner.ts";
import type { RunRow } from "../store/index.ts";

export interface FoundServer {
  pid: number;
  url: string;
  /** `path` is below /api/v1. A body is sent as JSON. Undefined if the server does not respond. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown } | undefined>;
}

/** Undefined if no server responds. */
export async function serverOf(home: string): Promise<FoundServer | undefined> {
  const file = readServerFile(home);
  if (file === undefined) return undefined;
  const { url, token, pid } = file;
  const call: FoundServer["call"] = async (method, path, body) => {
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(limits.serverAnswerMs),
      });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    } catch {
      return undefined;
    }
  };
  return (await call("GET", "/server"))?.status === 200 ? { url, pid, call } : undefined;
}

/** The server of this data directory if it owns the run. "silent": it owns the run but does not respond. */
export async function serverAtWork({ owner }: RunRow, home: string): Promise<FoundServer | "silent" | undefined> {
  if (owner === undefined || !isAlive(owner) || readServerFile(home)?.pid !== owner.pid) return undefined;
  return (await serverOf(home)) ?? "silent";
}

/** The server's path for this file (links resolved), or undefined if it is outside the served folder. */
export function pathServed(file: string, folder: string): string | undefined {
  const path = relative(folder, file);
  return path === "" || path.startsWith("..") || path.startsWith(sep) ? undefined : path.split(sep).join("/");
}
