// Hosts, addresses and the first message of TLS, as the way out sees them; calls through it are in test/cli/egress.test.ts.

import { connect, createServer } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
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
  "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 168.63.129.16 169.254.169.254 172.31.0.1 192.168.1.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 2002:7f00:1::";
test.each(INNER.split(" "))("%s is nobody's on the internet", (address) => expect(isInner(address)).toBe(true));
test.each("1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8".split(" "))("%s is", (address) =>
  expect(isInner(address)).toBe(false),
);

/** The first message that Node's TLS sends to `servername`. */
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

test("the server name is found, and only when all of the message is there", async () => {
  for (const version of ["TLSv1.2", "TLSv1.3"]) {
    const hello = await helloTo("api.example.com", { maxVersion: version });
    for (let cut = 1; cut < hello.length; cut++) expect(helloOf(hello.subarray(0, cut)), `cut at ${cut}`).toBe("more");
    expect(helloOf(hello)).toEqual({ serverName: "api.example.com" });
  }
});

test("cut into several records it is the same message", async () => {
  const hello = await helloTo("api.example.com");
  const body = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < body.length; at += 7) {
    const part = body.subarray(at, at + 7);
    records.push(Buffer.from([22, 3, 1, 0, part.length]), part);
  }
  expect(helloOf(Buffer.concat(records))).toEqual({ serverName: "api.example.com" });
});

test("what is no TLS is none, and no damage makes it fail", async () => {
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

/** What a command gets that says `line` to a way out for localhost alone, with its token. */
async function sayTo(line: string): Promise<{ answer: string; refused: (string | undefined)[] }> {
  const proxy = await openEgressProxy();
  const way = proxy.admit(["localhost"]);
  const { username, password, port } = new URL(way.url());
  const login = Buffer.from(`${username}:${password}`).toString("base64");
  const answer = await new Promise<string>((resolve) => {
    let got = "";
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`${line}\r\nProxy-Authorization: Basic ${login}\r\n\r\n`),
    );
    socket.on("data", (bytes) => (got += bytes.toString())).on("close", () => resolve(got));
  });
  const refused = way.end().map((call) => call.refused);
  proxy.close();
  return { answer: answer.split("\r\n")[0]!, refused };
}

// A command may say any number; the process that hears it keeps all others' commands, too.
test.each(["65536", "70000", "99999", "0", "00000"])("port %s is none", async (port) => {
  expect(await sayTo(`CONNECT localhost:${port} HTTP/1.1`)).toEqual({
    answer: "HTTP/1.1 403 Refused by Curlew",
    refused: [`${Number(port)} is no port`],
  });
});
