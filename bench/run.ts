// How near is Curlew to the cost of the work itself? `npm run bench`; `node bench/run.ts [--quick]
// [--others=FOLDER] [ROW…]`
// Prints the table of spec 5.4. Every row runs the whole program, cold, with the journal on disk and default
// durability, in turn with its control: A B A B …, so that a busy moment of the machine affects both.
//   B1. A target is compared with the minimum of each side: anything above it is due to the machine. The median of the
//       pairs' ratios is beside it. If the two are far apart, the machine was busy and the figure is worth little.
//   B2. A row that misses its target says MISS and where that is explained. A missing part of the product is a row too.
// Ratios can be compared between machines, times cannot. Not measured: several runs at once in one data directory, a
// full disk, Windows, macOS.
// `--quick` uses small counts and one round, to see whether everything still runs. `--others=FOLDER` says where just and
// Node-RED are installed (table/others.ts).
// bench/web.ts is a separate program.

import { cpus, loadavg } from "node:os";
import { cluster } from "./table/cluster.ts";
import { clusterRuns } from "./table/cluster-runs.ts";
import { commands } from "./table/commands.ts";
import { cleanUp, mode, say } from "./table/measure.ts";
import { nodes } from "./table/nodes.ts";
import { others } from "./table/others.ts";
import { output } from "./table/output.ts";
import { start } from "./table/start.ts";
import { store } from "./table/store.ts";

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const started = performance.now();
console.log(
  `Node.js ${process.version}, ${process.platform}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${loadavg()[0]?.toFixed(1)}, ${mode}\n`,
);
let missed = 0;
try {
  for (const [name, question] of Object.entries({
    ...start,
    ...commands,
    ...nodes,
    ...output,
    ...store,
    ...cluster,
    ...clusterRuns,
    ...others,
  })) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      for (const row of await question()) missed += say(row);
    } catch (reason) {
      missed += say({
        what: name,
        figure: `could not be measured: ${reason}`.slice(0, 300),
        reach: "",
        reached: false,
      });
    }
  }
} finally {
  cleanUp();
}
console.log(`\n${missed} missed, ${((performance.now() - started) / 1000).toFixed(0)} s`);
