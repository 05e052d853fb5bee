// leased: an engine with two commands and a deadline. `1` is repeated when it is lost, `2` is not.
//   node leased.ts FOLDER RUN MILLISECONDS

import { join } from "node:path";
import { RunnerClient } from "../../src/process/runner/client.ts";
import { sinceBootMs } from "../../src/process/runner/deadline.ts";
import type { Order } from "../../src/process/runner/orders.ts";
import { createMasker } from "../../src/secrets/masker.ts";

const [home = "", run = "", left = ""] = process.argv.slice(2);
const folder = join(home, "runs", run);
const client = new RunnerClient(home, true);
/** It says each 10 ms that it lives, with the time. */
const lives = (stem: string): string =>
  `until test -e go-${stem}; do date +%s%N >> alive-${stem}; sleep 0.01; done; echo done >> alive-${stem}`;
const order = (stem: string, script: string, repeats: boolean): Order => ({
  ...{ run, stem, folder, argv: ["sh", "-c", script], env: { PATH: process.env.PATH ?? "" }, cwd: folder },
  ...{ stdin: { kind: "none" }, killGraceMs: 10_000, outputBytesMax: 1_000_000, removeAfter: [] },
  ...(repeats ? { repeats: true } : {}),
  about: { interpreter: "sh", httpsOnly: false },
});
const by = client.name();
client.deadline(sinceBootMs() + Number(left));
const untilMs = Date.now() + Number(left);
const kept = ["1", "2"].map((stem) => client.start(by, order(stem, lives(stem), stem === "1"), createMasker()));
process.stdout.write(`${untilMs}\n`);
// A deadline that has passed: nothing starts. A new one: it starts again.
const first = await kept[0]?.done;
const late = await client.start(client.name(), order("3", "echo late >> late", false), createMasker()).done;
client.deadline(sinceBootMs() + 60_000);
const next = await client.start(client.name(), order("4", "exit 0", false), createMasker()).done;
process.stdout.write(`${JSON.stringify({ first, late, next })}\n`, () => process.exit());
