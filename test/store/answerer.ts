// answerer: a process that writes to a data directory's audit log. `node answerer.ts HOME RUN`. For each line on its
// standard input it records three grants and one secret, and prints `done`.

import fs from "node:fs";
import { createInterface } from "node:readline";
import { openStore } from "../../src/store/store.ts";
import { granted, must, newRun, owner } from "./fixture.ts";

const [home, number] = process.argv.slice(2) as [string, string];
const store = must(openStore(home));
const run = newRun(Number(number));
must(store.journal.createRun(run, { owner: owner(run.id) }));
let seq = 0;
for await (const _line of createInterface({ input: process.stdin })) {
  for (let n = 1; n <= 3; n++) must(store.journal.append(run.id, [granted(run.id, ++seq)]));
  must(store.audit.append({ type: "secret.set", name: `KEY_${number}`, door: "cli" }));
  fs.writeSync(1, "done\n");
}
store.close();
