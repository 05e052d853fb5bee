// How near is Curlew to the cost of the work itself? `npm run bench`; `node bench/run.ts [--quick | --long] [--others=FOLDER] [ROW…]`
//   Prints the table of spec 5.4. Every row runs the whole program, cold, with the journal on disk and default durability, in turn with
//   its control: A B A B …, so that a busy moment of the machine meets both.
//   B1. What is compared with the reach is the least of each side: what is above it is the machine's doing. The median of the pairs' ratios
//       stands beside it; where the two are far apart, the machine was busy and the figure is worth little.
//   B2. A row that is not reached says MISS and where that is written down. A part of the product that is not there yet is a row too.
//   Ratios travel between machines, times do not. Not measured: several runs at once on one home, a full disk, Windows, macOS.
//   --quick: small counts, one round, for finding out whether everything still runs. --long: 1,000,000 passes and 20,000 attempts.
// --others=FOLDER: where just and Node-RED are installed (table/others.ts), if they are to be measured beside it.
// bench/events.ts and bench/web.ts are programs that run separately.

import { cpus, loadavg } from "node:os";
import { commands } from "./table/commands.ts";
import { cleanUp, mode, say } from "./table/measure.ts";
import { nodes } from "./table/nodes.ts";
import { others } from "./table/others.ts";
import { output } from "./table/output.ts";
import { serving } from "./table/serve.ts";
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
    ...serving,
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
  if (wanted.length === 0)
    console.log("–     event to subscriber (SSE, 100 clients): a program of its own, bench/events.ts");
} finally {
  cleanUp();
}
console.log(`\n${missed} missed, ${((performance.now() - started) / 1000).toFixed(0)} s`);
