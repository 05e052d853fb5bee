// Reads the exact bytes of a delivery, bounded in size and time (spec 4.3).

import type { IncomingMessage } from "node:http";
import { limits } from "../../base/limits.ts";

/** `gone`: the sender disconnected, so there is no one to respond to. */
export type Body = { bytes: Buffer } | { refused: "too-large" | "too-slow" | "gone" };

export function readBody(request: IncomingMessage, waitMs: number = limits.hookReadMs): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > limits.hookBodyBytesMax)
    return Promise.resolve({ refused: "too-large" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const done = (body: Body): void => {
      clearTimeout(timer);
      chunks = [];
      resolve(body);
    };
    // Data may have arrived while this process was busy. Read it first, because the sender was not slow.
    const late = () => setImmediate(() => setImmediate(() => done({ refused: "too-slow" })));
    const timer = setTimeout(late, waitMs);
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.hookBodyBytesMax) done({ refused: "too-large" });
      else chunks.push(chunk);
      // Drop what arrives after the body was rejected.
      if (bytes > limits.hookBodyBytesMax) chunks = [];
    });
    request.on("end", () => done({ bytes: Buffer.concat(chunks) }));
    request.on("error", () => done({ refused: "gone" }));
    request.on("close", () => done({ refused: "gone" }));
  });
}
