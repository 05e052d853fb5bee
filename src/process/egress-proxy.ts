// egress-proxy: the way out for commands that may call certain hosts only (spec 4.2 `egress: { allow }`).
//   P1. Only CONNECT, only with the token of a running attempt, only to a host of its list. Anything but CONNECT is closed without
//       an answer: a program that takes any answer for a success (curl without --fail) must not take ours.
//   P2. Names are resolved here; addresses of this machine, of private networks and of the cloud's metadata service are refused, unless
//       the list names that address, or localhost, itself.
//   P3. What goes through is TLS whose ClientHello names the same host; anything else is closed before a byte of it is passed on.
//   P4. Every call is told: host, port, bytes both ways, time, and why when it was refused. Never a path, never a header.
//   P5. It lives in the process that keeps everybody's commands: nothing that one of them says, however slowly, often or oddly, ends that
//       process, holds it up, or takes its descriptors.
// Deliberately absent: looking into TLS, an upstream proxy, plain HTTP.

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
  /** Why nothing, or nothing more, got through. */
  refused?: string;
}

export interface Admission {
  /** `http://curlew:TOKEN@127.0.0.1:PORT`, for this attempt alone. */
  url(port?: number): string;
  /** Serves another listening socket, too: one inside a network namespace. */
  serve(server: Server): void;
  /** Nobody is let through any more; what there was, in order of the calls. */
  end(): EgressCall[];
}

export interface EgressProxy {
  /** Where it listens. */
  port: number;
  /** `token`: what this attempt signs in with, and nobody else. */
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

/** Who has not said yet who they are, the longest waiting first. */
type Strangers = Set<Socket>;

/** Listens on 127.0.0.1. Rejects when no port can be had. */
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

/** Reads the request's head. The one that has said nothing for longest makes room for a new one (P5). */
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
    else if (guest === undefined) answer(socket, first, 407, "this way out is for one command alone");
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
  if (method !== "CONNECT") return refuse("it was called without TLS");
  const entry = guest.allow.find((allowed) => matches(host, allowed));
  if (entry === undefined) return refuse("it is not in the list of this node's egress");
  // `connect` throws for such a number, in the process that keeps everybody's commands.
  if (port === 0 || port > 65_535) return refuse(`${port} is no port`);
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

/** P3, then both ways until either ends. */
function joinAfterHello(socket: Socket, out: Socket, rest: Buffer, call: EgressCall): void {
  let seen = rest;
  const late = setTimeout(() => stop("nothing was sent through it"), limits.egressHeadMs).unref();
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

/** Why these first bytes are not the beginning of TLS for that host; `more` when not all of it is there. */
function notTlsFor(host: string, bytes: Buffer): string | undefined {
  const hello = helloOf(bytes);
  if (hello === "more") return bytes.length > limits.egressHelloBytesMax ? "its first message is too long" : "more";
  if (hello === "none") return "something else than TLS was sent through it";
  const name = hello.serverName === undefined ? undefined : plain(hello.serverName);
  if (name === (isIP(host) === 0 ? host : undefined)) return undefined;
  return `its TLS is for another host${name === undefined ? "" : ` (${name})`}`;
}

/** `first` is the request's first line. Who does not hang up then is hung up on. */
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

/** `example.com`, `*.example.com` (any depth, not example.com itself), or an address. */
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
  // The resolver reads other letters in its own way, and throws for a NUL.
  const [, host = "?", port = "0"] = /^([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(target) ?? [];
  return { host: plain(host), port: Number(port) };
}

/** Lower case, no dot at the end, no brackets. */
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

/** Addresses that are nobody's on the internet; an IPv4 address inside an IPv6 one counts as itself. */
export function isInner(address: string): boolean {
  const [, mapped] = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+|[0-9a-f]{1,4}:[0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (mapped?.includes(":")) {
    const [high = 0, low = 0] = mapped.split(":").map((part) => Number.parseInt(part, 16));
    return isInner(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
  }
  const plainAddress = mapped ?? address;
  return inner.check(plainAddress, family(plainAddress));
}
