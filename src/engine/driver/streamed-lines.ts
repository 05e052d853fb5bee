// streamed-lines: the lines that nodes with `streamOutput: true` print, as they come (spec 8.3).
//   T1. Every line is shown once and in full, in the order of its stream, and before the end of its attempt.
//   T2. Lines are read from the output files, so they are masked. Output that a secret Variable takes is in no file.
//   T3. A file that cannot be read is not shown, and stops nothing.

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { Graph } from "../../workflow/graph.ts";
import type { RunWork } from "./driver-work.ts";

export interface StreamedLine {
  run: string;
  node: string;
  path: string;
  number: number;
  stream: "stdout" | "stderr";
  text: string;
}

interface Open {
  file: string;
  /** Bytes read so far. */
  at: number;
  decoder: StringDecoder;
  /** The start of a line that has not ended. */
  rest: string;
}

type Stream = StreamedLine["stream"];

/** Undefined if no node of the run streams. */
export function streamedLines(
  run: string,
  folder: string,
  graph: Graph,
  show: (line: StreamedLine) => void,
): { onGrowth: NonNullable<RunWork["onGrowth"]>; onEvent(event: RunEvent): void } | undefined {
  const streamed = new Set(
    graph.nodes.flatMap(({ id, node }) => ("streamOutput" in node.data && node.data.streamOutput === true ? id : [])),
  );
  if (streamed.size === 0) return undefined;
  const attempts = new Map<string, Record<Stream, Open>>();
  const nodeOf = (path: string): string => path.replace(/\[.*$/, "");

  function attemptAt(path: string, stem: string): Record<Stream, Open> {
    const known = attempts.get(path);
    if (known !== undefined) return known;
    const open = (suffix: string): Open => {
      return { file: join(folder, `${stem}.${suffix}`), at: 0, decoder: new StringDecoder("utf8"), rest: "" };
    };
    const opened = { stdout: open("out"), stderr: open("err") };
    attempts.set(path, opened);
    return opened;
  }

  function readTo(bytes: number, open: Open, line: Omit<StreamedLine, "text">, isOver = false): void {
    for (const chunk of chunksOf(open, bytes)) {
      const lines = (open.rest + open.decoder.write(chunk)).split("\n");
      open.rest = lines.pop() ?? "";
      for (const text of lines) show({ ...line, text });
      if (open.rest.length < limits.liveBytes) continue;
      show({ ...line, text: open.rest });
      open.rest = "";
    }
    const last = isOver ? open.rest + open.decoder.end() : "";
    if (last !== "") show({ ...line, text: last });
  }

  return {
    onGrowth: ({ path, number, stem }, stream, bytes) => {
      const node = nodeOf(path);
      if (streamed.has(node)) readTo(bytes, attemptAt(path, stem)[stream], { run, node, path, number, stream });
    },
    onEvent: (event) => {
      if (!("number" in event) || !streamed.has(event.node)) return;
      const { node, path, number } = event;
      if (event.type === "attempt.started") attemptAt(path, String(event.seq));
      const opened = attempts.get(path);
      if (opened === undefined || !("end" in event)) return;
      for (const stream of ["stdout", "stderr"] as const)
        readTo(event.end[stream]?.bytes ?? 0, opened[stream], { run, node, path, number, stream }, true);
      attempts.delete(path);
    },
  };
}

/** The bytes of the file up to `bytes`. Each chunk is valid until the next one. */
function* chunksOf(open: Open, bytes: number): Generator<Buffer> {
  if (open.at >= bytes) return;
  let fd: number | undefined;
  try {
    fd = openSync(open.file, "r");
    const chunk = Buffer.allocUnsafe(Math.min(limits.liveBytes, bytes - open.at));
    while (open.at < bytes) {
      const read = readSync(fd, chunk, 0, Math.min(chunk.length, bytes - open.at), open.at);
      if (read === 0) return;
      open.at += read;
      yield chunk.subarray(0, read);
    }
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).syscall === undefined) throw reason;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
