// `curlew doctor` finds mistakes in a machine's setup, says what helps, and changes nothing.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { certificateChecks } from "../../src/app/doctor/network.ts";
import { findProgram } from "../../src/process/dialect.ts";
import { has } from "../setup/machine.ts";
import { type Folder, folder, type Given } from "./curlew.ts";

vi.setConfig({ testTimeout: 120_000 });

interface Found {
  what: string;
  status: string;
  code: string;
  message: string;
  help: string;
}

const QUIET = { http_proxy: "", https_proxy: "", HTTP_PROXY: "", HTTPS_PROXY: "" };

/** The problems. Each says what helps, and the exit code says whether one is an error. */
async function finds(
  it: Folder,
  env: Record<string, string> = {},
  given: Given & { args?: string } = {},
): Promise<Found[]> {
  const told = await it.run(`doctor --json ${given.args ?? ""}`, { env: { HOME: it.path, ...QUIET, ...env } });
  const { checks, sound } = JSON.parse(told.stdout) as { checks: Found[]; sound: boolean };
  const found = checks.filter(({ status }) => status !== "ok");
  expect(told.code, told.stderr).toBe(sound ? 0 : 1);
  expect(sound).toBe(found.every(({ status }) => status === "note"));
  for (const { what, help, code, message } of found) {
    // A problem of the store usually says itself what helps.
    if (what !== "store") expect(help, code).toMatch(/\w/);
    expect(message, code).toMatch(/\.$/);
  }
  return found.filter(({ code }) => code !== "not-installed" && code !== "sandbox-unavailable");
}

/** A folder that holds these programs and no others. */
function programs(it: Folder, ...names: string[]): string {
  const path = join(it.path, "bin");
  mkdirSync(path, { recursive: true });
  for (const name of names) symlinkSync(findProgram(name, process.env.PATH)!, join(path, name));
  return path;
}

function script(it: Folder, name: string, text: string): void {
  writeFileSync(join(it.path, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

test("a machine without curl: noted, with the next step", async () => {
  const it = folder();
  const told = await it.run("doctor", { env: { PATH: programs(it, "bash", "sh"), HOME: it.path, ...QUIET } });
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toMatch(/note +curl +\[not-installed\] curl is not on PATH\. .*`curlew http`/);
  expect(told.stdout).toMatch(/ok +bash +\S+bin\/bash: GNU bash/);
  expect(told.stdout).toMatch(/\n\nNothing is wrong, \d noted\.\n$/);
  expect(readdirSync(it.path)).toEqual(["bin"]);
});

test.each([
  [
    "curl 7.64.0 (x86_64-pc-linux-gnu) libcurl/7.64.0 OpenSSL/1.1.1n",
    "http https",
    "HTTP2 SSL",
    ["curl-old"],
    "OpenSSL/1.1.1n, HTTP/2",
  ],
  ["curl 8.5.0 (x86_64-pc-linux-gnu) libcurl/8.5.0 GnuTLS/3.8.3", "http https", "SSL", [], "GnuTLS/3.8.3, no HTTP/2"],
  [
    "curl 8.7.1 (x86_64-apple-darwin23.0) libcurl/8.7.1 (SecureTransport) LibreSSL/3.3.6",
    "http https",
    "HTTP2 SSL",
    [],
    "SecureTransport, HTTP/2",
  ],
  ["curl 8.1.2 (mini)", "file http", "Largefile", ["curl-no-https"], "no TLS, no HTTP/2"],
])("%s", async (first, protocols, features, codes, facts) => {
  const it = folder();
  const PATH = programs(it, "bash", "sh");
  script(
    it,
    "curl",
    `echo '${first}'\necho 'Release-Date: x'\necho 'Protocols: ${protocols}'\necho 'Features: ${features}'`,
  );
  expect((await finds(it, { PATH })).map(({ code }) => code)).toEqual(codes);
  expect((await it.run("doctor", { env: { PATH, HOME: it.path } })).stdout).toContain(`(${facts})`);
});

test.runIf(has("curl"))("a .curlrc that changes every call; its values are not shown", async () => {
  const it = folder({
    ".curlrc": '# mine\n--insecure\nuser = "me:hunter22"\ninclude\nwrite-out "%{json}"\nsilent\nretry 3\n-m 5\n',
  });
  const found = await finds(it);
  expect(found.map(({ status, code }) => `${status} ${code}`)).toEqual(["wrong curlrc-insecure", "note curlrc"]);
  expect(found.map(({ message }) => message).join()).toMatch(/: user, include, write-out, m\./);
  expect(JSON.stringify(found)).not.toContain("hunter22");
  expect(await finds(folder({ ".curlrc": "silent\nconnect-timeout = 3\n" }))).toEqual([]);
});

test("CAs: variables that name a missing file, or something else", async () => {
  const it = folder({ "notes.txt": "no certificate" });
  const found = await finds(it, {
    SSL_CERT_FILE: "/nosuch/ca.pem",
    NODE_EXTRA_CA_CERTS: join(it.path, "notes.txt"),
    CURL_CA_BUNDLE: join(import.meta.dirname, "../process/tls/ca.pem"),
    REQUESTS_CA_BUNDLE: it.path,
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  });
  const told = found.map(({ code, message }) => `${code} ${message.split(" ")[0]}`);
  expect(told).toEqual([
    "node-insecure NODE_TLS_REJECT_UNAUTHORIZED=0",
    "ca-file SSL_CERT_FILE",
    "ca-file NODE_EXTRA_CA_CERTS",
    "ca-file REQUESTS_CA_BUNDLE",
  ]);
  expect(certificateChecks({}, "linux", ["/nosuch/bundle"])).toMatchObject([
    { status: "wrong", code: "ca-bundle-missing" },
  ]);
  expect(certificateChecks({}, "darwin", [])).toMatchObject([{ status: "ok" }]);
});

test("proxies: malformed, or for localhost too; a password is not shown", async () => {
  const it = folder();
  const codes = async (env: Record<string, string>) => (await finds(it, env)).map(({ code }) => code);
  expect(await codes({ https_proxy: "not a proxy", no_proxy: "localhost" })).toEqual(["proxy-malformed"]);
  expect(await codes({ https_proxy: "ftp://proxy:1", no_proxy: "localhost" })).toEqual(["proxy-malformed"]);
  expect(await codes({ https_proxy: "http://a:1", no_proxy: "intranet" })).toEqual(["proxy-localhost"]);
  const env = { HOME: it.path, ...QUIET, https_proxy: "http://me:hunter22@proxy.example:3128", no_proxy: "localhost" };
  const told = await it.run("doctor", { env });
  expect(told.stdout).toContain("https_proxy: proxy.example:3128\n");
  expect(told.stdout).not.toContain("hunter22");
});

const FLOW = `curlew: 1
name: Some
nodes: [ { id: a, type: cli, data: { title: A, content: "echo here; COMMAND" } } ]
`;

/** A data directory in which something ran. */
async function used(): Promise<Folder> {
  const it = folder({ "a.flow.yaml": FLOW.replace("COMMAND", "true") });
  expect(await it.run("run a.flow.yaml")).toMatchObject({ code: 0 });
  expect(await finds(it)).toEqual([]);
  return it;
}

test("a data directory that others can read, or that belongs to someone else", async () => {
  const it = await used();
  chmodSync(it.home, 0o755);
  expect(await finds(it)).toMatchObject([
    { code: "home-not-private", status: "note", help: `chmod go-rwx '${it.home}'` },
  ]);
  chmodSync(it.home, 0o777);
  expect((await finds(it)).map(({ code, status }) => `${status} ${code}`)).toContain("wrong home-not-private");
  chmodSync(it.home, 0o700);
  if (process.getuid?.() === 0) {
    chownSync(join(it.home, "runs"), 65_534, 65_534);
    expect(await finds(it)).toMatchObject([
      { code: "home-not-owned", message: expect.stringContaining("runs belongs") },
    ]);
  } else {
    chmodSync(it.home, 0o500);
    expect((await finds(it)).map(({ code }) => code)).toContain("home-read-only");
    chmodSync(it.home, 0o700);
  }
});

test("an impossible data directory, and one without room", async () => {
  const it = folder({ file: "" });
  const codes = async (home: string) => (await finds(it, {}, { args: `--home ${home}` })).map(({ code }) => code);
  expect(await codes(join(it.path, "file"))).toEqual(expect.arrayContaining(["home-not-a-folder"]));
  expect(await codes(join(it.path, "file", "below"))).toEqual(expect.arrayContaining(["home-unavailable"]));
  if (process.platform !== "linux") return;
  const full = (await finds(it, {}, { args: "--home /proc/curlew" })).find(({ code }) => code === "disk-full");
  expect(full?.help).toMatch(/^First remove something else from this disk, .* curlew runs rm --older-than 30d$/);
});

test("unreadable settings, and a missing key", async () => {
  const it = await used();
  writeFileSync(join(it.home, "config.yaml"), "secrets: 7\n", { mode: 0o600 });
  expect(await finds(it)).toMatchObject([{ what: "config", status: "wrong", code: "config-invalid" }]);
  writeFileSync(join(it.home, "config.yaml"), "publicHooksUrl: nowhere\nauth: { a: { type: beaver } }\nlog: 5\n");
  expect((await finds(it)).map(({ message }) => message.replace(/^.*config\.yaml:/, "").slice(0, 34))).toEqual([
    '3:1: has no setting "log". Known s',
    "1:17: publicHooksUrl must be a URL",
    "2:12: auth.a: There is no auth typ",
  ]);
  rmSync(join(it.home, "config.yaml"));
  expect(await it.run("secrets set TOKEN", { stdin: "a-long-secret" })).toMatchObject({ code: 0 });
  expect(await finds(it)).toEqual([]);
  rmSync(join(it.home, "secrets.key"));
  expect(await finds(it)).toMatchObject([{ what: "keyring", status: "wrong", code: "secret-store-key-missing" }]);
});

test("runs that were interrupted", async () => {
  const it = folder({ "a.flow.yaml": FLOW.replace("COMMAND", "while :; do sleep 0.1; done") });
  const started = it.start("run a.flow.yaml --json");
  await started.says('"attempt.started"', "stdout");
  started.process.kill("SIGKILL");
  await started.done;
  expect(await finds(it)).toMatchObject([
    {
      what: "runs",
      status: "note",
      code: "runs-interrupted",
      message: expect.stringMatching(/^1 run was interrupted/),
    },
  ]);
  await it.run("runs cancel latest");
});

test("looking changes nothing", async () => {
  const it = await used();
  const all = () =>
    readdirSync(it.home, { recursive: true, encoding: "utf8" })
      .filter((name) => !/curlew\.db-(?:shm|wal)$/.test(name))
      .toSorted()
      .map((name) => {
        const { size, mode, mtimeMs } = statSync(join(it.home, name));
        return [name, size, mode, mtimeMs];
      });
  const before = all();
  await finds(it);
  expect(all()).toEqual(before);
});

test("docs/reference/doctor.md lists all findings", () => {
  const source = join(import.meta.dirname, "../../src/app/doctor");
  const text = readdirSync(source).map((name) => readFileSync(join(source, name), "utf8"));
  const codes = [...text.join().matchAll(/\b(?:code: |finding\([^[]*?, )"([a-z]+-[a-z-]+|curlrc)"/g)].map(
    ([, code]) => code!,
  );
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/doctor.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code!);
  // The module of bubblewrap reports its own messages.
  expect(listed.toSorted()).toEqual([...new Set([...codes, "sandbox-unavailable"])].toSorted());
});
