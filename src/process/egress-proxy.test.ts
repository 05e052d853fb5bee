// Hosts, addresses, and the first TLS message, as the proxy sees them. test/cli/egress.test.ts makes calls through it.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../base/limits.ts";
import { isInner, matches, openEgressProxy } from "./egress-proxy.ts";
import { helloOf } from "./tls-hello.ts";

test.each([
  ["api.example.com", "api.example.com", true],
  ["api.example.com", "API.Example.com.", true],
  ["example.com", "*.example.com", false],
  ["a.example.com", "*.example.com", true],
  ["a.b.example.com", "*.example.com", true],
  ["badexample.com", "*.example.com", false],
  ["example.com.evil.org", "example.com", false],
  ["10.0.0.1", "*.0.0.1", false],
  ["::1", "[::1]", true],
])("%s with %s: %s", (host, entry, expected) => expect(matches(host, entry)).toBe(expected));

const INNER =
  "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 168.63.129.16 169.254.169.254 172.31.0.1 192.168.1.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::7f00:1 ::10.0.0.1 ::ffff:0:7f00:1 2001:0:4136:e378:8000:63bf:80ff:fffe 192.88.99.1 64:ff9b::7f00:1 2002:7f00:1::";
test.each(INNER.split(" "))("%s is not a public address", (address) => expect(isInner(address)).toBe(true));
test.each("1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8".split(" "))("%s is", (address) =>
  expect(isInner(address)).toBe(false),
);

/** The first message that Node's TLS sends for `servername`. */
function helloTo(servername: string, given: object = {}): Promise<Buffer> {
  return new Promise((resolve) => {
    const server = createServer((socket) =>
      socket.once("data", (bytes) => {
        resolve(bytes);
        socket.destroy();
        server.close();
      }),
    ).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      connectTls({ port, host: "127.0.0.1", servername, ...given }).on("error", () => {});
    });
  });
}

test("the server name is found only in a complete message", async () => {
  for (const version of ["TLSv1.2", "TLSv1.3"]) {
    const hello = await helloTo("api.example.com", { maxVersion: version });
    for (let cut = 1; cut < hello.length; cut++) expect(helloOf(hello.subarray(0, cut)), `cut at ${cut}`).toBe("more");
    expect(helloOf(hello)).toEqual({ serverName: "api.example.com" });
  }
});

test("a message in several records is the same message", async () => {
  const hello = await helloTo("api.example.com");
  const body = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < body.length; at += 7) {
    const part = body.subarray(at, at + 7);
    records.push(Buffer.from([22, 3, 1, 0, part.length]), part);
  }
  expect(helloOf(Buffer.concat(records))).toEqual({ serverName: "api.example.com" });
});

test("bytes that aren't TLS give no name, and damaged ones cause no error", async () => {
  for (const text of ["GET / HTTP/1.1\r\n", "SSH-2.0-x\r\n", "\x16\x02\x01\x00\x05hello"])
    expect(helloOf(Buffer.from(text, "latin1")), text).toBe("none");
  const hello = await helloTo("api.example.com");
  for (let at = 0; at < hello.length; at++)
    for (const value of [0, 1, 127, 255]) {
      const damaged = Buffer.from(hello);
      damaged[at] = value;
      const seen = helloOf(damaged);
      expect(seen === "more" || seen === "none" || typeof seen === "object", `byte ${at}`).toBe(true);
    }
});

test("a full limit of records is read as fast", async () => {
  const record = (byte: number) => [22, 3, 1, 0, 1, byte];
  const bytes = Buffer.from([1, 0, 255, 255, ...Array<number>(10_896).fill(0)].flatMap(record));
  expect(bytes.length).toBeGreaterThan(limits.egressHelloBytesMax - 200);
  const from = performance.now();
  for (let look = 0; look < 20; look++) expect(helloOf(bytes)).toBe("more");
  // One check once took 3 s, in which the process served no other command.
  expect(performance.now() - from).toBeLessThan(1_500);
});

/** A proxy that allows these hosts. `say` sends `line` with the right token, or another, and returns the response. */
async function wayTo(allow: string[]) {
  const proxy = await openEgressProxy();
  const way = proxy.admit(allow);
  onTestFinished(() => {
    way.end();
    proxy.close();
  });
  const { username, password, port } = new URL(way.url());
  const dial = (): Socket =>
    connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
  const say = (line: string, token = password, socket = dial()): Promise<string> =>
    new Promise((resolve) => {
      let got = "";
      const login = Buffer.from(`${username}:${token}`).toString("base64");
      socket.write(`${line}\r\nProxy-Authorization: Basic ${login}\r\n\r\n`);
      socket.on("data", (bytes: Buffer) => (got += bytes.toString())).on("end", () => resolve(got.split("\r\n")[0]!));
    });
  return { way, dial, say };
}

/** The response to `line`, sent with its token to a proxy that allows only localhost. */
async function sayTo(line: string): Promise<{ answer: string; refused: (string | undefined)[] }> {
  const { way, say } = await wayTo(["localhost"]);
  return { answer: await say(line), refused: way.end().map((call) => call.refused) };
}

// A command may send any number, and the process that reads it supervises all other commands, too.
test.each(["65536", "70000", "99999", "0", "00000"])("port %s is invalid", async (port) => {
  expect(await sayTo(`CONNECT localhost:${port} HTTP/1.1`)).toEqual({
    answer: "HTTP/1.1 403 Refused by Curlew",
    refused: [`${Number(port)} is not a port`],
  });
});

// The resolver throws for a NUL, and reads digits of other scripts as an IP address.
test.each([
  "127.0.0.1\0.example.com",
  "\xb2130706433.example.com",
  "a.example.com%0",
  "a/.example.com",
  "[::1%1.example.com]",
])("%j is not a host, and the next call is answered", async (host) => {
  const { way, say } = await wayTo(["*.example.com", "localhost"]);
  expect(await say(`CONNECT ${host}:443 HTTP/1.1`)).toBe("HTTP/1.1 403 Refused by Curlew");
  expect(await say("CONNECT localhost:0 HTTP/1.1")).toBe("HTTP/1.1 403 Refused by Curlew");
  expect(way.end().map((call) => call.refused)).toEqual([
    "the host is not in the egress list of this node",
    "0 is not a port",
  ]);
});

/** A write shows whether the connection is gone. */
async function isGone(socket: Socket): Promise<boolean> {
  if (!socket.destroyed) socket.write("x");
  return socket.destroyed;
}

test("a rejected client that does not hang up is disconnected, and a silent one makes room for others", async () => {
  const { dial, say } = await wayTo(["localhost"]);
  for (const token of ["another", undefined]) {
    const socket = dial();
    expect(await say("CONNECT other.example:443 HTTP/1.1", token, socket)).toMatch(/ 40[37] /);
    await expect.poll(() => isGone(socket), { timeout: 10_000 }).toBe(true);
  }
  const silent = Array.from({ length: limits.egressStrangersMax }, dial);
  for (const socket of silent) if (socket.connecting) await once(socket, "connect");
  expect(await say("CONNECT localhost:0 HTTP/1.1")).toBe("HTTP/1.1 403 Refused by Curlew");
  await expect.poll(() => isGone(silent[0]!), { timeout: 10_000 }).toBe(true);
  expect(silent.at(-1)!.destroyed).toBe(false);
  for (const socket of silent) socket.destroy();
});

test("the number of connections per command is limited", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { way, dial, say } = await wayTo(["localhost"]);
  const open: Socket[] = [];
  const call = async (): Promise<string> => {
    const socket = dial();
    open.push(socket);
    const answered = Promise.race([once(socket, "data"), once(socket, "end"), once(socket, "close")]);
    void say(`CONNECT localhost:${port} HTTP/1.1`, undefined, socket);
    const [bytes] = await answered;
    return Buffer.isBuffer(bytes) ? String(bytes).slice(0, 12) : "closed";
  };
  for (let count = 0; count < limits.egressSocketsMax / 2; count++) expect(await call()).toBe("HTTP/1.1 200");
  expect(await call()).toBe("closed");
  open[0]!.destroy();
  await expect.poll(async () => await call()).toBe("HTTP/1.1 200");
  for (const socket of open) socket.destroy();
  expect(way.end().length).toBe(limits.egressCallsMax);
});
