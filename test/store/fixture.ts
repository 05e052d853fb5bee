// fixture: helpers for the store's tests: ids, events, owners, and folders that are removed automatically.

import fs from "node:fs";
import { newRunId } from "../../src/base/ids.ts";
import type { Result } from "../../src/base/result.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { NewRun, Owner } from "../../src/store/journal.ts";

/** The n-th run id of a test: the same every time, in the order of n. */
export const id = (n: number): string => newRunId(Date.UTC(2026, 0, 1) + n * 1000, new Uint8Array(11).fill(n % 32));

export const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

export const newRun = (n: number, more: Partial<NewRun> = {}): NewRun => ({
  id: id(n),
  name: "shop",
  file: "/flows/shop.yaml",
  trigger: { kind: "cli" },
  startedAt: at(n),
  ...more,
});

/** Event number `seq` of a run: a node with a message. */
export const event = (run: string, seq: number, text = `value ${seq}`): RunEvent => ({
  seq,
  at: at(seq),
  run,
  type: "node.succeeded",
  node: "n",
  path: `n[${seq}]`,
  value: { text },
});

/** Events `from` … `to`, both included. */
export const events = (run: string, from: number, to: number, text?: string): RunEvent[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => event(run, from + n, text));

/** A grant, which the audit log is about. */
export const granted = (run: string, seq: number): RunEvent => ({
  seq,
  at: at(seq),
  run,
  type: "approval.granted",
  node: "gate",
  path: `gate[${seq}]`,
  hash: `hash ${seq}`,
  by: "ada",
  door: "cli",
});

export const owner = (token: string, pid = 4711): Owner => ({ pid, startTime: "100", bootId: "boot", token });

export const alive = () => true;
export const dead = () => false;

/** The value, or a test failure that shows the error. */
export function must<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`expected ok, got ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The error's code, or `ok`. */
export const codeOf = (result: Result<unknown, { code: string }>): string => (result.ok ? "ok" : result.error.code);

/** Rights of a file or folder, as in `chmod`. */
export const modeOf = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);
