// Every way of calling curl in usages.txt, with each real curl of the machine against the sample API. Output and exit
// code are the same with Curlew's front as without it, byte for byte. The calls are recorded, or the front says why
// they are not.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import type { HttpCall } from "../../src/base/http-call.ts";
import { userCurlrc } from "../../src/process/curl-config.ts";
import { observeCalls } from "../../src/process/http-observer/observe.ts";
import { type Taken, takeCalls } from "../../src/process/http-observer/records.ts";
import { type Curl, curls } from "../setup/curls.ts";

/** `$U` is the sample API, `$S` the same with TLS, and `$CA` its certificate. `$HOME` is `home` in the folder. */
interface Usage {
  name: string;
  script: string;
  /** `METHOD PATH STATUS`, in the order in which they end. */
  seen: string[];
  files: Record<string, string>;
  shell: string;
  isSideBySide: boolean;
  /** Most of its time is waiting, so both runs happen at once. */
  waits: boolean;
}

/** In usages.txt a usage has its name, `@…` settings, the script, and a `>` line per call. */
const USAGES = readFileSync(join(import.meta.dirname, "usages.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map(usageOf);

function usageOf(block: string): Usage {
  const lines = block.split("\n");
  const values = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const files = values("@file ").map((text): [string, string] => {
    const [name = "", content] = text.split(/ (.*)/);
    return [name, JSON.parse(content!)];
  });
  return {
    name: values("=== ")[0]!,
    script: lines.filter((line) => !/^(?:===|@|>) ?/.test(line)).join("\n"),
    seen: values("> "),
    files: Object.fromEntries(files),
    shell: values("@shell ")[0] ?? "bash",
    isSideBySide: lines.includes("@side-by-side"),
    waits: lines.includes("@waits"),
  };
}

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
  test.each(USAGES)("$name", async (usage) => {
    const without = run(curl, usage, undefined);
    if (!usage.waits) await without;
    const [front, plain] = await Promise.all([run(curl, usage, join(place, `${count}-seen`)), without]);
    expect(front.told).toEqual(plain.told);
    const calls = front.taken.calls.map(shown);
    if (RECORDED.has(usage.name)) expect(front.taken.unrecorded).toEqual([]);
    if (front.taken.unrecorded.length === 0) expect(usage.isSideBySide ? calls.sort() : calls).toEqual(usage.seen);
    else expect(usage.seen).toEqual(expect.arrayContaining(calls));
    expect(front.left).toEqual([]);
  });
});

test.each([
  ["a format", "curl -s -w '%{http_code}' $U/status/200", "curl was called with -w"],
  ["a format in a cluster", "curl -sSw '%{http_code}' $U/status/200", "curl was called with -w"],
  ["a shortened format", "curl -s --write '%{http_code}' $U/status/200", "curl was called with --write"],
  ["a configuration", "echo silent | curl -K - $U/status/200", "curl was called with -K"],
  ["several operations", "curl -s $U/status/200 --next -s $U/status/200", "curl was called with --next"],
  ["another name for that", "curl -s $U/status/200 -: -s $U/status/200", "curl was called with -:"],
])("steps aside and says so: %s", async (_, script, why) => {
  const [curl] = CURLS;
  if (curl === undefined) return;
  const { taken } = await run(curl, usageOf(script), join(place, `${count}-aside`));
  expect(taken).toEqual({ calls: [], unrecorded: [why] });
});

/** Usual ways, which every curl must record. */
const RECORDED = new Set([
  ...["one call", "a pipe", "a loop", "a substitution", "fail", "fail with body", "an error that is ignored"],
  ...["body to a file", "heads alone", "heads with the body", "a body from standard input", "json", "put", "delete"],
  ...["upload", "form", "get with data", "redirects", "several addresses", "one's own .curlrc", "curl's own retries"],
  ...["refused", "too slow", "ended by timeout", "with TLS", "user and password", "-w as a value", "odd arguments"],
]);

interface Ran {
  told: { exit: number; stdout: string; stderr: string };
  taken: Omit<Taken, "withheld">;
  left: string[];
}

async function run(curl: Curl, usage: Usage, home: string | undefined): Promise<Ran> {
  const folder = join(place, String(count++), "work");
  mkdirSync(join(folder, "home"), { recursive: true });
  for (const [name, text] of Object.entries(usage.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), at(curl, text).replaceAll("PORT", new URL(api.url).port));
  }
  const env: Record<string, string> = {
    ...{ PATH: `${curl.folder}${delimiter}${process.env.PATH}`, HOME: join(folder, "home"), LANG: "C.UTF-8" },
    ...{ U: api.url, S: api.httpsUrl, CA: api.caFile },
  };
  const files = { path: (name: string) => join(home ?? "", name), has: () => false };
  const script = at(curl, usage.script).replaceAll("key=K", `key=${count}`);
  const given = { files: files as never, stem: "1", path: env.PATH, isBoxed: false, userCurlrc: userCurlrc(env) };
  const seen = home === undefined ? undefined : observeCalls(env, { ...given, home });
  const child = await started(usage.shell, script, folder, { ...env, ...seen?.variables });
  const { calls, unrecorded } =
    seen === undefined ? { calls: [], unrecorded: [] } : takeCalls(seen.prefix, (text) => text);
  const left = seen === undefined ? [] : readdirSync(dirname(seen.prefix)).filter((name) => name !== "version");
  return { told: child, taken: { calls, unrecorded }, left };
}

function at(curl: Curl, text: string): string {
  return text.replaceAll("REAL", join(curl.folder, "curl")).replaceAll("BIN", curl.folder);
}

/** With pipes on both, as a node's command has; Node.js uses sockets. Standard input is empty. */
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

/** Without what differs between calls: times, ports, the numbers of a progress meter. */
function plainly(text: string): string {
  return text
    .replaceAll(/date: .*/gi, "date")
    .replaceAll(/(?:\r *[0-9.]+[^\r\n]*)+/g, "\rprogress")
    .replaceAll(/(after|port|returned|Operation timed out after) [0-9]+/g, "$1 #")
    .replaceAll(/line [0-9]+: +[0-9]+/g, "line #: #");
}

function shown({ method, url, status }: HttpCall): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search} ${status}`;
}
