// The runner process runs out of a resource (prlimit of that process alone, while a command runs). A command that it
// cannot start or store fails with a message, nothing runs twice, no process is left, and the data directory stays
// valid (spec 3.2, 4.4).

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, inARow, made, runnersOf } from "../cli/curlew.ts";
import { livingIn } from "../contract/faults.ts";

const HELD = "echo a >> ran; touch began; until test -e go; do sleep 0.02; done; echo one";
const LATER = { b: "cat; echo b >> ran; head -c 100000 /dev/zero", c: "echo c >> ran; wc -c" };

/** A limit of the runner, and the expected message. */
const LIMITS: [what: string, limit: string, says: string][] = [
  ["no more files", "--nofile=1", "EMFILE: too many open files"],
  ["no more bytes in a file", "--fsize=1000", "EFBIG: file too large"],
];

if (process.platform === "linux")
  for (const [what, limit, says] of LIMITS)
    test(`${what} for the runner`, { timeout: 120_000 }, async () => {
      const it = folder({ "k.flow.yaml": inARow({ a: HELD, ...LATER }) });
      const run = it.start("run k.flow.yaml");
      await made(join(it.path, "began"));
      const [runner = 0] = runnersOf(it.home);
      execFileSync("prlimit", ["--pid", String(runner), limit]);
      it.write("go", "");
      const ran = await run.done;
      expect(ran.code, ran.stderr).toBe(1);
      expect(ran.stderr).toContain("error[output-failed]");
      expect(ran.stderr).toContain(says);
      expect(ran.stderr).not.toMatch(/internal|\n\s+at /);
      const effects = it.read("ran").trim().split("\n");
      expect(effects).toEqual(["a", "b", "c"].slice(0, effects.length));
      await expect.poll(() => livingIn(it), { timeout: 10_000 }).toEqual([]);
      expect(await it.run("doctor --store")).toMatchObject({ code: 0 });
    });
