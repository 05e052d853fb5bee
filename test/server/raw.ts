// raw: sends a request exactly as given, which fetch would not: any Host, Origin, method, target.

import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** The whole response; for a stream, only its head. */
export function ask(url: string, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const asked = request({ host, port, method, path, headers, agent: false }, (answer) => {
      const head = { status: answer.statusCode ?? 0, headers: answer.headers };
      if (answer.headers["content-type"]?.startsWith("text/event-stream") === true) {
        resolve({ ...head, text: "" });
        asked.destroy();
        return;
      }
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => resolve({ ...head, text }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Sends everything before it reads. Returns the response, or the error. */
export function sentFirst(url: string, sent: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
    socket.pause();
    socket.on("error", (reason) => resolve(reason.message));
    socket.on("data", (part) => {
      received += part.toString("latin1");
    });
    socket.on("close", () => resolve(received));
    socket.write(sent, () => socket.resume());
  });
}

/** Sends raw bytes. Returns the response until the server ends the connection, or `untilMs` pass without a byte. */
export function bytes(url: string, sent: string | Buffer, untilMs = 2_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
    socket.setTimeout(untilMs, () => socket.destroy());
    socket.on("data", (part) => {
      received += part.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    socket.write(sent);
  });
}
