// output: writes the bytes that a command prints to two files (spec 3.2).
//   W1. Bytes are written as they arrive, in one synchronous write each: memory use is constant, and only the disk
//       slows the command down.
//   W2. A file is created with the stream's first byte, mode 0600. Without output there is no file.
//   W3. At `bytesMax` (both streams together) exactly that many bytes have been kept, and `onStop` is called once.
//   W4. A failed write calls `onStop` once, and later bytes are dropped. It never throws.

import { limits } from "../base/limits.ts";
import { appendFile } from "./append-file.ts";
import type { StopReason } from "./cause.ts";
import type { StreamName } from "./interleaving.ts";
import { orderWriter } from "./interleaving-writer.ts";

/** Changes bytes before they reach anything, for masking (4.2). It may hold bytes back until `end`. */
export interface OutputTransform {
  push(bytes: Uint8Array): Uint8Array;
  /** `cut`: the command was stopped, maybe in the middle of its output. */
  end(cut: boolean): Uint8Array;
}

export interface OutputOptions {
  stdoutFile: string;
  stderrFile: string;
  orderFile: string;
  bytesMax: number;
  /** Whether to fsync written files before the end is reported. */
  sync: boolean;
  transform?: ((stream: StreamName) => OutputTransform) | undefined;
  /** The bytes are valid only during the call: copy what you keep. */
  onChunk?: ((stream: StreamName, bytes: Uint8Array) => void) | undefined;
  onStop: (reason: StopReason) => void;
}

/** Sizes in bytes and checksums of the files (append-file.ts). */
export interface Printed {
  stdoutBytes: number;
  stderrBytes: number;
  stdoutSha256: string | undefined;
  stderrSha256: string | undefined;
}

export interface OutputFiles {
  write(stream: StreamName, bytes: Uint8Array): void;
  /** The kernel reports that the command wrote to the stream. Its bytes may come later. */
  mark(stream: StreamName): void;
  /** Closes the files and writes the bytes that a transform held back. `cut` as above. */
  end(cut: boolean): Printed & { stderrTail: string };
}

export function outputFiles(options: OutputOptions, startedMs: number): OutputFiles {
  const files = { stdout: appendFile(options.stdoutFile), stderr: appendFile(options.stderrFile) };
  const transforms = options.transform && { stdout: options.transform("stdout"), stderr: options.transform("stderr") };
  const order = orderWriter(appendFile(options.orderFile), startedMs);
  let room = options.bytesMax;
  let stopped = false;
  let tail: Uint8Array = new Uint8Array(0);

  function stop(reason: StopReason): void {
    if (stopped) return;
    stopped = true;
    options.onStop(reason);
  }

  function keep(name: StreamName, all: Uint8Array): void {
    if (stopped || all.length === 0) return;
    const bytes = all.length > room ? all.subarray(0, room) : all;
    try {
      files[name].append(bytes);
      order.add(name, bytes);
    } catch (error) {
      stop({ type: "output-failed", reason: (error as Error).message });
      return;
    }
    room -= bytes.length;
    if (name === "stderr") tail = lastBytes(tail, bytes);
    if (bytes.length > 0) options.onChunk?.(name, bytes);
    if (bytes.length < all.length) stop({ type: "output-limit", bytes: options.bytesMax });
  }

  return {
    mark: (name) => order.mark(name),
    write: (name, bytes) => keep(name, transforms ? transforms[name].push(bytes) : bytes),
    end(cut) {
      if (transforms) for (const name of ["stdout", "stderr"] as const) keep(name, transforms[name].end(cut));
      try {
        order.end(files.stdout.bytes > 0 && files.stderr.bytes > 0, options.sync);
        for (const file of [files.stdout, files.stderr]) file.end(options.sync);
      } catch (error) {
        stop({ type: "output-failed", reason: (error as Error).message });
      }
      const { stdout, stderr } = files;
      const printed = {
        stdoutBytes: stdout.bytes,
        stderrBytes: stderr.bytes,
        stdoutSha256: stdout.sha256,
        stderrSha256: stderr.sha256,
      };
      return { ...printed, stderrTail: tailText(tail) };
    },
  };
}

function lastBytes(tail: Uint8Array, bytes: Uint8Array): Uint8Array {
  const max = limits.stderrTailBytes;
  if (bytes.length >= max) return new Uint8Array(bytes.subarray(bytes.length - max));
  const whole = Buffer.concat([tail, bytes]);
  return whole.length > max ? whole.subarray(whole.length - max) : whole;
}

/** The tail as text, from the first whole character on. */
function tailText(tail: Uint8Array): string {
  let from = 0;
  while (tail.length === limits.stderrTailBytes && from < 4 && ((tail[from] ?? 0) & 0xc0) === 0x80) from++;
  return new TextDecoder().decode(tail.subarray(from));
}

/**
 * Reports that the stream's file now has that many bytes, masked. Called a few times per second, and the last growth
 * may be reported only with the end. The file is the source of truth.
 */
export type GrowthListener = (stream: "stdout" | "stderr", bytes: number) => void;
