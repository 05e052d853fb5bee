// Nothing of a command is left behind: not by a normal end, a cancel, a time limit or a kill (spec 3.2, 4.4).

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { surelyGone } from "../../src/process/tree.ts";
import { appears, lives, run, start, tempFile, tempPath, zombiesOfOurs } from "./commands.ts";

/** Ways to hide a process; each prints its number into $HIDING and stays. IGNORE makes it deaf to SIGTERM. */
const HIDING = {
  "a child": "bash -c 'STAY' &",
  "a grandchild": "bash -c \"bash -c 'STAY' & wait\" &",
  "a child without a parent": "(bash -c 'STAY' &)",
  "a child under nohup": "nohup bash -c 'STAY' >/dev/null 2>&1 &",
  "a child in a session of its own": "setsid bash -c 'STAY' &",
  "a daemon: own session, no parent, nothing open": "(setsid bash -c 'STAY' </dev/null >/dev/null 2>&1 &)",
  "a pipeline": "bash -c 'STAY' | cat &",
  "a group of its own": "set -m; bash -c 'STAY' & set +m",
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
      test(`${called} ends when the command has ended by itself`, async () => {
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

test("a kill ends a tree that is deaf to everything else, at once", async () => {
  const { script, file } = hide(HIDING["a child in a session of its own"], true);
  const command = start(`trap "" TERM\n${script}\nwhile :; do sleep 0.02; done`, { killGraceMs: 60_000 });
  const hidden = Number(await appears(file));
  command.cancel();
  command.kill();
  const ended = await command.ended();
  expect(ended.cause).toEqual({ type: "cancelled", reason: "cancelled" });
  expect(lives(hidden)).toBe(false);
});

test("a command is given its grace to clean up, with its children", async () => {
  const command = start('trap "sleep 0.1; echo cleaned; exit" TERM; echo ready; while :; do sleep 0.01; done', {
    killGraceMs: 20_000,
  });
  await command.printed("ready");
  command.cancel();
  expect((await command.ended()).stdout).toBe("ready\ncleaned\n");
});

test("a background child that holds stdout does not hold up the end", async () => {
  const ended = await run("sleep 1000 & echo told");
  expect(ended).toMatchObject({ cause: { type: "exited", code: 0 }, stdout: "told\n" });
  expect(ended.durationMs).toBeLessThan(10_000);
});

test("what the shell does not wait for may still finish its sentence", async () => {
  const ended = await run("echo through > >(cat)");
  expect(ended.stdout).toBe("through\n");
});

test("another command that runs meanwhile is not touched", async () => {
  const other = start("mkfifo $STEM.go; echo ready; read -r line < $STEM.go; echo $line");
  await other.printed("ready");
  await run("(setsid sleep 1000 >/dev/null 2>&1 &)");
  expect(lives(other.pid!)).toBe(true);
  spawn("bash", ["-c", `echo untouched > ${other.spec.env.STEM}.go`]);
  expect((await other.ended()).stdout).toBe("ready\nuntouched\n");
});

test("where others start much meanwhile, a look at what is new still tells whether anything is left", () => {
  const endedNow = () => ({ pid: spawnSync("true").pid, tag: `busy-${process.pid}`, startedMs: performance.now() });
  // More than are looked at one by one.
  const others = () => spawnSync("bash", ["-c", "for i in {1..80}; do (:); done"]);
  const gone = endedNow();
  others();
  expect(surelyGone({ ...gone, startedMs: performance.now() }, new Set())).toBe(true);

  const left = endedNow();
  others();
  const escaped = spawn("sleep", ["1000"], { detached: true, stdio: "ignore", env: { CURLEW_ATTEMPT: left.tag } });
  onTestFinished(() => void escaped.kill("SIGKILL"));
  expect(surelyGone({ ...left, startedMs: performance.now() }, new Set())).toBe(false);
  expect(surelyGone({ ...left, startedMs: performance.now() }, new Set([escaped.pid!]))).toBe(true);
});

test("no zombie of ours is left", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => run(`exit ${n}`)));
  expect(zombiesOfOurs()).toEqual([]);
});

test("the end of this program takes its commands along", async () => {
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
