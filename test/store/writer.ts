// writer: a process that writes to a store. `node writer.ts HOME RUN TOKEN COUNT` claims RUN (and creates it if needed)
// and appends COUNT events in batches of 1 to 5. It prints a line for each acknowledgement: `claimed`, then the last
// seq after every append, then `done`. A failure is `error CODE`.

import fs from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { at, dead, events } from "./fixture.ts";

const [home, run, token, count] = process.argv.slice(2) as [string, string, string, string];
const say = (line: string | number) => fs.writeSync(1, `${line}\n`);

function write(): string {
  const opened = openStore(home);
  if (!opened.ok) return `error ${opened.error.code}`;
  const { journal, close } = opened.value;
  const me = { pid: process.pid, startTime: "0", bootId: "test", token };
  const created = journal.createRun(
    { id: run, name: "shop", file: "/flows/shop.yaml", trigger: { kind: "cli" }, startedAt: at(0) },
    { owner: me },
  );
  const claimed = created.ok ? created : journal.claim(run, me, dead);
  if (!claimed.ok) return `error ${claimed.error.code}`;
  say("claimed");
  let last = claimed.value.lastSeq;
  const end = last + Number(count);
  while (last < end) {
    const appended = journal.append(run, events(run, last + 1, Math.min(end, last + 1 + (last % 5))));
    if (!appended.ok) return `error ${appended.error.code}`;
    last = appended.value;
    say(last);
  }
  close();
  return "done";
}

say(write());
