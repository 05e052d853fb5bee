// server-call: the server that runs for this home, found by its server.json and asked by its token (spec 2.7).
//   C1. It is there when it answers, and only then: the file alone is what an earlier one may have left.

import { relative, sep } from "node:path";
import { limits } from "../base/limits.ts";
import { isAlive } from "../engine/local/owner.ts";
import { readServerFile } from "../server/instance.ts";
import type { RunRow } from "../store/index.ts";

export interface FoundServer {
  pid: number;
  url: string;
  /** Below /api/v1. A body is sent as JSON. Undefined when it does not answer. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown } | undefined>;
}

/** Undefined when none answers. */
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

/** The server of this home, when it is at work on the run; "silent": it is, and does not answer. */
export async function serverAtWork({ owner }: RunRow, home: string): Promise<FoundServer | "silent" | undefined> {
  if (owner === undefined || !isAlive(owner) || readServerFile(home)?.pid !== owner.pid) return undefined;
  return (await serverOf(home)) ?? "silent";
}

/** The path that the server calls this file by (a path without links); nothing when it lies outside of the served folder. */
export function pathServed(file: string, folder: string): string | undefined {
  const path = relative(folder, file);
  return path === "" || path.startsWith("..") || path.startsWith(sep) ? undefined : path.split(sep).join("/");
}
