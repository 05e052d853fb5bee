// Nothing of a command stays behind after a normal end, a cancel, a time limit or a kill (spec 3.2, 4.4).

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { isTreeGone } from "../../src/process/tree.ts";
import { appears, lives, run, start, tempFile, tempPath, zombiesOfOurs } from "./commands.ts";

/** Ways to hide a process. Each writes its id to $HIDING and stays. IGNORE makes it ignore SIGTERM. */
const HIDING = {
  "a child": "bash -c 'STAY' &",
  "a grandchild": "bash -c \"bash -c 'STAY' & wait\" &",
  "a child without a parent": "(bash -c 'STAY' &)",
  "a child under nohup": "nohup bash -c 'STAY' >/dev/null 2>&1 &",
  "a child in its own session": "setsid bash -c 'STAY' &",
  "a daemon: own session, no parent, nothing open": "(setsid bash -c 'STAY' </dev/null >/dev/null 2>&1 &)",
  "a pipeline": "bash -c 'STAY' | cat &",
  "its own process group": "set -m; bash -c 'STAY' & set +m",
};

function hide(how: string, deaf: boolean): { script: string; file: string } {
  const file = tempPath("hidden");
  const body = tempFile(`${deaf ? 'trap "" TERM HUP\n' : ""}echo $$ > ${file}\nwhile :; do sleep 0.02; done\n`);
  return { script: how.replace("STAY", `exec bash ${body}`), file };
}

for (const [name, how] of Object.entries(HIDING)) {
  for (const deaf of [false, true]) {
    const called = `${name}${deaf ? ", deaf to SIGTERM," : ""}`;

    if (!deaf)
      test(`${called} ends when the command has ended`, async () => {
        const { script, file } = hide(how, deaf);
        const ended = await run(`${script}\nuntil [ -s ${file} ]; do sleep 0.01; done\necho done`);
        expect(ended).toMatchObject({ cause: { type: "exited", code: 0 }, stdout: "done\n" });
        expect(lives(Number(await appears(file)))).toBe(false);
      });

    test(`${called} ends with a cancelled command`, async () => {
      const { script, file } = hide(how, deaf);
      const command = start(`${script}\nwait; exec sleep 1000`);
      const hidden = Number(await appears(file));
      expect(lives(hidden)).toBe(true);
      command.cancel();
      expect((await command.ended()).cause.type).toBe("cancelled");
      expect(lives(hidden)).toBe(false);
    });
  }
}

test("a kill ends at once a tree that ignores everything else", async () => {
  const { script, file } = hide(HIDING["a child in its own session"], true);
  const command = start(`trap "" TERM\n${script}\nwhile :; do sleep 0.02; done`, { killGraceMs: 60_000 });
  const hidden = Number(await appears(file));
  command.cancel();
  command.kill();
  const ended = await command.ended();
  expect(ended.cause).toEqual({ type: "cancelled", reason: "cancelled" });
  expect(lives(hidden)).toBe(false);
});

test("a command gets its grace period to clean up, with its children", async () => {
  const command = start('trap "sleep 0.1; echo cleaned; exit" TERM; echo ready; while :; do sleep 0.01; done', {
    killGraceMs: 20_000,
  });
  await command.printed("ready");
  command.cancel();
  expect((await command.ended()).stdout).toBe("ready\ncleaned\n");
});

test("a background child that holds stdout does not delay the end", async () => {
  const ended = await run("sleep 1000 & echo told");
  expect(ended).toMatchObject({ cause: { type: "exited", code: 0 }, stdout: "told\n" });
  expect(ended.durationMs).toBeLessThan(10_000);
});

test("a process that the shell does not wait for may still finish its output", async () => {
  const ended = await run("echo through > >(cat)");
  expect(ended.stdout).toBe("through\n");
});

test("another command that runs at the same time is not touched", async () => {
  const other = start("mkfifo $STEM.go; echo ready; read -r line < $STEM.go; echo $line");
  await other.printed("ready");
  await run("(setsid sleep 1000 >/dev/null 2>&1 &)");
  expect(lives(other.pid!)).toBe(true);
  spawn("bash", ["-c", `echo untouched > ${other.spec.env.STEM}.go`]);
  expect((await other.ended()).stdout).toBe("ready\nuntouched\n");
});

test("while others start many processes, a look at the new ones still tells whether any is left", () => {
  const endedNow = () => ({ pid: spawnSync("true").pid, tag: `busy-${process.pid}`, startedMs: performance.now() });
  // More than are looked at one by one.
  const others = () => spawnSync("bash", ["-c", "for i in {1..80}; do (:); done"]);
  const gone = endedNow();
  others();
  expect(isTreeGone({ ...gone, startedMs: performance.now() }, new Set())).toBe(true);

  const left = endedNow();
  others();
  const escaped = spawn("sleep", ["1000"], { detached: true, stdio: "ignore", env: { CURLEW_TAG: left.tag } });
  onTestFinished(() => void escaped.kill("SIGKILL"));
  expect(isTreeGone({ ...left, startedMs: performance.now() }, new Set())).toBe(false);
  expect(isTreeGone({ ...left, startedMs: performance.now() }, new Set([escaped.pid!]))).toBe(true);
});

test("Curlew leaves no zombie", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => run(`exit ${n}`)));
  expect(zombiesOfOurs()).toEqual([]);
});

test("when this program ends, its commands end too", async () => {
  const file = tempPath("pid");
  const program = tempFile(
    `import { createRunner } from ${JSON.stringify(new URL("../../src/process/run.ts", import.meta.url).pathname)};
     import { existsSync, statSync } from "node:fs";
     const hidden = "(setsid bash -c 'echo $$ > ${file}; exec sleep 1000' &) ; exec sleep 1000";
     createRunner().run({ argv: ["bash", "-c", hidden], env: { PATH: process.env.PATH }, cwd: "/", stdin: { kind: "none" },
       stdoutFile: "${file}.out", stderrFile: "${file}.err", orderFile: "${file}.ord", killGraceMs: 60000, outputBytesMax: 1e9, runTag: "exiting.${process.pid}" });
     const look = () => existsSync("${file}") && statSync("${file}").size > 0 ? process.exit(0) : setTimeout(look, 5);
     look();`,
    ".mjs",
  );
  const ended = spawnSync(process.execPath, [program], { encoding: "utf8" });
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  const hidden = Number(await appears(file));
  while (lives(hidden)) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(existsSync(`${file}.out`)).toBe(false);
});
