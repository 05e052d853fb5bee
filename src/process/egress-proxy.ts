// egress-proxy: the network proxy for commands that may call only certain hosts (spec 4.2 `egress: { allow }`).
//   P1. Only CONNECT, with the token of a running attempt, to a host in its list. Any other request is closed without a
//       response, which a program such as curl without --fail could take for success.
//   P2. Names are resolved here. Addresses of this machine, of private networks, and of cloud metadata services are
//       rejected, unless the list names that address or localhost itself.
//   P3. Only TLS whose ClientHello names the same host passes. TLS is not inspected.
//   P4. Every call is reported: host, port, bytes, time, and the reason if it was rejected. Never a path or a header.
//   P5. It runs in the process that supervises all commands. No input of one command ends that process, blocks it, or
//       uses up its descriptors.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { BlockList, connect, createServer, isIP, type Server, type Socket } from "node:net";
import { limits } from "../base/limits.ts";
import { helloOf } from "./tls-hello.ts";

export interface EgressCall {
  host: string;
  port: number;
  sentBytes: number;
  receivedBytes: number;
  ms: number;
  /** Why nothing, or nothing more, was forwarded. */
  refused?: string;
}

export interface Admission {
  /** `http://curlew:TOKEN@127.0.0.1:PORT`, valid for this attempt only. */
  url(port?: number): string;
  /** Accepts connections on another listening socket as well: one inside a network namespace. */
  serve(server: Server): void;
  /** Rejects further calls. Returns the calls made, in order. */
  end(): EgressCall[];
}

export interface EgressProxy {
  /** The listening port. */
  port: number;
  /** `token`: authenticates this attempt only. */
  admit(allow: readonly string[], token?: string): Admission;
  close(): void;
}

interface Guest {
  token: Buffer;
  allow: readonly string[];
  calls: EgressCall[];
  sockets: Set<Socket>;
  servers: Server[];
  over: boolean;
}

/** Connections that have not sent their token yet, the longest waiting first. */
type Strangers = Set<Socket>;

/** Listens on 127.0.0.1. Rejects if no port is available. */
export async function openEgressProxy(): Promise<EgressProxy> {
  const guests = new Set<Guest>();
  const strangers: Strangers = new Set();
  const server = createServer((socket) => greet(socket, guests, strangers));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port: own } = server.address() as { port: number };
  return {
    port: own,
    admit: (allow, token = randomBytes(24).toString("base64url")) => {
      const guest: Guest = {
        token: Buffer.from(token),
        allow,
        calls: [],
        sockets: new Set(),
        servers: [],
        over: false,
      };
      guests.add(guest);
      return {
        url: (port = own) => `http://curlew:${token}@127.0.0.1:${port}`,
        serve: (inner) => {
          guest.servers.push(inner);
          const [only, own]: [Set<Guest>, Strangers] = [new Set([guest]), new Set()];
          inner.on("error", () => {}).on("connection", (socket: Socket) => greet(socket, only, own));
        },
        end: () => {
          guest.over = true;
          guests.delete(guest);
          for (const inner of guest.servers) inner.close();
          for (const socket of guest.sockets) socket.destroy();
          return guest.calls;
        },
      };
    },
    close: () => {
      for (const guest of guests) for (const socket of guest.sockets) socket.destroy();
      server.close();
    },
  };
}

/** Reads the request's head. If there are too many unauthenticated connections, the oldest one is closed (P5). */
function greet(socket: Socket, guests: ReadonlySet<Guest>, strangers: Strangers): void {
  let head = Buffer.alloc(0);
  for (const oldest of strangers) {
    if (strangers.size < limits.egressStrangersMax) break;
    strangers.delete(oldest);
    oldest.destroy();
  }
  strangers.add(socket);
  const late = setTimeout(() => socket.destroy(), limits.egressHeadMs).unref();
  socket.on("error", () => socket.destroy());
  socket.once("close", () => {
    clearTimeout(late);
    strangers.delete(socket);
  });
  const read = (bytes: Buffer): void => {
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1 && head.length <= limits.egressHeadBytesMax) return;
    socket.off("data", read).pause();
    clearTimeout(late);
    const [first = "", ...headers] = head.toString("latin1", 0, end === -1 ? 8 : end).split("\r\n");
    const guest = guestOf(headers, guests);
    if (end === -1) answer(socket, first, 431, "the request is too long");
    else if (guest === undefined) answer(socket, first, 407, "this proxy serves one command only");
    else {
      strangers.delete(socket);
      pass(socket, first, head.subarray(end + 4), guest).catch(() => socket.destroy());
    }
  };
  socket.on("data", read);
}

function guestOf(headers: readonly string[], guests: ReadonlySet<Guest>): Guest | undefined {
  const sent = headers.map((line) => /^proxy-authorization:\s*basic\s+(\S+)\s*$/i.exec(line)?.[1]).find(Boolean);
  const [user, token = ""] = Buffer.from(sent ?? "", "base64")
    .toString("latin1")
    .split(":");
  const given = Buffer.from(token, "latin1");
  if (user !== "curlew") return undefined;
  return [...guests].find((guest) => guest.token.length === given.length && timingSafeEqual(guest.token, given));
}

async function pass(socket: Socket, first: string, rest: Buffer, guest: Guest): Promise<void> {
  const [, method = "", target = ""] = /^(\S+) (\S+) HTTP\/1\.[01]$/.exec(first) ?? [];
  const from = performance.now();
  const { host, port } = targetOf(method, target);
  const call: EgressCall = { host, port, sentBytes: 0, receivedBytes: 0, ms: 0 };
  if (guest.calls.length < limits.egressCallsMax) guest.calls.push(call);
  socket.once("close", () => {
    call.ms = Math.round(performance.now() - from);
  });
  const refuse = (why: string, status = 403): void => {
    call.refused = why;
    answer(socket, first, status, `${host}: ${why}`);
  };
  if (guest.sockets.size >= limits.egressSocketsMax) {
    call.refused = "too many calls at once";
    socket.destroy();
    return;
  }
  guest.sockets.add(socket);
  socket.once("close", () => guest.sockets.delete(socket));
  if (method !== "CONNECT") return refuse("the call did not use TLS");
  const entry = guest.allow.find((allowed) => matches(host, allowed));
  if (entry === undefined) return refuse("the host is not in the egress list of this node");
  // `connect` would throw for such a number, in the process that supervises all commands.
  if (port === 0 || port > 65_535) return refuse(`${port} is not a port`);
  const addresses = await addressesOf(host, entry);
  if ("refused" in addresses) return refuse(addresses.refused, 403);
  if (socket.destroyed || guest.over) return;
  const out = connect({ host: addresses.first, port });
  guest.sockets.add(out);
  out.once("close", () => guest.sockets.delete(out));
  out.once("error", (error: NodeJS.ErrnoException) => {
    if (socket.bytesWritten === 0) refuse(`it could not be reached (${error.code ?? "failed"})`, 502);
    socket.destroy();
  });
  out.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    joinAfterHello(socket, out, rest, call);
  });
}

/** Checks P3, then forwards both ways until either end closes. */
function joinAfterHello(socket: Socket, out: Socket, rest: Buffer, call: EgressCall): void {
  let seen = rest;
  const late = setTimeout(() => stop("it sent nothing"), limits.egressHeadMs).unref();
  const stop = (why: string): void => {
    call.refused = why;
    socket.destroy();
    out.destroy();
  };
  const joined = (): void => {
    clearTimeout(late);
    socket.off("data", read);
    out.on("data", (bytes: Buffer) => {
      call.receivedBytes += bytes.length;
    });
    socket.on("data", (bytes: Buffer) => {
      call.sentBytes += bytes.length;
    });
    call.sentBytes += seen.length;
    out.write(seen);
    socket.pipe(out);
    out.pipe(socket);
  };
  const look = (): void => {
    const why = notTlsFor(call.host, seen);
    if (why === undefined) joined();
    else if (why !== "more") stop(why);
  };
  const read = (bytes: Buffer): void => {
    seen = Buffer.concat([seen, bytes]);
    look();
  };
  out.once("close", () => socket.destroy());
  socket.once("close", () => {
    clearTimeout(late);
    out.destroy();
  });
  socket.on("data", read);
  socket.resume();
  if (seen.length > 0) look();
}

/** Why these bytes are not the start of TLS for that host, or `more` if they are incomplete. */
function notTlsFor(host: string, bytes: Buffer): string | undefined {
  const hello = helloOf(bytes);
  if (hello === "more") return bytes.length > limits.egressHelloBytesMax ? "its first message is too long" : "more";
  if (hello === "none") return "it sent something other than TLS";
  const name = hello.serverName === undefined ? undefined : plain(hello.serverName);
  if (name === (isIP(host) === 0 ? host : undefined)) return undefined;
  return `its TLS is for another host${name === undefined ? "" : ` (${name})`}`;
}

/** `first` is the request's first line. A client that does not close the connection is disconnected. */
function answer(socket: Socket, first: string, status: number, why: string): void {
  if (!first.startsWith("CONNECT ")) {
    socket.destroy();
    return;
  }
  const login = status === 407 ? 'Proxy-Authenticate: Basic realm="curlew"\r\n' : "";
  const text = `${why}\n`;
  socket.end(
    `HTTP/1.1 ${status} Refused by Curlew\r\n${login}Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
  socket.removeAllListeners("data").resume();
  const over = setTimeout(() => socket.destroy(), limits.egressLingerMs).unref();
  socket.once("close", () => clearTimeout(over));
}

// ── Hosts and addresses ─────────────────────────────────────────────────────────────────────────────────────────────────

/** `example.com`, `*.example.com` (any depth, not example.com itself), or an IP address. */
export function matches(host: string, entry: string): boolean {
  const wanted = plain(entry);
  if (wanted.startsWith("*."))
    return host.endsWith(wanted.slice(1)) && host.length > wanted.length - 1 && isIP(host) === 0;
  return host === wanted;
}

function targetOf(method: string, target: string): { host: string; port: number } {
  if (method !== "CONNECT") {
    const url = URL.canParse(target) ? new URL(target) : undefined;
    return { host: plain(url?.hostname ?? "?"), port: Number(url?.port || 80) };
  }
  // The resolver treats other characters in its own way, and throws for a NUL.
  const [, host = "?", port = "0"] = /^([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(target) ?? [];
  return { host: plain(host), port: Number(port) };
}

/** Lowercase, without a trailing dot and brackets. */
function plain(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** P2. */
async function addressesOf(host: string, entry: string): Promise<{ first: string } | { refused: string }> {
  const named = plain(entry);
  const local = named === "localhost" || named.endsWith(".localhost");
  if (isIP(host) !== 0) return isIP(named) !== 0 || !isInner(host) ? { first: host } : { refused: INNER };
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0) return { refused: "its name leads to no address" };
  const usable = found.find(({ address }) => (local ? isLoopback(address) : !isInner(address)));
  return usable === undefined ? { refused: INNER } : { first: usable.address };
}

const INNER = "it leads to an address of this machine or of a private network";
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");
const inner = new BlockList();
for (const net of "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4".split(
  " ",
))
  inner.addSubnet(net.split("/")[0]!, Number(net.split("/")[1]));
for (const net of "::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8".split(
  " ",
))
  inner.addSubnet(net.split("/")[0]!, Number(net.split("/")[1]), "ipv6");

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");
function isLoopback(address: string): boolean {
  return loopback.check(address, family(address));
}

/** Whether an address is not public. An IPv4 address inside an IPv6 address counts as itself. */
export function isInner(address: string): boolean {
  const [, mapped] = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+|[0-9a-f]{1,4}:[0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (mapped?.includes(":")) {
    const [high = 0, low = 0] = mapped.split(":").map((part) => Number.parseInt(part, 16));
    return isInner(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
  }
  const plainAddress = mapped ?? address;
  return inner.check(plainAddress, family(plainAddress));
}
