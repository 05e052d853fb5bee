// Commands in real sandboxes: what they cannot reach, and that Curlew reports their ends as outside (spec 4.2, 4.4).

import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Cause } from "../../src/process/cause.ts";
import { findProgram } from "../../src/process/dialect.ts";
import type { CommandSpec } from "../../src/process/run.ts";
import { folderProblem, type SandboxMode, sandboxProblem } from "../../src/process/sandbox.ts";
import { endRunners, MAIN } from "../cli/curlew.ts";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";
import { appears, bash, lives, type Outcome, start, tempFile, text } from "./commands.ts";

const MODES: SandboxMode[] = ["no-network", "read-only", "strict"];
const bwrap = findProgram("bwrap", process.env.PATH) ?? "";

interface Given extends Partial<CommandSpec> {
  visible?: string[];
}

/** A work folder and a home folder with private files. */
function ground(): { work: string; home: string } {
  const root = realpathSync(tempFolder());
  const [work, home] = [join(root, "work"), join(root, "home")];
  mkdirSync(work);
  mkdirSync(join(home, "runs"), { recursive: true });
  writeFileSync(join(home, "secrets.key"), "the-key-of-the-store");
  writeFileSync(join(home, "curlew.db"), "the-journal");
  return { work, home };
}

function begin(mode: SandboxMode, script: string, given: Given = {}, { work, home } = ground()) {
  const argv = bash(script);
  const files = [argv.at(-1)!, ...(given.visible ?? [])];
  return start(argv, { cwd: work, sandbox: { mode, bwrap, home, files }, ...given });
}

function inside(mode: SandboxMode, script: string, given: Given = {}, at = ground()): Promise<Outcome> {
  return begin(mode, script, given, at).ended();
}

/** The same in every mode. */
function inAll(name: string, check: (mode: SandboxMode) => Promise<void>, timeout?: number): void {
  for (const mode of MODES) inOne(mode, name, () => check(mode), timeout);
}

function inOne(mode: SandboxMode, name: string, check: () => Promise<void>, timeout?: number): void {
  if (has("bwrap")) test(`${mode}: ${name}`, check, timeout);
}

test("without bubblewrap a sandbox fails, and the error says how to get it", () => {
  for (const mode of MODES) {
    const problem = sandboxProblem(mode, "/no/such/folder");
    expect(problem).toMatchObject({ code: "sandbox-unavailable", hint: expect.stringContaining("install bubblewrap") });
  }
});

test("a bubblewrap that cannot make a sandbox fails with its own message", () => {
  const folder = tempFolder();
  writeFileSync(
    join(folder, "bwrap"),
    "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
    {
      mode: 0o755,
    },
  );
  const problem = sandboxProblem("strict", folder);
  expect(problem?.code).toBe("sandbox-unavailable");
  expect(problem?.message).toContain("No permissions to create new namespace");
});

test("a system folder, or the home folder itself, is not a work folder", () => {
  const { work, home } = ground();
  for (const folder of ["/", "/etc", "/proc/self", home])
    expect(folderProblem("read-only", folder, home)?.code, folder).toBe("sandbox-folder");
  expect(folderProblem("strict", work, home)).toBeUndefined();
  expect(folderProblem("no-network", "/", home)).toBeUndefined();
});

/**
 * Reads the traces of all processes that it sees, or of those it is given. It finds the file through their roots,
 * folders and descriptors.
 */
const TRACER = `import ctypes, glob, json, os, stat, sys
libc = ctypes.CDLL(None, use_errno=True)
def seize(pid):
    if libc.ptrace(0x4206, pid, 0, 0) != 0: return os.strerror(ctypes.get_errno())
    libc.ptrace(17, pid, 0, 0)
    return "traced"
outer, file = int(sys.argv[1]), sys.argv[2]
files, folders = [], []
for pid in [int(name) for name in sys.argv[3:] or os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]:
    if pid != outer: seize(pid)
    if os.path.exists(f"/proc/{pid}/root{file}"): files.append(f"/proc/{pid}/root{file}")
    for fd in glob.glob(f"/proc/{pid}/fd/*"):
        try: mode = os.stat(fd).st_mode
        except OSError: continue
        if stat.S_ISDIR(mode) or stat.S_ISSOCK(mode): folders.append(fd)
print(json.dumps({"outer": seize(outer), "files": files, "folders": folders}))
`;

// ── Fences ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

for (const mode of ["no-network", "strict"] as const)
  inOne(mode, "no server is reached, also not one of this machine", async () => {
    const server = createServer((socket) => socket.end("hello\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const call = `cat <"/dev/tcp/127.0.0.1/${port}" 2>&1 || echo none; ls /sys/class/net 2>/dev/null | wc -l >/dev/null`;
    expect((await start(bash(call)).ended()).stdout).toBe("hello\n");
    const { stdout } = await inside(mode, `${call}; tail -n +3 /proc/net/dev | cut -d: -f1`);
    expect(stdout).toContain("none\n");
    expect(stdout.trim().split("\n").at(-1)?.trim()).toBe("lo");
  });

inOne("read-only", "the network is there", async () => {
  const server = createServer((socket) => socket.end("hello\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  expect((await inside("read-only", `cat <"/dev/tcp/127.0.0.1/${port}"`)).stdout).toBe("hello\n");
});

for (const mode of ["read-only", "strict"] as const) {
  inOne(mode, "nothing but the work folder can be written, also not by root", async () => {
    const at = ground();
    const outside = join(at.work, "..", "outside");
    writeFileSync(outside, "as it was");
    const script = `echo x > mine && cat mine
      { echo x > ${outside}; } 2>/dev/null; echo x > /tmp/scratch
      for f in /usr/planted /etc/planted; do { echo x > $f; } 2>/dev/null && echo "wrote $f"; done
      mount -o remount,rw,bind /usr 2>/dev/null && echo remounted
      unshare -Urm mount -o remount,rw,bind /usr 2>/dev/null && echo remounted
      exit 0`;
    const ended = await inside(mode, script, {}, at);
    expect(ended).toMatchObject({ cause: { type: "exited", code: 0 }, stdout: "x\n" });
    expect(readFileSync(outside, "utf8")).toBe("as it was");
    expect(readFileSync(join(at.work, "mine"), "utf8")).toBe("x\n");
  });

  inOne(mode, "a socket under /run, such as that of docker, is not there", async () => {
    // Users who are not root may write to one that is in it.
    const folder = mkdtempSync(`${process.getuid?.() === 0 ? "/run" : "/run/lock"}/curlew-test-`);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const server = createServer((socket) => socket.end("hello\n"));
    await new Promise<void>((resolve) => server.listen(join(folder, "docker.sock"), resolve));
    onTestFinished(() => void server.close());
    const look = `test -S ${folder}/docker.sock && echo there || echo gone`;
    expect((await start(bash(look)).ended()).stdout).toBe("there\n");
    expect((await inside(mode, look)).stdout).toBe("gone\n");
  });
}

inOne("strict", "of the system there is /usr and /etc alone, and no home", async () => {
  const { stdout } = await inside(
    "strict",
    "ls -d /var /opt /boot /srv /mnt /root/.bashrc 2>/dev/null; ls -A $HOME; id -u",
    {
      env: { PATH: "/usr/bin:/bin", HOME: "/root" },
    },
  );
  expect(stdout).toBe(`${process.getuid?.()}\n`);
});

inOne("strict", "root has no rights of root", async () => {
  const { stdout } = await inside("strict", "grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status");
  expect(stdout).toBe("CapEff:\t0000000000000000\nNoNewPrivs:\t1\n");
});

inAll("a command that traces all it sees reaches nothing of outside through it", async (mode) => {
  const at = ground();
  const outer = spawn("sleep", ["1000"]);
  onTestFinished(() => void outer.kill());
  writeFileSync(join(at.work, "trace.py"), TRACER);
  const look = `python3 trace.py ${outer.pid} ${at.home}/secrets.key`;
  const seen = async (ended: Promise<Outcome>) => JSON.parse((await ended).stdout);
  // Outside it looks only at that process; whether it may be traced is up to the system.
  const free = await seen(start(bash(`${look} ${outer.pid}`), { cwd: at.work }).ended());
  expect(free.files).toEqual([`/proc/${outer.pid}/root${at.home}/secrets.key`]);
  expect(free.outer).not.toBe("No such process");
  expect(await seen(inside(mode, look, {}, at))).toEqual({ outer: "No such process", files: [], folders: [] });
});

inAll("Curlew's home is not there: no key, no journal", async (mode) => {
  const at = ground();
  const look = `cat ${at.home}/secrets.key ${at.home}/curlew.db 2>&1; find ${at.home} -type f 2>/dev/null`;
  expect((await start(bash(look)).ended()).stdout).toContain("the-key-of-the-store");
  const { stdout } = await inside(mode, look, {}, at);
  expect(stdout).not.toContain("the-");
  expect(stdout).not.toContain("secrets.key\n/");
});

inAll("a home folder inside the work folder is also hidden", async (mode) => {
  const { home } = ground();
  const work = join(home, "..");
  const { stdout } = await inside(mode, `cat ${home}/secrets.key 2>/dev/null || echo none`, {}, { work, home });
  expect(stdout).toBe("none\n");
});

inAll("no other process is to be seen", async (mode) => {
  const { stdout } = await inside(
    mode,
    "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; ls -d /proc/[0-9]* | wc -l; kill -0 PID 2>&1".replace(
      "PID",
      String(process.pid),
    ),
  );
  expect(stdout).not.toContain("vitest");
  expect(stdout).toMatch(/No such process/);
});

// ── As outside ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const ENDS: [string, string, Cause][] = [
  ["success", "true", { type: "exited", code: 0 }],
  ["exit code 1, bubblewrap's own for failures", "exit 1", { type: "exited", code: 1 }],
  ["exit code 143 is not a signal", "exit 143", { type: "exited", code: 143 }],
  ["exit code 255", "exit 255", { type: "exited", code: 255 }],
  ["SIGKILL", "kill -KILL $$", { type: "signalled", signal: "SIGKILL" }],
  ["SIGSEGV", "kill -SEGV $$", { type: "signalled", signal: "SIGSEGV" }],
  ["a signal inside", "bash -c 'kill -KILL $$'; exit $?", { type: "exited", code: 137 }],
];
for (const [name, script, cause] of ENDS)
  inAll(`the reported end is right: ${name}`, async (mode) => {
    expect((await inside(mode, script)).cause).toEqual(cause);
  });

inAll("both streams arrive apart and in order, stdin is read, /dev/stdout can be opened", async (mode) => {
  const script = "cat; sleep 0.05; echo problem >&2; sleep 0.05; echo again > /dev/stdout; echo late >> /dev/stderr";
  const ended = await inside(mode, script, { stdin: text("from stdin\n") });
  expect(ended).toMatchObject({ stdout: "from stdin\nagain\n", stderr: "problem\nlate\n" });
});

inAll("ten megabytes come out complete, and stdin of that size goes in", async (mode) => {
  const ended = await inside(mode, "cat; head -c 10000000 /dev/zero | tr '\\0' x", {
    stdin: text("y".repeat(3_000_000)),
  });
  expect(ended.stdoutBytes).toBe(13_000_000);
});

inAll("the environment is exactly what was given, whatever is in it", async (mode) => {
  const values = {
    PATH: "/usr/bin:/bin",
    ODD: `two\nlines $(id) "quoted" 'too' \\ é`,
    EMPTY: "",
    BIG: "b".repeat(100_000),
  };
  const { stdout } = await inside(
    mode,
    'printf "%s|%s|%s" "$ODD" "${EMPTY-unset}" "${#BIG}"; env | cut -d= -f1 | sort | tr "\\n" " " >&2',
    { env: values },
  );
  expect(stdout).toBe(`${values.ODD}||100000`);
});

inAll("values are on no command line, and variables that would change bubblewrap stay inside", async (mode) => {
  const secret = "a-value-that-nobody-must-see";
  const command = begin(mode, "echo up; exec sleep 1000", {
    env: { PATH: "/usr/bin:/bin", SECRET: secret, LD_PRELOAD: "/no/such/library.so" },
  });
  await command.printed("up");
  const outer = `/proc/${command.pid}`;
  expect(readFileSync(`${outer}/cmdline`, "utf8")).not.toContain(secret);
  expect(readFileSync(`${outer}/environ`, "utf8")).toBe("");
  command.cancel();
  await command.ended();
});

inAll("files of the run that it was given are there to read", async (mode) => {
  const at = ground();
  const value = join(at.home, "runs", "7-1.val");
  writeFileSync(value, "a large value", { mode: 0o600 });
  const { stdout } = await inside(mode, `cat ${value}; { echo x > ${value}; } 2>/dev/null`, { visible: [value] }, at);
  expect(stdout).toBe("a large value");
  expect(readFileSync(value, "utf8")).toBe("a large value");
});

inAll("a work folder behind a link is the folder it leads to", async (mode) => {
  const at = ground();
  const link = join(at.work, "..", "link");
  symlinkSync(at.work, link);
  expect((await inside(mode, "pwd -P; touch here", {}, { ...at, work: link })).stdout).toBe(`${at.work}\n`);
});

// ── Ending ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

inAll("a cancelled command may clean up", async (mode) => {
  const command = begin(mode, 'trap "echo cleaned; exit 0" TERM; echo up; while :; do sleep 0.02; done', {
    killGraceMs: 20_000,
  });
  await command.printed("up");
  command.cancel();
  expect(await command.ended()).toMatchObject({ cause: { type: "cancelled" }, stdout: "up\ncleaned\n" });
});

inAll("a time limit is one, also for a command that is deaf", async (mode) => {
  const ended = await inside(mode, 'trap "" TERM; while :; do sleep 0.02; done', { timeoutMs: 150, killGraceMs: 50 });
  expect(ended.cause).toEqual({ type: "timed-out", limit: "total", afterMs: 150 });
});

inAll("cancelled before it has begun, it ends as soon", async (mode) => {
  const command = begin(mode, "sleep 1000", { killGraceMs: 20_000 });
  command.cancel();
  const ended = await command.ended();
  expect(ended.cause.type).toBe("cancelled");
  expect(ended.durationMs).toBeLessThan(10_000);
});

const ESCAPES: Record<string, string> = {
  "setsid, two forks, nothing open, no environment": "(setsid env -i bash BODY </dev/null >/dev/null 2>&1 &)",
  "nohup, deaf to all": "nohup bash BODY >/dev/null 2>&1 &",
};
for (const [name, how] of Object.entries(ESCAPES)) {
  for (const cancelled of [false, true])
    inAll(`${name}: dead when the command ${cancelled ? "is cancelled" : "has ended"}`, async (mode) => {
      const at = ground();
      const body = tempFile('trap "" TERM HUP INT\necho up > up\nwhile :; do sleep 0.01; done\n');
      const ends = cancelled ? "sleep 1000" : "exit 0";
      const script = `${how.replace("BODY", body)}\nuntil [ -s up ] && [ -e go ]; do sleep 0.01; done; ${ends}`;
      const command = begin(mode, script, { visible: [body], killGraceMs: 200 }, at);
      await appears(join(at.work, "up"));
      const inner = childrenOf(command.pid!);
      writeFileSync(join(at.work, "go"), "");
      if (cancelled) command.cancel();
      await command.ended();
      expect(inner.filter(lives)).toEqual([]);
    });
}

inAll("kill -9 of bubblewrap's outer process ends everything", async (mode) => {
  const command = begin(mode, 'trap "" TERM HUP; (setsid env -i sleep 1000 &) ; echo up; while :; do sleep 0.02; done');
  await command.printed("up");
  const inner = childrenOf(command.pid!);
  expect(inner.length).toBeGreaterThan(2);
  process.kill(command.pid!, "SIGKILL");
  expect((await command.ended()).cause).toEqual({ type: "signalled", signal: "SIGKILL" });
  expect(inner.filter(lives)).toEqual([]);
});

/** Everything below a process, by this side's process ids. */
function childrenOf(pid: number): number[] {
  let own: number[];
  try {
    own = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    // It ended while it was being looked at.
    return [];
  }
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}

inAll(
  "a folder that the caller of Curlew left open does not lead outside",
  async (mode) => {
    const { work, home } = ground();
    writeFileSync(
      join(work, "f.flow.yaml"),
      `curlew: 1
nodes:
  - { id: a, type: cli, data: { title: A, sandbox: ${mode}, content: "readlink /proc/self/fd/60" } }
`,
    );
    const left = openSync(join(home, "runs"), "r");
    const ignored = Array.from({ length: 57 }, () => "ignore" as const);
    const ran = spawnSync(process.execPath, [MAIN, "run", "f.flow.yaml"], {
      cwd: work,
      env: { ...process.env, CURLEW_HOME: join(home, "own") },
      stdio: ["ignore", "pipe", "pipe", ...ignored, left],
      encoding: "utf8",
      timeout: 50_000,
    });
    await endRunners(join(home, "own"), "SIGTERM");
    closeSync(left);
    expect(ran.stdout.trim(), ran.stderr).toBe("/dev/null");
  },
  60_000,
);
