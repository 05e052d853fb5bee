// An engine that dies after each of its events: what continues its run repeats no command and loses none (spec 3.4).

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, folder, inARow, runnersOf } from "../cli/curlew.ts";

test("killed after each event: every command runs once, in order, and none is lost", { timeout: 300_000 }, async () => {
  const file = inARow({ a: "echo a >> ran", b: "cat >> ran; echo b >> ran", c: "echo c >> ran; echo done" });
  for (let at = 1; at <= 6; at++) {
    const it = folder({ "e.flow.yaml": file });
    expect(await diesAt(it, at, [])).toBe("SIGKILL");
    const [id = ""] = readdirSync(join(it.home, "runs"));
    expect([at, await diesAt(it, 0, [id])]).toEqual([at, "succeeded"]);
    expect([at, it.read("ran")]).toEqual([at, "a\nb\nc\n"]);
    const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
    for (const node of nodes) expect(node.attempts).toMatchObject([{ number: 1, status: "succeeded" }]);
    while (runnersOf(it.home).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
});

function diesAt(it: Folder, events: number, run: string[]): Promise<string> {
  const program = join(import.meta.dirname, "dies-at.ts");
  const child = spawn(process.execPath, [program, it.home, join(it.path, "e.flow.yaml"), String(events), ...run], {
    cwd: it.path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return new Promise((resolve) => child.on("close", (_code, signal) => resolve(signal ?? said.trim())));
}
