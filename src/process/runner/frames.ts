// frames: messages over a local socket: four bytes of length, then the message in V8's serialization (bytes stay
// bytes).
//   F1. A message is delivered when it is complete. Messages sent in one turn of the event loop go out in one write.

import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";

export function sendFrame(socket: Socket, message: unknown): void {
  const body = serialize(message);
  const frame = Buffer.allocUnsafe(4 + body.length);
  frame.writeUInt32LE(body.length);
  body.copy(frame, 4);
  if (socket.writableCorked === 0) {
    socket.cork();
    queueMicrotask(() => socket.uncork());
  }
  socket.write(frame);
}

/** Sends without waiting for the end of the turn, for a process that is about to exit. */
export function sendNow(socket: Socket, message: unknown): void {
  sendFrame(socket, message);
  while (socket.writableCorked > 0) socket.uncork();
}

export function onFrames<T>(socket: Socket, take: (message: T) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = 4;
  socket.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    length += chunk.length;
    if (length < wanted) return;
    let all = parts.length === 1 ? chunk : Buffer.concat(parts);
    while (all.length >= 4 && all.length >= 4 + all.readUInt32LE()) {
      const end = 4 + all.readUInt32LE();
      const body = all.subarray(4, end);
      all = all.subarray(end);
      take(deserialize(body) as T);
    }
    parts = all.length === 0 ? [] : [all];
    length = all.length;
    wanted = all.length >= 4 ? 4 + all.readUInt32LE() : 4;
  });
}
