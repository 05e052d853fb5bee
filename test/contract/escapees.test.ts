// Ctrl-C against commands that do not want to end: in a sandbox nobody is left, whatever they try; without one, nobody but who has left the
// group, lost the parent and cleared the environment (spec 3.2, 4.4; docs/explanation/processes.md).

import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, inARow } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { livingIn } from "./faults.ts";

/** STAY prints its coming into `up` and stays. test/process/tree tries more of them, without the whole program. */
const ESCAPEES: Record<string, string> = {
  "a child": "STAY &",
  "a daemon": "(setsid STAY </dev/null >/dev/null 2>&1 &)",
  "deaf to all but SIGKILL": "trap '' TERM INT HUP QUIT; STAY &",
  "standing still": "STAY & until [ -s up ]; do sleep 0.02; done; kill -STOP $!",
  "forking on and on": "bash hop.sh 400 &",
  "a daemon without an environment": "(env -i setsid STAY </dev/null >/dev/null 2>&1 &)",
};
const ONLY_A_SANDBOX = new Set(["a daemon without an environment"]);

const STAY = 'echo up >> "$(dirname "$0")/up"\nwhile :; do sleep 0.05; done\n';
/** Each generation starts the next and ends: nobody stands still to be counted. Bounded. */
const HOP = '[ "$1" -le 0 ] && exit\n[ "$1" = 390 ] && echo up >> up\nsleep 0.02\nbash hop.sh $(($1 - 1)) &\n';

for (const sandbox of ["none", ...(has("bwrap") ? ["no-network"] : [])])
  for (const [name, how] of Object.entries(ESCAPEES))
    if (sandbox !== "none" || !ONLY_A_SANDBOX.has(name))
      test(`sandbox ${sandbox}: ${name} is gone after Ctrl-C`, async () => {
        const it = folder({ "stay.sh": STAY, "hop.sh": HOP });
        const script = `${how.replaceAll("STAY", `bash ${join(it.path, "stay.sh")}`)}\nuntil [ -s up ]; do sleep 0.02; done; echo ready; wait; exec sleep 1000`;
        const text = inARow({ escapes: script }).replace(
          "title: Title",
          `sandbox: ${sandbox}, killGrace: 300ms, title: Title`,
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
        // Two seconds are promised on a machine that has time; what a busy one takes is no figure, a minute would be a fault.
        expect(ms).toBeLessThan(process.env.CHECK_FULL === undefined ? 20_000 : 2_000);
      });

async function isUp(path: string): Promise<boolean> {
  const { existsSync, statSync } = await import("node:fs");
  return existsSync(join(path, "up")) && statSync(join(path, "up")).size > 0;
}
