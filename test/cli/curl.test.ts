// Curlew's configuration for a node's curl: https only, and the node's auth, against real servers (spec 4.2, 2.7).

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { CA_FILE, servers } from "../setup/servers.ts";
import { endRunners, type Folder, folder, type Ran } from "./curlew.ts";

const withCurl = (name: string, body: () => Promise<void>): void => {
  if (has("curl")) test(name, body);
};

/** A document with one command. `head` is before its nodes, `data` beside the command. */
function document(content: string, { head = "", data = "" } = {}): string {
  const lines = content.split("\n").map((line) => `        ${line}`);
  return `curlew: 1\n${head}nodes:\n  - id: call\n    type: cli\n    data:\n      title: Call\n      content: |\n${lines.join("\n")}\n${data}`;
}

async function call(content: string, given: { head?: string; data?: string; env?: Record<string, string> } = {}) {
  const it = folder({ "f.flow.yaml": document(content, given) });
  return { it, ...(await it.run("run f.flow.yaml", { env: { CURL_CA_BUNDLE: CA_FILE, ...given.env } })) };
}

/** The text shows no `http://`, as when a program builds the URL. */
const HIDDEN = "h=$(printf 'ht%s' tp)";
const AWAY = (port: number) => `--resolve plain.example:${port}:127.0.0.1`;

// ── HTTPS only ──────────────────────────────────────────────────────────────────────────────────────────────────────────

withCurl("https goes out, http to another name does not, and the failure says why", async () => {
  const { httpPort, httpsPort, arrived } = await servers();
  expect((await call(`curl -sS --fail "https://localhost:${httpsPort}/"`)).stdout).toBe("ok\n");
  const ran = await call(`${HIDDEN}\ncurl -sS ${AWAY(httpPort)} "$h://plain.example:${httpPort}/"`);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("error[http-not-allowed]");
  expect(ran.stderr).toContain("may only call https (curl exit code 1)");
  expect(arrived.map(({ tls }) => tls)).toEqual([true]);
});

for (const [name, given] of [
  ["advanced", { data: "      safetyLevel: advanced\n" }],
  ["egress: any", { head: "egress: any\n" }],
] as const)
  withCurl(`${name}: curl is left as it is`, async () => {
    const { httpPort, arrived } = await servers();
    const ran = await call(
      `${HIDDEN}\ncurl -sS ${AWAY(httpPort)} "$h://plain.example:${httpPort}/"\necho "<$CURL_HOME>"`,
      given,
    );
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "ok\n<>\n" });
    expect(arrived.length).toBe(1);
  });

withCurl("an answer by https that leads to http is not followed", async () => {
  const { httpPort, httpsPort, arrived } = await servers();
  const away = encodeURIComponent(`http://plain.example:${httpPort}/led`);
  const ran = await call(`curl -sS -L ${AWAY(httpPort)} "https://localhost:${httpsPort}/to?${away}"`);
  expect(ran.code).toBe(1);
  expect(arrived.map(({ url }) => url.slice(0, 4))).toEqual(["/to?"]);
});

withCurl("nor is it where an address of this machine is called by http beside it", async () => {
  const { httpPort, httpsPort, arrived } = await servers();
  const away = encodeURIComponent(`http://plain.example:${httpPort}/led`);
  const ran = await call(
    `curl -sS "http://127.0.0.1:${httpPort}/"\ncurl -sS -L ${AWAY(httpPort)} "https://localhost:${httpsPort}/to?${away}"`,
  );
  expect(ran.code).toBe(1);
  expect(arrived.map(({ url }) => url.slice(0, 4))).toEqual(["/", "/to?"]);
});

withCurl("a server of this machine may lead to itself by http", async () => {
  const { httpPort, arrived } = await servers();
  const away = encodeURIComponent(`http://127.0.0.1:${httpPort}/led`);
  const ran = await call(`curl -sS -L "http://127.0.0.1:${httpPort}/to?${away}"`);
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "ok\n" });
  expect(arrived.map(({ url }) => url.slice(0, 4))).toEqual(["/to?", "/led"]);
});

for (const [name, content, data] of [
  ["in the text", 'curl -sS "http://127.0.0.1:PORT/"', ""],
  ["in a value", 'curl -sS "${api}/"', '      env: { static: { api: "http://localhost:PORT" } }\n'],
  ["without a scheme", "curl -sS localhost:PORT/x", ""],
  [
    "with its host and port in values",
    'curl -sS "http://${host}:${port}/"',
    '      env: { static: { host: 127.0.0.1, port: "PORT" } }\n',
  ],
] as const)
  withCurl(`an address of this machine may be http: ${name}`, async () => {
    const { httpPort, arrived } = await servers();
    const port = (text: string) => text.replace("PORT", String(httpPort));
    const ran = await call(port(content), { data: port(data) });
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(arrived.length).toBe(1);
  });

withCurl("the user's own .curlrc and -K keep working", async () => {
  const { httpsPort, arrived } = await servers();
  const it = folder({
    "f.flow.yaml": document(`curl -K more "https://localhost:${httpsPort}/"`),
    "own/.curlrc": 'user-agent = "my own"\nproto = "=all"\nsilent\n',
    more: 'header = "X-More: yes"\n',
  });
  const ran = await it.run("run f.flow.yaml", { env: { HOME: join(it.path, "own"), CURL_CA_BUNDLE: CA_FILE } });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "ok\n" });
  expect(arrived[0]?.headers).toMatchObject({ "user-agent": "my own", "x-more": "yes" });
});

withCurl("one file serves all attempts of a run", async () => {
  const { it } = await call('cat "$CURL_HOME/.curlrc"\ncd .. ', {});
  const [run] = readdirSync(join(it.home, "runs"));
  const made = readdirSync(join(it.home, "runs", run!)).filter((name) => name.startsWith("curl-"));
  expect(made.length).toBe(1);
  const file = join(it.home, "runs", run!, made[0]!, ".curlrc");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe('proto = "=https"\nproto-redir = "=https"\nproto-default = "https"\n');
});

// ── Auth
// ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const TOKEN = "tok-3n \"quoted\" back\\slash é $(id) 'x'";
const ARRIVES: [string, string, Record<string, string>][] = [
  ["bearer", "{ type: bearer, token: '${TOKEN}' }", { authorization: `Bearer ${TOKEN}` }],
  [
    "basic",
    "{ type: basic, username: ada, password: '${TOKEN}' }",
    { authorization: `Basic ${Buffer.from(`ada:${TOKEN}`).toString("base64")}` },
  ],
  ["header", "{ type: header, name: X-API-Key, value: '${TOKEN}' }", { "x-api-key": TOKEN }],
];
for (const [kind, entry, headers] of ARRIVES)
  for (const named of [true, false])
    withCurl(
      `${kind}, ${named ? "by name" : "in the node"}: it arrives, exactly, and is seen nowhere else`,
      async () => {
        const { httpsPort, arrived } = await servers();
        const ran = await call(`curl -sS -v "https://localhost:${httpsPort}/" 2>&1\ncat "$CURL_HOME/.curlrc"; env`, {
          head: `secrets: [TOKEN]\n${named ? `auth: { api: ${entry} }\n` : ""}`,
          data: `      auth: ${named ? "api" : entry}\n`,
          env: { TOKEN },
        });
        expect(ran, ran.stderr).toMatchObject({ code: 0 });
        const seen = Object.fromEntries(
          Object.keys(headers).map((name) => [
            name,
            Buffer.from(String(arrived[0]?.headers[name]), "latin1").toString(),
          ]),
        );
        expect(seen).toEqual(headers);
        expect(ran.stdout).toContain("***");
        expectNowhere(ran, [TOKEN, Buffer.from(`ada:${TOKEN}`).toString("base64")]);
        expect(left(ran.it)).toEqual([]);
      },
    );

withCurl("netrc: the named file is read, and not passed on to another host", async () => {
  const { httpsPort, arrived } = await servers();
  const it = folder({
    "f.flow.yaml": document(`curl -sS "https://localhost:${httpsPort}/"`, {
      data: "      auth: { type: netrc, file: logins }\n",
    }),
    logins: "machine localhost login ada password pw-of-ada\n",
  });
  expect(await it.run("run f.flow.yaml", { env: { CURL_CA_BUNDLE: CA_FILE } })).toMatchObject({ code: 0 });
  expect(arrived[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ada:pw-of-ada").toString("base64")}`);
});

withCurl("a bearer token is not sent on to another host", async () => {
  const { httpsPort, arrived } = await servers();
  const away = encodeURIComponent(`https://127.0.0.1:${httpsPort}/away`);
  const ran = await call(`curl -sS -L "https://localhost:${httpsPort}/to?${away}"`, {
    head: "secrets: [TOKEN]\n",
    data: "      auth: { type: bearer, token: '${TOKEN}' }\n",
    env: { TOKEN: "a-token-of-some-length" },
  });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(arrived.map(({ headers }) => headers.authorization)).toEqual(["Bearer a-token-of-some-length", undefined]);
});

for (const [name, entry, env, code] of [
  ["a line break", "{ type: header, name: X-Key, value: '${TOKEN}' }", "one\r\nX-Evil: 1", "auth-value"],
  ["a line break at the end", "{ type: bearer, token: '${TOKEN}' }", "one-token\n", "auth-value"],
  ["a colon in the name", "{ type: basic, username: '${TOKEN}', password: x }", "ada:root", "auth-value"],
  ["an invalid header name", "{ type: header, name: 'X Key', value: '${TOKEN}' }", "long-enough", "auth-value"],
  ["nothing", "{ type: bearer, token: '${EMPTY}' }", "long-enough", "auth-empty"],
] as const)
  withCurl(`refused before anything is sent: ${name}`, async () => {
    const { httpsPort, arrived } = await servers();
    const ran = await call(`curl -sS "https://localhost:${httpsPort}/"`, {
      head: "inputs: { EMPTY: { type: string, default: '' } }\nsecrets: [TOKEN]\n",
      data: `      auth: ${entry}\n`,
      env: { TOKEN: env },
    });
    expect(ran.stderr).toContain(`error[${code}]`);
    expectNowhere(ran, ["X-Evil", "ada:root"]);
    expect(arrived).toEqual([]);
  });

test("a name that the document's auth does not have is reported before anything runs, never left out", async () => {
  const ran = await call("touch ran", { data: "      auth: nobody\n" });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("error[auth-unknown]");
  expect(existsSync(join(ran.it.path, "ran"))).toBe(false);
});

/** Credential files that any run has left. */
function left(it: Folder): string[] {
  return readdirSync(join(it.home, "runs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("auth-"),
  );
}

function expectNowhere({ stdout, stderr, it }: Ran & { it: Folder }, texts: string[]): void {
  const files = readdirSync(it.home, { recursive: true, encoding: "utf8" }).map((name) => join(it.home, name));
  const all = [
    stdout,
    stderr,
    ...files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, "utf8")),
  ];
  for (const text of texts) expect(all.filter((each) => each.includes(text))).toEqual([]);
}

/** A run whose curl waits for its response. The token comes from a file, so that no environment contains it. */
async function held(data = "") {
  const server = await servers();
  const it = folder({
    "f.flow.yaml": document(`curl -sS "https://localhost:${server.httpsPort}/hold"`, {
      head: "secrets: [TOKEN]\n",
      data: `      auth: { type: header, name: X-Key, value: '\${TOKEN}' }\n${data}`,
    }),
    "secret.env": "TOKEN=a-token-that-nobody-sees\n",
  });
  const args = "--env-file secret.env";
  const running = it.start(`run f.flow.yaml ${args}`, { env: { CURL_CA_BUNDLE: CA_FILE } });
  const ended = await Promise.race([server.held, running.done]);
  if (ended !== undefined) throw new Error(`It ended before its call arrived:\n${ended.stderr}`);
  expect(server.arrived[0]?.headers["x-key"]).toBe("a-token-that-nobody-sees");
  return { server, it, running, args };
}

for (const data of ["", "      sandbox: read-only\n"])
  if (data === "" || has("bwrap"))
    withCurl(`while curl runs no command line and no environment holds it${data && ", in a sandbox"}`, async () => {
      const { server, it, running } = await held(data);
      const seen = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && holds(pid, "a-token-that-nobody-sees"));
      expect(readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && holds(pid, "/hold"))).toBe(true);
      expect(seen).toEqual([]);
      expect(left(it)).not.toEqual([]);
      server.release();
      expect((await running.done).code).toBe(0);
      expect(left(it)).toEqual([]);
    });

withCurl("after kill -9 the file stays as long as its command runs", async () => {
  const { it, running, args, server } = await held();
  running.process.kill("SIGKILL");
  await running.done;
  const resumed = it.start(`runs resume latest ${args}`);
  await resumed.says("its command was still running");
  expect(left(it)).not.toEqual([]);
  server.release();
  expect(await resumed.done).toMatchObject({ code: 0 });
  expect(left(it)).toEqual([]);
});

withCurl("if its runner is killed too, resuming the run removes it", async () => {
  const { it, running, args } = await held();
  running.process.kill("SIGKILL");
  await running.done;
  await endRunners(it.home, "SIGKILL");
  expect(left(it)).not.toEqual([]);
  expect(await it.run(`runs resume latest ${args}`)).toMatchObject({ code: 1 });
  expect(left(it)).toEqual([]);
});

function holds(pid: string, text: string): boolean {
  return ["cmdline", "environ"].some((name) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "latin1").includes(text);
    } catch {
      return false;
    }
  });
}
