// program-triggers: the commands about triggers and the inbox of webhooks (spec 2.2, 2.5). See program.ts.

import { type Add, type Ends, examples, HOME, positive } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import { type CurlewCommand, UsageError } from "./usage.ts";

const TRIGGER = "a trigger's id, the beginning of one, or the path of a hook";
const DELIVERY = "a delivery's id, the beginning of one, or `latest`";

export function addTriggersCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/triggers.ts");
  const triggers = add(program, "triggers", "List and control what starts runs by itself, in the running server.", [
    "curlew triggers",
    "curlew triggers pause github",
    "curlew triggers deliveries",
    "curlew triggers replay latest",
  ]);
  const list = triggers
    .command("list", { isDefault: true })
    .description("List schedules, webhooks and file watches (also: plain `curlew triggers`)")
    .argument("[words...]")
    .option("--json", "print one JSON object: schedules, hooks, files")
    .option(...HOME) as CurlewCommand;
  list
    .usage("[options]")
    .addHelpText("after", () => examples(terminal, ["curlew triggers", "curlew triggers --json | jq .hooks"]));
  // Commander passes every unknown word after `triggers` to `list`.
  list.action((words: string[], options) => {
    const known = triggers
      .createHelp()
      .visibleCommands(triggers)
      .map((command) => command.name());
    if (words.length > 0) throw new UsageError(triggers.unknownCommandProblem(words[0]!, known));
    return ends(load().then((it) => it.list(options, terminal)));
  });
  add(triggers, "pause", "Let a trigger start nothing until it is resumed, across restarts.", [
    "curlew triggers pause github",
    "curlew triggers pause schedule-1f3a",
  ])
    .argument("<trigger>", TRIGGER)
    .option(...HOME)
    .action((name, options) => ends(load().then((it) => it.pause(name, true, options, terminal))));
  add(triggers, "resume", "Let a paused trigger go on, from now.", ["curlew triggers resume github"])
    .argument("<trigger>", TRIGGER)
    .option(...HOME)
    .action((name, options) => ends(load().then((it) => it.pause(name, false, options, terminal))));
  addInbox(triggers, terminal, ends, add);
}

function addInbox(triggers: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/triggers.ts");
  add(triggers, "deliveries", "List what came to the webhooks, newest first.", [
    "curlew triggers deliveries",
    "curlew triggers deliveries --hook github --limit 5",
    "curlew triggers deliveries --json | jq '.[].status'",
  ])
    .option("--hook <path>", "only of this hook")
    .option("--limit <n>", "how many at most", positive, 20)
    .option("--json", "print a JSON array")
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.deliveries(options, terminal))));
  add(triggers, "show", "Show a delivery: what became of it, its headers and its body.", [
    "curlew triggers show latest",
    "curlew triggers show latest --json | jq -r .body",
  ])
    .argument("<delivery>", DELIVERY)
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((id, options) => ends(load().then((it) => it.show(id, options, terminal))));
  add(triggers, "replay", "Start a run from a stored delivery. Prints the run's id.", [
    "curlew triggers replay latest",
    "curlew triggers replay 1m7y7kg400 --workflow other.flow.yaml",
  ])
    .argument("<delivery>", DELIVERY)
    .option("--workflow <file>", "start this workflow instead of the one that it came for")
    .option("--json", "print one JSON object")
    .option("--quiet", "print the id and nothing else")
    .option(...HOME)
    .action((id, options) => ends(load().then((it) => it.replay(id, options, terminal))));
}
