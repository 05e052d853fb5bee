// reader: reads a command's FIFO or pipe until its end, or until the wait for other processes is over.
//   R1. All readers share one buffer: bytes are written before the next read starts, so memory use is constant.
//   R2. A read error is reported to `lost`, because output with a gap is useless.

import { Socket } from "node:net";
import type { Fifo } from "./fifo.ts";

export interface Reader {
  /** Settles at the end of the stream, or after `ms` if a process still has it open. */
  drained(ms: number): Promise<void>;
}

/** R1. */
const readBuffer = new Uint8Array(262_144);

export function readFifo(
  fd: number,
  fifo: Fifo,
  take: (bytes: Uint8Array) => void,
  lost: (reason: string) => void,
): Reader {
  const onread = {
    buffer: readBuffer,
    callback: (length: number) => {
      take(readBuffer.subarray(0, length));
      return true;
    },
  };
  // `onread` works for descriptors as well, but the types declare it only for connections.
  const socket = new Socket({ fd, readable: true, writable: false, onread } as ConstructorParameters<typeof Socket>[0]);
  return reader(socket, (atEnd) => (atEnd ? fifo.giveBack() : fifo.discard()), lost);
}

export function readPipe(
  socket: Socket | null,
  take: (bytes: Uint8Array) => void,
  lost: (reason: string) => void,
): Reader {
  if (socket === null) return { drained: async () => {} };
  socket.on("data", take);
  return reader(socket, () => {}, lost);
}

function reader(socket: Socket, release: (atEnd: boolean) => void, lost: (reason: string) => void): Reader {
  let atEnd = false;
  socket.on("error", ({ message }) => lost(message));
  socket.once("end", () => {
    atEnd = true;
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      release(atEnd);
      resolve();
    });
  });
  return {
    async drained(ms) {
      const timer = setTimeout(() => socket.destroy(), ms);
      await closed;
      clearTimeout(timer);
    },
  };
}
