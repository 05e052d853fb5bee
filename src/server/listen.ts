// listen: the socket: both loopback addresses on one port, bounded (spec 4.3 S1, S10).
//   N1. The default port may give way to the next free one; a port that was asked for may not.
//   N2. ::1 is taken on the same port, where the machine has it: nobody else can sit there under our name.
//   N3. Headers, time and connections are bounded before a byte reaches the app.
//   N4. Who is answered before they have sent everything can read the answer: a socket that is closed over bytes nobody has read takes back
//       what was written to it. For a moment what they still send is let go of, and nothing else is heard on that connection.
//   N5. Connections are bounded, and who only holds one keeps nobody out: the one that has asked nothing for longest makes room. Nobody
//       who is being answered is let go of.

import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { answerUnreadable, type Said, turnAway, type Unreadable } from "./unreadable.ts";

export interface ListenOptions {
  /** Absent: loopback. */
  host?: string;
  /** 0 takes any; absent: `first` and those behind it. */
  port?: number;
  first: number;
  /** How many connections are held at once; default limits.serverConnectionsMax. */
  connections?: number;
  tls?: { cert: Buffer; key: Buffer };
  /** What this door says to what cannot be read. */
  unreadable(why: Unreadable): Said;
}

export interface Listening {
  port: number;
  servers: readonly Server[];
  /** Answers under way get a moment to end. */
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
    message: first === last ? `Port ${first} is taken by another program.` : `The ports ${first} to ${last} are taken.`,
    hint: "Name another one, or leave the option out.",
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
    // N2. A machine without IPv6.
    else if (!(host === "::1" && (problem === "EADDRNOTAVAIL" || problem === "EAFNOSUPPORT"))) {
      for (const one of servers) one.close();
      return err(problem);
    }
  }
  return ok({ port: portOf(servers[0]!), servers, close: (patienceMs) => closed(servers, patienceMs) });
}

/** N3. */
async function bounded(listener: RequestListener, { tls, connections, unreadable }: ListenOptions): Promise<Server> {
  const bounds = {
    maxHeaderSize: limits.serverHeaderBytesMax,
    requestTimeout: limits.serverRequestMs,
    headersTimeout: limits.serverHeadersMs,
    keepAliveTimeout: limits.serverRequestMs,
    connectionsCheckingInterval: 5_000,
    insecureHTTPParser: false,
    // Node would answer in its own words: `hearingOut` asks for it.
    requireHostHeader: false,
    rejectNonStandardBodyWrites: true,
  };
  // TLS is loaded where it is used: it is 4 MB of an idle server.
  const heard = hearingOut(listener, unreadable);
  const server =
    tls === undefined
      ? createServer(bounds, heard)
      : (await import("node:https")).createServer({ ...bounds, ...tls }, heard);
  answerUnreadable(server, unreadable);
  makingRoom(server, connections ?? limits.serverConnectionsMax);
  server.maxHeadersCount = 100;
  return server;
}

/** N5. A connection is named by its other end, which is the same below and above TLS. */
function makingRoom(server: Server, most: number): void {
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  /** Since when: the longest first. */
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
      // An answer that ends while the server closes leaves a connection that nobody is to wait for.
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
    // Whoever read it would have it wait.
    incoming.removeAllListeners("data").on("data", (part: Buffer) => {
      left -= part.length;
      if (left < 0) socket.destroy();
    });
    incoming.resume();
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (leaving.has(socket)) return void incoming.resume();
    // Node's way to close behind an answer.
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

function cannotListen(port: number, host: string | undefined, why: string): Failure {
  return {
    code: "cannot-listen",
    message: `The server cannot listen on ${host ?? "127.0.0.1"} port ${port}: ${why}.`,
    hint: why === "EACCES" ? "Ports below 1024 belong to the system; take a higher one." : "Check --host and --port.",
  };
}
