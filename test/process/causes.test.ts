// All the ways a command can end, with real processes (spec 3.2).

import { chmodSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Cause } from "../../src/process/cause.ts";
import type { CommandSpec } from "../../src/process/run.ts";
import { lives, run, runner, start, tempFile, tempPath } from "./commands.ts";

function check(name: string, script: string | string[], expected: Cause, given: Partial<CommandSpec> = {}): void {
  test(name, async () => {
    const ended = await run(script, given);
    expect(ended.cause).toEqual(expected);
  });
}

check("success", "true", { type: "exited", code: 0 });
check("an exit code", "exit 7", { type: "exited", code: 7 });
check("the last exit code", "exit 255", { type: "exited", code: 255 });
check("death by a signal", "kill -KILL $$", { type: "signalled", signal: "SIGKILL" });
check("a program that dies by a signal inside a script is an exit of the shell", "sh -c 'kill -SEGV $$'; exit $?", {
  type: "exited",
  code: 139,
});
check("pipefail is on", "false | true", { type: "exited", code: 1 });
check("a program that is not on PATH", ["no-such-program-here"], {
  type: "not-found",
  program: "no-such-program-here",
});
check("a program at a path that is not there", ["/no/such/program"], {
  type: "not-found",
  program: "/no/such/program",
});
check(
  "PATH of the command counts, not ours",
  ["bash"],
  { type: "not-found", program: "bash" },
  { env: { PATH: "/nowhere" } },
);
check(
  "a folder that is not there",
  "true",
  { type: "not-started", reason: 'the working directory "/no/such/folder" does not exist' },
  { cwd: "/no/such/folder" },
);
check(
  "a folder that is a file",
  "true",
  { type: "not-started", reason: 'the working directory "/etc/passwd" is not a folder' },
  { cwd: "/etc/passwd" },
);
check(
  "an environment that is too large",
  "true",
  { type: "not-started", reason: "its arguments and environment are larger than the system allows" },
  { env: { PATH: "/bin", BIG: "x".repeat(140_000) } },
);
check("a time limit", "exec sleep 1000", { type: "timed-out", limit: "total", afterMs: 60 }, { timeoutMs: 60 });
check(
  "a time limit that meets a command which ends well when asked",
  'trap "exit 0" TERM; while :; do sleep 0.01; done',
  { type: "timed-out", limit: "total", afterMs: 80 },
  { timeoutMs: 80 },
);
check(
  "an idle limit",
  "echo once; exec sleep 1000",
  { type: "timed-out", limit: "idle", afterMs: 80 },
  { idleTimeoutMs: 80, timeoutMs: 20_000 },
);
check(
  "an idle limit that output keeps away",
  "for n in 1 2 3 4 5 6; do echo $n; sleep 0.1; done",
  { type: "exited", code: 0 },
  { idleTimeoutMs: 3_000 },
);
check(
  "a time limit longer than timers can count",
  "true",
  { type: "exited", code: 0 },
  { timeoutMs: 3_650 * 86_400_000 },
);

test.each(["timeoutMs", "idleTimeoutMs"])(
  "a process that stood still takes no end in time for a late one: %s",
  async (limit) => {
    const limitMs = 5_000;
    const endsMs = performance.now() + limitMs;
    const command = start("mkfifo $STEM.go; echo ready; read -r line < $STEM.go", { [limit]: limitMs });
    await command.printed("ready");
    // From here on none of Curlew's code runs, as after SIGSTOP: the command ends, and then its limit passes.
    writeFileSync(`${command.spec.env.STEM}.go`, "go\n");
    const still = new Int32Array(new SharedArrayBuffer(4));
    while (lives(command.pid!) || performance.now() < endsMs + 100) Atomics.wait(still, 0, 0, 10);
    expect((await command.ended()).cause).toEqual({ type: "exited", code: 0 });
  },
);

test("a file that may not be executed leads to an error that says so", async () => {
  const file = tempFile("#!/bin/sh\n");
  chmodSync(file, 0o644);
  const { cause } = await run([file]);
  expect(cause).toEqual({ type: "not-started", reason: `${JSON.stringify(file)} may not be executed` });
});

test("an output limit keeps exactly so many bytes and ends the flood", async () => {
  const ended = await run("yes", { outputBytesMax: 1_000_001 });
  expect(ended.cause).toEqual({ type: "output-limit", bytes: 1_000_001 });
  expect(ended.stdoutBytes).toBe(1_000_001);
  expect(ended.stdout).toBe(`${"y\n".repeat(500_000)}y`);
});

test("an output limit counts both streams, even when the command has already exited", async () => {
  const ended = await run("printf 123456; printf abcdef >&2", { outputBytesMax: 8 });
  expect(ended.cause).toEqual({ type: "output-limit", bytes: 8 });
  expect(ended.stdoutBytes + ended.stderrBytes).toBe(8);
});

test("output that fits the limit exactly is allowed", async () => {
  const ended = await run("printf 12345678", { outputBytesMax: 8 });
  expect(ended).toMatchObject({ cause: { type: "exited", code: 0 }, stdoutBytes: 8 });
});

test("output that cannot be stored ends the command and says why", async () => {
  const ended = await run("yes", { stdoutFile: tempPath("missing/1.out") });
  expect(ended.cause).toMatchObject({ type: "output-failed", reason: expect.stringContaining("ENOENT") });
});

test("a full disk ends the command and says why", async () => {
  const ended = await run("yes", { stdoutFile: "/dev/full" });
  expect(ended.cause).toMatchObject({ type: "output-failed", reason: expect.stringContaining("ENOSPC") });
});

test("a cancelled command is reported as cancelled, even if it then fails", async () => {
  const command = start('trap "exit 0" TERM; echo ready; while :; do sleep 0.01; done');
  await command.printed("ready");
  command.cancel("fail-fast");
  expect((await command.ended()).cause).toEqual({ type: "cancelled", reason: "fail-fast" });
});

test("the first request to end a command is the reported cause", async () => {
  const command = start("echo ready; exec sleep 1000", { timeoutMs: 30_000 });
  await command.printed("ready");
  command.cancel("first");
  command.cancel("second");
  command.kill();
  expect((await command.ended()).cause).toEqual({ type: "cancelled", reason: "first" });
});

test("cancelling after the end changes nothing", async () => {
  const command = start("exit 3");
  await command.done;
  command.cancel();
  command.kill();
  expect((await command.ended()).cause).toEqual({ type: "exited", code: 3 });
});

test("stopAll ends all commands, and the runner can be used again", async () => {
  const commands = [
    start("echo ready; exec sleep 1000"),
    start('trap "" TERM; echo ready; while :; do sleep 0.01; done'),
  ];
  await Promise.all(commands.map((command) => command.printed("ready")));
  await runner.stopAll();
  for (const command of commands)
    expect((await command.ended()).cause).toEqual({ type: "cancelled", reason: "killed" });
  expect((await run("echo again")).stdout).toBe("again\n");
});
