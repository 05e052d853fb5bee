// stdin: provides the standard input of a command (spec 1.2, 3.2). A command may read it slowly, partly, or not at all.
//   I1. Small input and whole files are passed as a file descriptor: seekable, and no pipe that can break.
//   I2. Other large input is pumped through a FIFO. Input that the command leaves unread is dropped without an error.
//   I3. Text is never left on disk: its file is unlinked before the first byte is written.

import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { Socket } from "node:net";
import type { FifoPool } from "./fifo.ts";

/** Text, bytes, or the first `bytes` bytes of a file. */
export type Piece = { text: string | Uint8Array } | { file: string; bytes: number };
/** Pieces follow each other without a separator. */
export type StdinSpec = { kind: "none" } | { kind: "pieces"; pieces: readonly Piece[] };

type FilePiece = Extract<Piece, { file: string }>;

export interface Stdin {
  /** For spawn. */
  stdio: "ignore" | "pipe" | number;
  /** Call after spawn: closes our copy of the command's end and starts the pump, if there is one. */
  begin(pipe: NodeJS.WritableStream | null): void;
  /** The command has ended: stops the pump. */
  end(): void;
}

/** Input up to this size is written to a file before the command starts. */
const LAID_DOWN_BYTES_MAX = 1_048_576;
const PUMP_BYTES = 262_144;
const NO_INPUT: Stdin = { stdio: "ignore", begin: () => {}, end: () => {} };

/**
 * Throws the system's error if a file of the input cannot be opened. `scratchFile`: an unused path in a private folder.
 */
export function openStdin(spec: StdinSpec, scratchFile: string, pool: FifoPool): Stdin {
  if (spec.kind === "none" || spec.pieces.length === 0) return NO_INPUT;
  const only = spec.pieces.length === 1 ? spec.pieces[0]! : undefined;
  if (only !== undefined && "file" in only) {
    const fd = openWhole(only);
    if (fd !== undefined) return fromDescriptor(fd);
  }
  const total = spec.pieces.reduce(
    (sum, piece) => sum + ("text" in piece ? Buffer.byteLength(piece.text) : piece.bytes),
    0,
  );
  if (total <= LAID_DOWN_BYTES_MAX) return fromDescriptor(laidDown(spec.pieces, scratchFile));
  return pumped(spec.pieces, pool);
}

function openWhole(piece: FilePiece): number | undefined {
  const fd = openSync(piece.file, "r");
  if (piece.bytes >= fstatSync(fd).size) return fd;
  closeSync(fd);
  return undefined;
}

function fromDescriptor(fd: number): Stdin {
  return { stdio: fd, begin: () => closeSync(fd), end: () => {} };
}

function laidDown(pieces: readonly Piece[], scratchFile: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const out = openSync(scratchFile, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    const fd = openSync(scratchFile, "r");
    unlinkSync(scratchFile);
    for (const piece of pieces) writeAll(out, "text" in piece ? bytesOf(piece.text) : readStart(piece));
    return fd;
  } finally {
    closeSync(out);
  }
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? Buffer.from(text) : text;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
}

function readStart(piece: FilePiece): Uint8Array {
  const fd = openSync(piece.file, "r");
  try {
    const bytes = Buffer.allocUnsafe(Math.min(piece.bytes, fstatSync(fd).size));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(fd, bytes, length, bytes.length - length, length);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

function pumped(pieces: readonly Piece[], pool: FifoPool): Stdin {
  const fifo = pool.take();
  const ends = fifo?.openForWriting();
  let writer: NodeJS.WritableStream | undefined;
  let ended = false;
  return {
    stdio: ends?.commands ?? "pipe",
    begin(pipe) {
      if (ends) closeSync(ends.commands);
      const socket = ends ? new Socket({ fd: ends.ours, readable: false, writable: true }) : pipe;
      if (socket === null) return;
      writer = socket;
      // EPIPE: the command has read enough.
      socket.on("error", () => {});
      void pump(pieces, socket, () => ended);
    },
    end() {
      ended = true;
      (writer as Socket | undefined)?.destroy();
      // A process may still have the other end open, with unread bytes in it.
      fifo?.discard();
    },
  };
}

async function pump(pieces: readonly Piece[], to: NodeJS.WritableStream, ended: () => boolean): Promise<void> {
  const closed = new Promise<void>((resolve) => to.once("close", resolve));
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!to.write(bytes)) await Promise.race([new Promise<void>((resolve) => to.once("drain", resolve)), closed]);
  };
  for (const piece of pieces) {
    if (ended() || !to.writable) break;
    if ("text" in piece) await write(bytesOf(piece.text));
    else await pumpFile(piece, write, () => ended() || !to.writable);
  }
  if (to.writable) to.end();
}

async function pumpFile(
  piece: FilePiece,
  write: (bytes: Uint8Array) => Promise<void>,
  over: () => boolean,
): Promise<void> {
  const file = await open(piece.file, "r").catch(() => undefined);
  if (file === undefined) return;
  try {
    for (let left = piece.bytes, at = 0; left > 0 && !over(); ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(PUMP_BYTES, left)), 0, null, at);
      if (bytesRead === 0) break;
      await write(buffer.subarray(0, bytesRead));
      at += bytesRead;
      left -= bytesRead;
    }
  } finally {
    await file.close();
  }
}
