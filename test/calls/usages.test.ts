// Every way of calling curl in usages.ts and its kin, with each real curl of the machine against the sample API: what the command prints, and how it ends, is the same with
// our curl in front as without it, byte for byte; and exactly the calls it made are seen.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import type { HttpCall } from "../../src/base/http-call.ts";
import { seeCalls } from "../../src/nodes/calls.ts";
import { takeCalls } from "../../src/nodes/http-seen.ts";
import { type Curl, curls, isFrom } from "../setup/curls.ts";
import { USAGES, type Usage } from "./usages.ts";
import { USAGES_BY_PATH } from "./usages-by-path.ts";
import { NEWER_USAGES } from "./usages-newer.ts";

const CURLS = curls();

let api: Awaited<ReturnType<typeof startSampleApi>>;
const place = mkdtempSync(join(tmpdir(), "curlew-calls-"));
let count = 0;

beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(async () => {
  await api.close();
  rmSync(place, { recursive: true, force: true });
});

describe.each(CURLS)("curl $version", (curl) => {
  const usages = [...USAGES, ...NEWER_USAGES, ...USAGES_BY_PATH].filter((usage) => isFor(usage, curl));
  test.each(usages)("$name", async (usage) => {
    const without = run(curl, usage, undefined);
    if (usage.waits === undefined) await without;
    const [front, plain] = await Promise.all([run(curl, usage, join(place, `${count}-seen`)), without]);
    expect(front.told).toEqual(plain.told);
    const calls = front.calls.map(shown);
    expect(usage.sideBySide ? calls.sort() : calls).toEqual(usage.seen);
    expect(front.left).toEqual([]);
  });
});

function isFor({ from, before }: Usage, { version }: Curl): boolean {
  return (from === undefined || isFrom(version, from)) && (before === undefined || !isFrom(version, before));
}

test.each(CURLS)(
  "curl $version: what Curlew says to curl holds for each operation, also where the command leaves configuration out",
  async (curl) => {
    const folder = join(place, `ours-${curl.version}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "ours"), 'header = "X-Ours: 1"\n');
    writeFileSync(join(folder, ".curlrc"), 'header = "X-Ours: 1"\n');
    const told = { CURL_HOME: folder, CURLEW_CURLRC: join(folder, "ours") };
    const script = "curl -s $U/echo --next -s $U/echo; curl -q -s $U/echo; CURL_HOME=/ curl -s $U/echo";
    const ran = await run(curl, { name: "", script, seen: [] }, join(place, `ours-home-${curl.version}`), told);
    expect(ran.told.stdout.match(/"x-ours":"1"/g)).toHaveLength(4);
    expect(ran.told.stdout).not.toContain("1, 1");
    expect(ran.calls).toHaveLength(4);
  },
);

test.each(CURLS.filter(({ version }) => !isFrom(version, "8.9")))(
  "curl $version: where nothing can count its tries, it is said that they are not counted, and answers that came are",
  async (curl) => {
    const folder = join(place, `alone-${curl.version}`);
    mkdirSync(folder);
    // As one without a loader, or another libc: nothing gets into it.
    const alone = `#!/bin/sh\nunset LD_PRELOAD\nexec ${join(curl.folder, "curl")} "$@"\n`;
    writeFileSync(join(folder, "curl"), alone, { mode: 0o755 });
    const script = `curl -s --retry 1 --retry-delay 1 --retry-connrefused http://127.0.0.1:1/x; curl -s $U/api/users/1
      curl -s --retry 1 --retry-delay 1 "$U/flaky?key=K&fail=1"; curl -s --retry 1 $U/api/users/2 --next -s $U/api/users/3`;
    const { calls } = await run({ ...curl, folder }, { name: "", script, seen: [] }, join(place, "alone-seen"));
    expect(calls.map(shown)).toEqual([
      "GET /x 0, retries not counted",
      "GET /api/users/1 200",
      "GET /flaky?key=***&fail=1 200 after 1",
      "GET /api/users/2 200, retries not counted",
      "GET /api/users/3 200, retries not counted",
    ]);
  },
);

interface Ran {
  told: { exit: number; stdout: string; stderr: string };
  calls: HttpCall[];
  left: string[];
}

async function run(
  curl: Curl,
  usage: Usage,
  home: string | undefined,
  more: Record<string, string> = {},
): Promise<Ran> {
  const folder = join(place, String(count++), "work");
  mkdirSync(join(folder, "home"), { recursive: true });
  for (const [name, text] of Object.entries(usage.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), at(curl, text).replaceAll("PORT", new URL(api.url).port));
  }
  const env: Record<string, string> = {
    ...{ PATH: `${curl.folder}${delimiter}${process.env.PATH}`, HOME: join(folder, "home"), LANG: "C.UTF-8" },
    ...{ U: api.url, S: api.httpsUrl, CA: api.caFile },
    ...more,
  };
  const files = { path: (name: string) => join(home ?? "", name), has: () => false };
  const script = at(curl, usage.script).replaceAll("key=K", `key=${count}`);
  const given = { files: files as never, stem: "1", path: env.PATH, isBoxed: false, content: script, cwd: folder };
  const seen = home === undefined ? undefined : seeCalls(env, { ...given, home });
  const shell = usage.shell ?? "bash";
  const child = await started(shell, script, folder, { ...env, ...seen?.variables });
  const calls = seen === undefined ? [] : takeCalls(seen.prefix, (text) => text);
  const left = seen === undefined ? [] : readdirSync(dirname(seen.prefix)).filter((name) => name !== "version");
  return { told: child, calls, left };
}

function at(curl: Curl, text: string): string {
  return text.replaceAll("REAL", join(curl.folder, "curl")).replaceAll("BIN", curl.folder);
}

/** With pipes on both, as a command of a node has; Node.js gives sockets. Standard input is empty. */
const PIPES =
  '{ { "$1" -c "$2" </dev/null 2>&3 3>&- 4>&- 5>&-; echo $? >&4; } | cat >&5; } 3>&1 4>../exit 5>../out | cat >../err';

function started(shell: string, script: string, cwd: string, env: Record<string, string>): Promise<Ran["told"]> {
  const told = (name: string): string => readFileSync(join(cwd, "..", name), "latin1");
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", PIPES, "bash", shell, script], { cwd, env, stdio: "ignore" });
    child.on("error", reject);
    child.on("close", () =>
      resolve({ exit: Number(told("exit")), stdout: plainly(told("out")), stderr: plainly(told("err")) }),
    );
  });
}

/** Without what differs from call to call: moments, ports, the numbers of a progress meter. */
function plainly(text: string): string {
  return text
    .replaceAll(/date: .*/gi, "date")
    .replaceAll(/(?:\r *[0-9.]+[^\r\n]*)+/g, "\rprogress")
    .replaceAll(/(after|port|returned|Operation timed out after) [0-9]+/g, "$1 #")
    .replaceAll(/line [0-9]+: +[0-9]+/g, "line #: #");
}

function shown({ method, url, status, retries }: HttpCall): string {
  const { pathname, search } = new URL(url);
  const tried = retries === null ? ", retries not counted" : retries === undefined ? "" : ` after ${retries}`;
  return `${method} ${pathname}${search} ${status}${tried}`;
}
