// program-runs: the commands about runs and their history (spec 2.2). See program.ts.

import {
  ARRAY,
  add,
  addList,
  collect,
  type Deps,
  natural,
  ONE_OBJECT,
  positive,
  RUN,
  withPreapproval,
  withRunOptions,
} from "./program-parts.ts";
import type { CurlewCommand } from "./usage.ts";

export function addRunsCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const runs = add(program, deps, "runs", "List runs, inspect and control them.", [
    "curlew runs",
    "curlew runs show latest",
    "curlew runs logs latest fetch --tail 20",
    "curlew runs cancel 1m7y7kg400",
  ]);
  const load = () => import("./commands/runs.ts");
  addList(runs, deps, "List runs, newest first", ["curlew runs --limit 5", "curlew runs --status failed --json"])
    .option("--limit <n>", "Show at most this many", positive, 20)
    .option("--workflow <name>", "Show only runs of this workflow, by its name or file")
    .option("--status <status>", "Show only runs with this status")
    .option("--tests", "Include runs of single nodes")
    .option(...ARRAY)
    .action((_, options) => ends(load().then((it) => it.list(options, terminal))));
  add(runs, deps, "show", "Show a run with its nodes, attempts and result.", [
    "curlew runs show latest",
    "curlew runs show 1m7y --json | jq .result",
  ])
    .argument("<run>", RUN)
    .option(...ONE_OBJECT)
    .action((run, options) => ends(load().then((it) => it.show(run, options, terminal))));
  add(runs, deps, "logs", "Print the output of a run's commands.", [
    "curlew runs logs latest",
    "curlew runs logs latest fetch",
    "curlew runs logs latest 'fetch[2]' --tail 20",
    "curlew runs logs latest -f",
  ])
    .argument("<run>", RUN)
    .argument(
      "[node]",
      "A node, or one iteration of it such as `fetch[2]`; its stdout then goes to stdout, its stderr to stderr",
    )
    .option("-f", "Follow the output until the run has ended")
    .option("--tail <n>", "Print only the last lines of each output", natural)
    .option("--attempt <n>", "Print only the attempt with this number, from 1", natural)
    .action((run, node, options) =>
      ends(import("./commands/logs.ts").then((it) => it.logs(run, node, options, terminal))),
    );
  add(runs, deps, "cancel", "Cancel a run in an orderly way.", ["curlew runs cancel latest"])
    .argument("<run>", RUN)
    .action((run, options) => ends(load().then((it) => it.cancel(run, options, terminal))));
  addContinueCommands(runs, deps);
  add(runs, deps, "rm", "Remove runs and their output for good.", [
    "curlew runs rm 1m7y7kg400",
    "curlew runs rm --older-than 30d --dry-run",
    "curlew runs rm --keep 1000",
    "curlew runs rm --status failed --older-than 7d",
  ])
    .argument("[runs...]", RUN)
    .option("--older-than <time>", "Remove runs that ended longer ago than this, such as 30d")
    .option("--keep <n>", "Remove all but the newest runs that have ended", natural)
    .option("--status <status>", "Remove only runs with this status")
    .option("--dry-run", "Show the runs without removing them")
    .option(...ONE_OBJECT)
    .action((names, options) => ends(import("./commands/rm.ts").then((it) => it.rm(names, options, terminal))));
}

function addContinueCommands(runs: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const resume = add(
    runs,
    deps,
    "resume",
    "Resume a run that was interrupted or is waiting. Nodes that have succeeded are not run again.",
    ["curlew runs resume latest"],
  ).argument("<run>", RUN);
  withRunOptions(resume as CurlewCommand).action((run, options) =>
    ends(import("./commands/run.ts").then((it) => it.resume(run, options, terminal))),
  );
  const retry = add(runs, deps, "retry", "Run the unsuccessful nodes of an ended run again, and keep the others.", [
    "curlew runs retry latest",
    "curlew runs retry latest --from fetch",
    "curlew runs retry latest --from 'fetch[2]' --current",
  ])
    .argument("<run>", RUN)
    .option(
      "--from <node>",
      "Run this node and all after it again: fetch, 'fetch[2]', 'pages[2]' (an iteration), sub/gate",
    )
    .option(
      "--rerun <node>",
      "Run this node again for its value, and keep the successful nodes after it; repeat for more",
      collect,
    )
    .option("--all", "Run everything again and keep nothing")
    .option("--current", "Run the current file instead of the recorded one");
  withRunOptions(withPreapproval(retry as CurlewCommand)).action((run, options) =>
    ends(import("./commands/retry.ts").then((it) => it.retry(run, options, terminal))),
  );
}
