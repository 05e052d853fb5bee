// Opens the server's socket: both loopback addresses on one port, with limits (spec 4.3 S1, S10).
//   N1. If the default port is taken, the next free one is used. A port that the user asked for is never replaced.
//   N2. If the machine has IPv6, the same port is also taken on ::1, so that no other program
//       can listen there in Curlew's place.
//   N3. Limits on headers, time, and connections apply before any byte reaches the app.
//   N4. A response sent before the whole request has arrived must still be readable. Closing a socket with
//       unread data can discard it. The rest of the request is therefore read and dropped for a moment, and
//       nothing else is accepted on that connection.
//   N5. The number of connections is bounded. A new connection replaces the one that has been idle longest. Connections
//       with a request in progress are never closed for this.

import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { answerUnreadable, type PlainResponse, turnAway, type Unreadable } from "./unreadable.ts";

export interface ListenOptions {
  /** The host to listen on. Absent: loopback. */
  host?: string;
  /** 0: any free port. Absent: `first` or the next free port after it. */
  port?: number;
  first: number;
  tls?: { cert: Buffer; key: Buffer };
  /** The response to a request that cannot be parsed. */
  unreadable(why: Unreadable): PlainResponse;
}

export interface Listening {
  port: number;
  servers: readonly Server[];
  /** Waits up to `patienceMs` for responses in progress. */
  close(patienceMs: number): Promise<void>;
}

/** Failures: `port-taken`, `cannot-listen`. */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<Result<Listening, Failure>> {
  const ports =
    options.port === undefined
      ? Array.from({ length: limits.serverPortsTried }, (_, at) => options.first + at)
      : [options.port];
  for (const port of ports) {
    const taken = await listenOn(port, listener, options);
    if (taken.ok) return taken;
    if (taken.error !== "EADDRINUSE") return err(cannotListen(port, options.host, taken.error));
  }
  const [first, last] = [ports[0]!, ports.at(-1)!];
  return err({
    code: "port-taken",
    message:
      first === last ? `Another program uses port ${first}.` : `Other programs use the ports ${first} to ${last}.`,
    hint: "Choose another port, or remove the option.",
  });
}

async function listenOn(
  port: number,
  listener: RequestListener,
  options: ListenOptions,
): Promise<Result<Listening, string>> {
  const servers: Server[] = [];
  const hosts = options.host === undefined ? ["127.0.0.1", "::1"] : [options.host];
  for (const host of hosts) {
    const server = await bounded(listener, options);
    const first = servers[0];
    const problem = await opened(server, host, first === undefined ? port : portOf(first));
    if (problem === undefined) servers.push(server);
    // N2. The machine has no IPv6.
    else if (!(host === "::1" && (problem === "EADDRNOTAVAIL" || problem === "EAFNOSUPPORT"))) {
      for (const one of servers) one.close();
      return err(problem);
    }
  }
  return ok({ port: portOf(servers[0]!), servers, close: (patienceMs) => closed(servers, patienceMs) });
}

/** N3. */
async function bounded(listener: RequestListener, { tls, unreadable }: ListenOptions): Promise<Server> {
  const bounds = {
    maxHeaderSize: limits.serverHeaderBytesMax,
    requestTimeout: limits.serverRequestMs,
    headersTimeout: limits.serverHeadersMs,
    keepAliveTimeout: limits.serverRequestMs,
    connectionsCheckingInterval: limits.serverHeadersMs / 2,
    insecureHTTPParser: false,
    // Otherwise Node.js sends its own response. `hearingOut` checks the header.
    requireHostHeader: false,
    rejectNonStandardBodyWrites: true,
  };
  // Load TLS only when it is used: it takes 4 MB of memory.
  const onRequest = hearingOut(listener, unreadable);
  const server =
    tls === undefined
      ? createServer(bounds, onRequest)
      : (await import("node:https")).createServer({ ...bounds, ...tls }, onRequest);
  answerUnreadable(server, unreadable);
  makingRoom(server, limits.serverConnectionsMax);
  server.maxHeadersCount = 100;
  return server;
}

/** N5. Connections are identified by the remote address and port, which are the same below and above TLS. */
function makingRoom(server: Server, most: number): void {
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  /** Idle connections, the longest idle first. */
  const silent = new Map<string, Socket>();
  let open = 0;
  server.on("connection", (socket: Socket) => {
    if (open >= most) {
      const [oldest] = silent;
      if (oldest === undefined) return void socket.destroy();
      silent.delete(oldest[0]);
      oldest[1].destroy();
    }
    const name = nameOf(socket);
    open += 1;
    silent.set(name, socket);
    socket.once("close", () => {
      open -= 1;
      if (silent.get(name) === socket) silent.delete(name);
    });
  });
  server.on("request", (incoming, outgoing) => {
    const name = nameOf(incoming.socket);
    const socket = silent.get(name);
    if (socket === undefined) return;
    silent.delete(name);
    outgoing.once("close", () => {
      if (!socket.destroyed) silent.set(name, socket);
      // While the server closes, do not keep connections open whose response has just ended.
      if (!server.listening) server.closeIdleConnections();
    });
  });
}

/** N4. */
function hearingOut(listener: RequestListener, unreadable: ListenOptions["unreadable"]): RequestListener {
  const leaving = new WeakSet<Socket>();
  const leave = (socket: Socket, incoming: IncomingMessage): void => {
    if (leaving.has(socket)) return;
    leaving.add(socket);
    socket.end();
    let left = limits.serverUnheardBytesMax;
    const timer = setTimeout(() => socket.destroy(), limits.serverUnheardMs).unref();
    socket.once("close", () => clearTimeout(timer));
    // Other listeners could pause the stream.
    incoming.removeAllListeners("data").on("data", (part: Buffer) => {
      left -= part.length;
      if (left < 0) socket.destroy();
    });
    incoming.resume();
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (leaving.has(socket)) return void incoming.resume();
    // Node.js calls this to close the socket after a response.
    socket.destroySoon = () =>
      incoming.complete || incoming.destroyed ? Socket.prototype.destroySoon.call(socket) : leave(socket, incoming);
    if (incoming.httpVersion === "1.1" && incoming.headers.host === undefined)
      return turnAway(outgoing, unreadable("bad-request"));
    listener(incoming, outgoing);
  };
}

function opened(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once("error", (reason: NodeJS.ErrnoException) => resolve(reason.code ?? reason.message));
    server.listen({ host, port, exclusive: true, ipv6Only: host.includes(":") }, () => {
      server.removeAllListeners("error");
      resolve(undefined);
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function closed(servers: readonly Server[], patienceMs: number): Promise<void> {
  const ends = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const server of servers) server.closeIdleConnections();
  const timer = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, patienceMs);
  await Promise.all(ends);
  clearTimeout(timer);
}

const cannotListen = failureOf("cannot-listen", (port: number, host: string | undefined, why: string) => [
  `The server can't listen on ${host ?? "127.0.0.1"} port ${port}: ${why}.`,
  why === "EACCES" ? "Ports below 1024 are reserved for the system. Use a higher one." : "Check --host and --port.",
]);
