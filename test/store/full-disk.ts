// full-disk: `node full-disk.ts FOLDER STEP COUNT`, where FOLDER is a small separate disk. COUNT times it makes a data
// directory, fills the disk except for n × STEP bytes, and lets an engine run until there is no room. Then it makes
// room and resumes the run. It prints a JSON line for each.

import fs from "node:fs";
import path from "node:path";
import { openEngine } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/store.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";

const [disk, step, count] = process.argv.slice(2) as [string, string, string];
/** One line per command that ran, on another disk. */
const effects = `${disk}.effects`;
const FLOW = `curlew: 1
name: fills
nodes:
  - { id: small, type: cli, data: { title: Small, content: "echo small >> ${effects}; echo small" } }
  - { id: big, type: cli, data: { title: Big, content: "echo big >> ${effects}; seq 12000" } }
  - { id: text, type: text, data: { title: Text, content: "\${1} and more" } }
  - { id: keep, type: variable, data: { title: Keep, variableName: kept, secret: true, content: "secret \${1}" } }
  - { id: last, type: cli, data: { title: Last, content: "echo last >> ${effects}; wc -c", stdin: { source: parent-index } } }
edges: [ small -> big -> text -> last, small -> keep ]
`;
const file = path.join(disk, "fills.flow.yaml");
let unexpected: string[] = [];
process.on("uncaughtException", (reason) => unexpected.push(`uncaught: ${reason}`));
process.on("unhandledRejection", (reason) => unexpected.push(`unhandled: ${reason}`));

for (let n = 0; n < Number(count); n++) {
  unexpected = [];
  fs.writeFileSync(effects, "");
  const home = path.join(disk, `home-${n}`);
  const before = openStore(home);
  if (before.ok) before.value.close();
  const ballast = path.join(disk, "ballast");
  fill(ballast, n * Number(step));
  const told = new Map<string, unknown[]>();
  const first = await work(home, told, (engine) =>
    engine.start({
      file,
      text: FLOW,
      workflow: parseWorkflow(FLOW, file).workflow!,
      subflows: {},
      inputs: {},
      trigger: { kind: "cli" },
    }),
  );
  fs.rmSync(ballast);
  const after = await afterwards(home, told);
  const ran = fs.readFileSync(effects, "utf8").split("\n").slice(0, -1);
  console.log(JSON.stringify({ n, first, ...after, ran, unexpected }));
  fs.rmSync(home, { recursive: true });
}
fs.rmSync(effects);

type Engine = Extract<Awaited<ReturnType<typeof openEngine>>, { ok: true }>["value"];

/** The run's final status, or the code of the error that prevented it. */
async function work(
  home: string,
  told: Map<string, unknown[]>,
  begin: (engine: Engine) => ReturnType<Engine["start"]>,
) {
  const engine = await openEngine({
    home,
    env: process.env,
    onEvent: (event) => told.set(event.run, [...(told.get(event.run) ?? []), event]),
  });
  if (!engine.ok) return engine.error.code;
  try {
    const begun = await begin(engine.value);
    if (!begun.ok) return begun.error.code;
    const outcome = await begun.value.done;
    return outcome.failure === undefined ? outcome.status : `${outcome.status} ${outcome.failure.failure.code}`;
  } catch (reason) {
    if ((reason as { code?: string }).code === "ENOSPC") console.error(reason);
    return `thrown ${(reason as { code?: string }).code ?? reason}`;
  } finally {
    await engine.value.close();
  }
}

async function afterwards(home: string, told: Map<string, unknown[]>) {
  const store = openStore(home);
  if (!store.ok) return { opening: store.error.code };
  const found = store.value.check();
  const { runs } = (store.value.journal.listRuns() as { value: { runs: { id: string; endedAt?: string }[] } }).value;
  // A reported event was acknowledged: it is on record, in its place.
  const lost = [...told].flatMap(([run, events]) => {
    const read = store.value.journal.read(run);
    const kept = JSON.stringify(read.ok ? read.value.slice(0, events.length) : read.error);
    return kept === JSON.stringify(events) ? [] : [run];
  });
  store.value.close();
  const open = runs.find((run) => run.endedAt === undefined);
  const resumed = open === undefined ? "none" : await work(home, new Map(), (engine) => engine.resume(open.id));
  return { found: found.ok ? found.value : found.error, lost, resumed };
}

/** Leaves so many bytes. */
function fill(ballast: string, leave: number): void {
  const fd = fs.openSync(ballast, "w");
  const block = Buffer.alloc(4_096);
  let size = 0;
  try {
    for (;;) size += fs.writeSync(fd, block);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "ENOSPC") throw reason;
  }
  fs.ftruncateSync(fd, Math.max(0, size - leave));
  fs.closeSync(fd);
}
