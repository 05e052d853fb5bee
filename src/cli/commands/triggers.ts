// triggers: lists the triggers of the running server, and why one starts nothing (spec 2.5).
//   T1. Triggers exist only in a running server. Without one the command reports an error.

import type { Page, TriggerItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { oneLine } from "../../base/text.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refuse, refused } from "../open.ts";
import { callServer, serverOf } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";
import { localTime } from "../text.ts";

export async function list(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  const server = await serverOf(homeOf(options, terminal));
  if (server === undefined)
    return refuse(
      terminal,
      "no-server",
      "Triggers start runs while a server runs, and none is running for this data directory.",
      'Start one with "curlew serve".',
    );
  const found = await callServer<Page<TriggerItem>>(server, "GET", "/triggers");
  if ("problem" in found) return refused(found.problem, terminal);
  const { items } = found.body;
  if (options.json) terminal.json(found.body, true);
  else if (items.length === 0) terminal.err("No workflow of the served folder has a trigger.\n");
  else for (const item of items) terminal.out(block(item, terminal));
  return Exit.OK;
}

function block(item: TriggerItem, terminal: Terminal): string {
  const { id, title, workflow, paused, problem: trouble, next = [], last } = item;
  const { outStyle: style } = terminal;
  const state = paused
    ? style("warning", "paused")
    : trouble === undefined
      ? "active"
      : style("failed", "stands still");
  const isActive = !paused && trouble === undefined;
  const lines = [
    oneLine(title),
    ...(isActive && next.length > 0 ? [`next ${next.slice(0, 3).map(localTime).join(", ")}`] : []),
    ...(last === undefined ? [] : [lastOf(last)]),
    ...(trouble === undefined ? [] : [style("failed", oneLine(trouble))]),
  ];
  const head = `${style("strong", id)}  ${state}  ${oneLine(workflow)}`;
  return `${[head, ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}

function lastOf({ at, by, run, skipped }: NonNullable<TriggerItem["last"]>): string {
  const came = run === undefined ? skipped : `run ${shortRunId(run)}`;
  return oneLine([`last ${localTime(at)}`, by, came].filter((part) => part !== undefined).join(", "));
}
