// machine: one machine of a cluster, as a process.
//   node machine.ts URL HOME NAME LEASE_MS PATIENCE_MS SLOTS LABELS [LOOK_MS]
// It says "ready", "taken RUN", "end RUN STATUS", "fenced". SIGTERM: it leaves its commands to its runner.

import { limits } from "../../src/base/limits.ts";
import { ok } from "../../src/base/result.ts";
import { openClusterEngine } from "../../src/engine/cluster/index.ts";

const [url = "", home = "", name = "", leaseMs = "", patienceMs = "", slots = "4", labels = "", lookMs] =
  process.argv.slice(2);
if (lookMs !== undefined) Object.assign(limits, { queueLookMs: Number(lookMs), labelQueueLookMs: Number(lookMs) });
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const opened = await openClusterEngine({
  ...{ url, home, env: process.env, key: Buffer.alloc(32, 7), auditKey: () => ok(Buffer.alloc(32, 8)) },
  machine: {
    name,
    labels: labels === "" ? [] : labels.split(","),
    slots: Number(slots),
    leaseMs: Number(leaseMs),
    version: "0",
  },
  ...{ takes: true, patienceMs: Number(patienceMs) },
  onTaken: ({ id, done }) => {
    say(`taken ${id}`);
    done.then(
      ({ status }) => say(`end ${id} ${status}`),
      (reason) => say(`stopped ${id} ${reason.code}`),
    );
  },
  onFenced: () => {
    say("fenced");
    void engine?.close().then(() => process.exit());
  },
  onWarning: ({ code, message }) => say(`warning ${code} ${message}`),
});
const engine = opened.ok ? opened.value : undefined;
if (!opened.ok) {
  say(`refused ${opened.error.code}`);
  process.exit(1);
}
process.on("SIGTERM", () => void engine?.leaveFor(60_000).then(() => process.exit()));
say("ready");
