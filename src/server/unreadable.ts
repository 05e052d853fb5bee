// Responds to requests that are not HTTP, too large, or too slow (spec 2.4, 4.3 S6, S10).
//   U1. On its own, Node.js responds with only a status, without a problem and without the headers of every response.
//   U2. Nothing is written into a response that has started.

import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

export type Unreadable = "bad-request" | "headers-too-large" | "body-too-large" | "request-too-slow";

export interface PlainResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Codes of Node.js. All others are a `bad-request`. */
const WHY: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: "headers-too-large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "body-too-large",
  ERR_HTTP_REQUEST_TIMEOUT: "request-too-slow",
};

/** U1. `answer`: returns the response. */
export function answerUnreadable(server: Server, answer: (why: Unreadable) => PlainResponse): void {
  const answers = new WeakMap<Socket, Set<ServerResponse>>();
  server.on("request", ({ socket }, outgoing) => {
    const open = answers.get(socket) ?? new Set();
    answers.set(socket, open.add(outgoing));
    outgoing.once("close", () => open.delete(outgoing));
  });
  server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    // U2
    const hasBegun = [...(answers.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (socket.writable && !hasBegun) socket.write(asText(answer(WHY[code ?? ""] ?? "bad-request")));
    socket.destroySoon();
  });
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
}

function asText(said: PlainResponse): string {
  const lines = Object.entries(headersOf(said)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${said.status} ${STATUS_CODES[said.status]}\r\n${lines.join("")}\r\n${said.text}`;
}

/** The same with a request. Reads no more of it. */
export function turnAway(outgoing: ServerResponse, said: PlainResponse): void {
  outgoing.writeHead(said.status, headersOf(said));
  outgoing.end(outgoing.req.method === "HEAD" ? undefined : said.text);
}

function headersOf({ headers, text }: PlainResponse): Record<string, string | number> {
  return { ...headers, "content-length": Buffer.byteLength(text), connection: "close" };
}
