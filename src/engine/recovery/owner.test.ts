// A process that was killed, but whose parent has not noticed, no longer owns its runs.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { bootId, startTimeOf } from "../../process/identity.ts";
import { isAlive } from "./owner.ts";

test.runIf(process.platform === "linux")("a zombie is not alive", async () => {
  // The shell becomes `sed`, which prints the PID of its child and never asks how that has ended.
  const parent = spawn("sh", ["-c", 'sleep 600 & exec sed -u "s/^/$!/"']);
  onTestFinished(() => void parent.kill("SIGKILL"));
  parent.stdin.write("\n");
  const pid = Number(String(await new Promise((resolve) => parent.stdout.once("data", resolve))));
  const owner = { pid, startTime: startTimeOf(pid)!, bootId: bootId(), token: "one" };
  expect(isAlive(owner)).toBe(true);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "latin1")).toContain(") Z ");
  expect(isAlive(owner)).toBe(false);
});
