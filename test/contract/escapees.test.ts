// Commands that refuse to end after Ctrl-C. In a sandbox every process ends, whatever it tries (spec 3.2, 4.4). See
// docs/explanation/processes.md. test/process/tree tries more of them without a sandbox.

import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, inARow } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { livingIn } from "./faults.ts";

/** STAY writes to `up` and stays. */
const ESCAPEES: Record<string, string> = {
  "a child": "STAY &",
  "a daemon": "(setsid STAY </dev/null >/dev/null 2>&1 &)",
  "deaf to all but SIGKILL": "trap '' TERM INT HUP QUIT; STAY &",
  "standing still": "STAY & until [ -s up ]; do sleep 0.02; done; kill -STOP $!",
  "forking on and on": "bash hop.sh 400 &",
  "a daemon without an environment": "(env -i setsid STAY </dev/null >/dev/null 2>&1 &)",
};

const STAY = 'echo up >> "$(dirname "$0")/up"\nwhile :; do sleep 0.05; done\n';
/** Each generation starts the next and ends, so that none is there to be counted. Bounded. */
const HOP = '[ "$1" -le 0 ] && exit\n[ "$1" = 390 ] && echo up >> up\nsleep 0.02\nbash hop.sh $(($1 - 1)) &\n';

if (has("bwrap"))
  for (const [name, how] of Object.entries(ESCAPEES))
    test(`${name} is gone after Ctrl-C`, async () => {
      const it = folder({ "stay.sh": STAY, "hop.sh": HOP });
      const script = `${how.replaceAll("STAY", `bash ${join(it.path, "stay.sh")}`)}\nuntil [ -s up ]; do sleep 0.02; done; echo ready; wait; exec sleep 1000`;
      const text = inARow({ escapes: script }).replace(
        "title: Title",
        "sandbox: no-network, killGrace: 300ms, title: Title",
      );
      it.write("f.flow.yaml", text);
      const run = it.start("run f.flow.yaml --json");
      await run.says('"type":"attempt.started"', "stdout");
      while (!(await isUp(it.path))) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(livingIn(it).length).toBeGreaterThan(0);
      const from = performance.now();
      run.process.kill("SIGINT");
      const ran = await run.done;
      const ms = performance.now() - from;
      expect(ran.code, ran.stderr).toBe(130);
      expect(livingIn(it), `after ${Math.round(ms)} ms`).toEqual([]);
      // Curlew promises two seconds on a machine that is not busy. A minute would be a fault.
      expect(ms).toBeLessThan(process.env.CHECK_FULL === undefined ? 20_000 : 2_000);
    });

async function isUp(path: string): Promise<boolean> {
  const { existsSync, statSync } = await import("node:fs");
  return existsSync(join(path, "up")) && statSync(join(path, "up")).size > 0;
}
