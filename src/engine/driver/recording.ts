// recording: makes the events of a run durable, then reports them to listeners (spec 3.1, 5.3).
//   J0. A run and its first events are created in one transaction, so there is no run without a start.
//   J1. If the store refuses to write, the run stops where its journal ends.
//   J2. A file that an event names as a value is durable before the event, up to limits.valueSyncBytesMax. A larger
//       file is checked when the run resumes (run-start.ts).
//   J3. State that an event stores for later runs is written in the transaction of the event.

import { closeSync, fsyncSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { after, type Now } from "../../base/now.ts";
import { err, type Result } from "../../base/result.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { isFinished, waitingCount } from "../../scheduler/state.ts";
import { explainErrno, type Store, type StoreError } from "../../store/index.ts";
import type { Graph } from "../../workflow/graph.ts";
import type { EngineOptions } from "../contract.ts";
import type { RunWork } from "./driver-work.ts";
import { streamedLines } from "./streamed-lines.ts";

/** Thrown if the store refuses to write (J1). */
export class StoreFault extends Error {
  override name = "StoreFault";
  readonly code: string;
  constructor(error: Pick<Failure, "code" | "message">) {
    super(error.message);
    this.code = error.code;
  }
}

const OF_THE_DISK = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS"]);

/** A StoreFault if the disk refused to write a file of a run (J1). Any other error is returned unchanged. */
export function storeFaultOf(reason: unknown, home: string): unknown {
  const { code, syscall } = reason as NodeJS.ErrnoException;
  if (!(reason instanceof Error) || syscall === undefined || !OF_THE_DISK.has(code ?? "")) return reason;
  return new StoreFault(explainErrno(reason, home));
}

/** Turns a disk error before the start into an ordinary failure. */
export async function orFault<T>(home: string, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  try {
    return await work();
  } catch (reason) {
    const fault = storeFaultOf(reason, home);
    if (fault instanceof StoreFault) return err({ code: fault.code, message: fault.message });
    throw reason;
  }
}

/** `create`: called for a run that is not recorded yet. */
export function recordingOf(
  id: string,
  folder: string,
  store: Store,
  options: EngineOptions,
  graph: Graph,
  create?: (events: readonly RunEvent[]) => Now<Result<unknown, StoreError>>,
): Pick<RunWork, "commit" | "onEvent" | "onGrowth"> {
  const { onOutput, onLine } = options;
  const lines = onLine && streamedLines(id, folder, graph, onLine);
  const shown = onOutput && growthShown(id, folder, onOutput);
  let begin = create;
  return {
    commit: (events, state) => {
      const last = events.at(-1);
      const change = {
        status: state.status,
        waiting: waitingCount(state),
        ...(isFinished(state) && last !== undefined ? { endedAt: last.at } : {}),
        state: storedBy(events),
      };
      syncValues(folder, events);
      const appended = begin === undefined ? store.journal.append(id, events, change) : begin(events);
      begin = undefined;
      return after(appended, (answer) => {
        if (answer.ok) return;
        if (answer.error.code === "not-owner") options.onNotOwner?.(id);
        throw new StoreFault(answer.error);
      });
    },
    onEvent: (event) => {
      lines?.onEvent(event);
      options.onEvent?.(event);
    },
    onGrowth:
      lines === undefined
        ? shown
        : (...growth) => {
            lines.onGrowth(...growth);
            shown?.(...growth);
          },
  };
}

/** The state that these events store. The last write of a name counts. */
function storedBy(events: readonly RunEvent[]): Record<string, string> | undefined {
  let stored: Record<string, string> | undefined;
  for (const event of events)
    if ("state" in event && event.type !== "run.started") stored = { ...stored, ...event.state };
  return stored;
}

/** J2. Values kept from another run were synced when they were taken over. */
function syncValues(folder: string, events: readonly RunEvent[]): void {
  let any = false;
  for (const event of events) {
    if (!("value" in event) || event.type === "node.kept" || event.value === undefined || !("file" in event.value))
      continue;
    if (event.value.bytes > limits.valueSyncBytesMax) continue;
    sync(join(folder, event.value.file));
    any = true;
  }
  if (any && process.platform !== "win32") sync(folder);
}

function sync(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads new output from its file for listeners. */
function growthShown(run: string, folder: string, show: NonNullable<EngineOptions["onOutput"]>): RunWork["onGrowth"] {
  const tails = new Map<string, OutputTail>();
  return ({ path, number, stem }, stream, grown) => {
    const name = `${stem}.${stream === "stdout" ? "out" : "err"}`;
    // Forgetting a position shows some bytes again. Remembering all would grow with the run.
    if (tails.size >= limits.liveFilesRemembered) tails.clear();
    const tail = tails.get(name) ?? outputTail(join(folder, name));
    tails.set(name, tail);
    const bytes = tail.read(grown);
    if (bytes.length > 0) show({ run, path, number, stream, bytes });
  };
}

/** The newest bytes of an output file, for display. If the file grows too fast, only its end is read. */
interface OutputTail {
  /**
   * The file is now `bytes` long. Returns the bytes since the last call, at most `limits.liveBytes`. Valid until the
   * next call.
   */
  read(bytes: number): Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
const scratch = Buffer.allocUnsafe(limits.liveBytes);

function outputTail(file: string): OutputTail {
  let shown = 0;
  return {
    read(bytes) {
      const from = Math.max(shown, bytes - limits.liveBytes);
      if (from >= bytes) return NO_BYTES;
      shown = bytes;
      return readAt(file, from, bytes - from);
    },
  };
}

function readAt(file: string, from: number, length: number): Uint8Array {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    return scratch.subarray(0, readSync(fd, scratch, 0, length, from));
  } catch {
    return NO_BYTES;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
