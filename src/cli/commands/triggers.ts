// triggers: lists, pauses and resumes the triggers of the running server (spec 2.2, 2.5).
//   T1. Triggers exist only in a running server. Without one the command reports an error.

import type { FileWatchItem, HookItem, ScheduleItem, Triggers } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { oneLine } from "../../base/text.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, refused } from "../open.ts";
import { problem } from "../problem.ts";
import { callServer, type FoundServer, serverFor } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";
import { localTime } from "../text.ts";

const WHY = "Triggers start runs while a server runs";
const HELP = 'Start one with "curlew serve".';

export async function list(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  const found = await all(options, terminal);
  if (found === undefined) return Exit.USAGE;
  const { schedules, hooks, files } = found.triggers;
  if (options.json) terminal.json(found.triggers, true);
  else if (schedules.length + hooks.length + files.length === 0)
    terminal.err("No workflow of the served folder has a trigger.\n");
  else
    for (const [item, what, more] of [
      ...schedules.map((item) => [item, ...schedule(item)] as const),
      ...hooks.map((item) => [item, ...hook(item)] as const),
      ...files.map((item) => [item, ...watch(item)] as const),
    ])
      terminal.out(block(item, what, more, terminal));
  return Exit.OK;
}

export async function pause(name: string, paused: boolean, options: HomeOption, terminal: Terminal): Promise<Exit> {
  const found = await all(options, terminal);
  if (found === undefined) return Exit.USAGE;
  const trigger = named(name, found.triggers, terminal);
  if (trigger === undefined) return Exit.USAGE;
  const done = await callServer(found.server, "POST", `/triggers/${trigger.id}/${paused ? "pause" : "resume"}`, {});
  if ("problem" in done) {
    return refused(done.problem, terminal);
  }
  const then = paused ? "is paused, and starts nothing until it is resumed" : "is active again";
  terminal.err(`${trigger.id} of ${oneLine(trigger.workflow)} ${then}.\n`);
  return Exit.OK;
}

type Item = ScheduleItem | HookItem | FileWatchItem;

async function all(
  options: HomeOption,
  terminal: Terminal,
): Promise<{ server: FoundServer; triggers: Triggers } | undefined> {
  const server = await serverFor(WHY, HELP, options, terminal);
  if (server === undefined) return undefined;
  const answer = await callServer<Triggers>(server, "GET", "/triggers");
  if ("body" in answer) return { server, triggers: answer.body };
  terminal.problem(answer.problem);
  return undefined;
}

/** A trigger by id, id prefix or webhook path, or undefined after a message on stderr. */
function named(name: string, { schedules, hooks, files }: Triggers, terminal: Terminal): Item | undefined {
  const items: Item[] = [...schedules, ...hooks, ...files];
  const exact = items.find(({ id }) => id === name) ?? hooks.find(({ path }) => path === name);
  const begin = items.filter(({ id }) => id.startsWith(name));
  if (exact !== undefined || begin.length === 1) return exact ?? begin[0];
  const names = [...items.map(({ id }) => id), ...hooks.map(({ path }) => path)];
  terminal.problem(
    begin.length === 0
      ? problem(
          "unknown-trigger",
          `There is no trigger "${name}".${didYouMean(name, names)}`,
          '"curlew triggers" lists them.',
        )
      : problem(
          "ambiguous-trigger",
          `"${name}" is the beginning of ${begin.length} triggers: ${begin.map(({ id }) => id).join(", ")}.`,
          "Give more of it.",
        ),
  );
  return undefined;
}

/** The heading of a trigger, and the lines below it. */
type Shown = [what: string, more: string[]];

function schedule({ cron, timezone, next, last, paused, problem: trouble, catchUp, overlap }: ScheduleItem): Shown {
  const stands = paused || trouble !== undefined;
  const times = stands ? [] : [`next ${next.slice(0, 3).map(localTime).join(", ")}`];
  return [`schedule ${cron}, ${timezone} (catchUp ${catchUp}, overlap ${overlap})`, [...times, ...lastOf(last)]];
}

function hook({ url, verify, secret, lastAt }: HookItem): Shown {
  const checked = verify === "none" ? "verify none" : `verify ${verify}, secret ${secret ?? "missing"}`;
  return [`webhook ${url} (${checked})`, lastAt === undefined ? [] : [`last delivery ${localTime(lastAt)}`]];
}

function watch({ paths, on, last }: FileWatchItem): Shown {
  return [`file ${paths.join(", ")} (${on.join(", ")})`, lastOf(last)];
}

function lastOf(last: { at: string; file?: string; run?: string; skipped?: string } | undefined): string[] {
  if (last === undefined) return [];
  const { at, file, run, skipped } = last;
  const came = run === undefined ? skipped : `run ${shortRunId(run)}`;
  return [[`last ${localTime(at)}`, file, came].filter((part) => part !== undefined).join(", ")];
}

function block({ id, workflow, paused, problem: trouble }: Item, what: string, more: string[], terminal: Terminal) {
  const { outStyle: style } = terminal;
  const state = paused
    ? style("warning", "paused")
    : trouble === undefined
      ? "active"
      : style("failed", "stands still");
  const lines = [...more, ...(trouble === undefined ? [] : [style("failed", oneLine(trouble))])];
  const head = `${style("strong", id)}  ${state}  ${oneLine(workflow)}`;
  return `${[head, `  ${oneLine(what)}`, ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}
