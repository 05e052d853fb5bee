// How does the web feel? `node bench/web.ts [--quick | --long] [ROW…]`, needs Chromium: the table of the targets for the interface (docs/reference/performance.md).
//   A real server, a real headless browser without a graphics card. Times are the page's own: from an action to the second frame after
//   what was waited for stood in the document.
//   W1. What depends on the machine stands beside a control: the frames a second of an empty page, the same fetch without the page.
//   W2. Of tries that may meet a busy machine the best counts; what a step costs in work of the page stands beside frames.
//   What is not measured: a graphics card, touch, slow networks.

import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { canvas } from "./web/canvas.ts";
import { live } from "./web/live.ts";
import { quick, type Row, say } from "./web/row.ts";

const root = dirname(import.meta.dirname);
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));

console.log(
  `Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
let missed = 0;
const questions: Record<string, () => Promise<Row[]>> = {
  initial: async () => [initialScripts()],
  ...canvas,
  ...live,
};
for (const [name, question] of Object.entries(questions)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    for (const row of await question()) missed += say(row);
  } catch (reason) {
    missed += say({ what: name, figure: `could not be measured: ${reason}`.slice(0, 300), reach: "", reached: false });
  }
}
console.log(`\n${missed} missed${quick ? ", with small counts" : ""}`);

/** The module of the page and what it asks for at once. */
function initialScripts(): Row {
  const html = readFileSync(join(root, "dist/web/index.html"), "utf8");
  const assets = join(root, "dist/web/assets");
  const named = readdirSync(assets).filter((name) => name.endsWith(".js") && html.includes(name));
  const bytes = named.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);
  return {
    what: "scripts before the first screen, compressed",
    figure: `${(bytes / 1024).toFixed(0)} KB in ${named.length} files`,
    reach: "≤ 300 KB",
    reached: bytes <= 300 * 1024,
  };
}
