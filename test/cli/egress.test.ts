// `egress: { allow }` through the whole program, with real curl and real TLS: which hosts are allowed, and that no way
// leads around it (spec 4.2).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { CA_FILE, servers } from "../setup/servers.ts";
import { folder } from "./curlew.ts";

interface Given {
  allow?: string;
  sandbox?: string;
  env?: Record<string, string>;
  files?: Record<string, string>;
}

async function call(content: string, { allow = "localhost", sandbox = "none", env = {}, files = {} }: Given = {}) {
  const lines = content.split("\n").map((line) => `        ${line}`);
  const it = folder({
    "f.flow.yaml": `curlew: 1
nodes:
  - id: call
    type: cli
    data:
      title: Call
      egress: { allow: [${allow}] }
      sandbox: ${sandbox}
      content: |
${lines.join("\n")}
`,
    "ca.pem": await (await import("node:fs/promises")).readFile(CA_FILE, "utf8"),
    ...files,
  });
  const ran = await it.run("run f.flow.yaml", { env: { CURL_CA_BUNDLE: `${it.path}/ca.pem`, ...env } });
  const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
  return { ...ran, calls: shown.nodes?.[0]?.attempts?.[0]?.egress };
}

const SANDBOXES = has("bwrap") ? ["none", "read-only", "no-network", "strict"] : ["none"];
const tests = (name: string, sandboxes: readonly string[], body: (sandbox: string) => Promise<void>): void => {
  if (has("curl")) for (const sandbox of sandboxes) test(`sandbox ${sandbox}: ${name}`, () => body(sandbox));
};

tests("a host of the list is called, and the call is on record", SANDBOXES, async (sandbox) => {
  const { httpsPort, arrived } = await servers();
  const ran = await call(`curl -sS --fail "https://localhost:${httpsPort}/here"; env | grep -c NODE_CHANNEL || true`, {
    sandbox,
  });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "ok\n0\n" });
  expect(arrived.map(({ url }) => url)).toEqual(["/here"]);
  expect(ran.calls).toEqual([
    {
      host: "localhost",
      port: httpsPort,
      sentBytes: expect.any(Number),
      receivedBytes: expect.any(Number),
      ms: expect.any(Number),
    },
  ]);
  expect(ran.calls[0].sentBytes).toBeGreaterThan(200);
  expect(ran.calls[0].receivedBytes).toBeGreaterThan(500);
});

tests("a host that is not in the list is refused, by name and by address", SANDBOXES, async (sandbox) => {
  const { httpsPort, arrived } = await servers();
  const ran = await call(`curl -sS --fail "https://127.0.0.1:${httpsPort}/"`, { sandbox });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("error[egress-refused]");
  expect(ran.stderr).toContain(`Curlew blocked a call to 127.0.0.1:${httpsPort}: the host is not in the egress list`);
  expect(arrived).toEqual([]);
});

tests("plain http is refused, and a call without a fail flag fails by it", ["none", "strict"], async (sandbox) => {
  const { httpPort, arrived } = await servers();
  const ran = await call(`curl -sS "http://localhost:${httpPort}/"; echo "code $?"`, { sandbox });
  expect(ran.stdout).toMatch(/^code (52|56)\n$/);
  const failed = await call(`curl -sS "http://localhost:${httpPort}/"`, { sandbox });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("error[egress-refused]");
  expect(failed.stderr).toContain("the call did not use TLS");
  const stranger = await call(
    `curl -sS -x "\${http_proxy/curlew:?/curlew:x}" "http://localhost:${httpPort}/"; echo "code $?"`,
  );
  expect(stranger.stdout).toMatch(/^code (52|56)\n$/);
  expect(arrived).toEqual([]);
});

tests("a tunnel that carries no TLS, or TLS for another host, is closed", ["none"], async () => {
  const { httpPort, httpsPort, arrived } = await servers();
  const plain = await call(`curl -sS --fail -p "http://localhost:${httpPort}/"`);
  expect(plain.stderr).toContain("it sent something other than TLS");
  const other = await call(
    `curl -sS --fail -k --connect-to other.example:443:localhost:${httpsPort} https://other.example/`,
    { sandbox: "none\n      safetyLevel: advanced" },
  );
  expect(other.calls.at(-1)).toMatchObject({
    host: "localhost",
    refused: "its TLS is for another host (other.example)",
  });
  expect(arrived).toEqual([]);
});

tests("neither the user's proxies nor a .curlrc lead around it", ["none"], async () => {
  const { httpsPort, arrived } = await servers();
  const ran = await call(`curl -sS --fail "https://127.0.0.1:${httpsPort}/"`, {
    files: { ".curlrc": 'proxy = ""\nnoproxy = "*"\n' },
    env: { NO_PROXY: "*", no_proxy: "*", https_proxy: "" },
  });
  const own = await call(`curl -sS --fail "https://127.0.0.1:${httpsPort}/"`, {
    env: { NO_PROXY: "*", no_proxy: "*" },
  });
  expect([ran.code, own.code]).toEqual([1, 1]);
  expect(arrived).toEqual([]);
});

tests(
  "what ignores proxy settings finds no way at all",
  SANDBOXES.filter((each) => each === "no-network" || each === "strict"),
  async (sandbox) => {
    const { httpsPort, httpPort, arrived } = await servers();
    const ran = await call(
      `curl -sS -q --max-time 5 --noproxy '*' "https://localhost:${httpsPort}/" 2>/dev/null; echo "code $?"
for port in ${httpPort} ${httpsPort}; do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && echo open || echo none; done`,
      { sandbox: `${sandbox}\n      safetyLevel: advanced` },
    );
    expect(ran.stdout).toBe("code 7\nnone\nnone\n");
    expect(arrived).toEqual([]);
  },
);
