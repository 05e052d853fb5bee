// deliveries: lists, shows and replays webhook deliveries of the running server (spec 2.2, 2.5).
//   D1. stdout gets the requested data: the list, a delivery, or the run id of a replay. Text from senders is made
//       harmless.

import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Delivery, DeliveryItem, Page, ServerInfo } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { bytes, harmless, oneLine } from "../../base/text.ts";
import { Exit } from "../exit.ts";
import { type Cell, printList } from "../list.ts";
import { type HomeOption, refused } from "../open.ts";
import { type Problem, problem } from "../problem.ts";
import { callServer, type FoundServer, pathServed, serverFor } from "../server-call.ts";
import type { Look } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import { localTime } from "../text.ts";

const WHY = "A running server has the inbox of webhooks";
const HELP = 'Start one with "curlew serve".';

type JsonOption = HomeOption & { json?: boolean };

export async function deliveries(
  options: JsonOption & { hook?: string; limit: number },
  terminal: Terminal,
): Promise<Exit> {
  const server = await serverFor(WHY, HELP, options, terminal);
  if (server === undefined) return Exit.USAGE;
  const found = await newest(server, options.limit, options.hook);
  if ("problem" in found) return refused(found.problem, terminal);
  printList(found.body, { json: options.json, empty: "There are no webhook deliveries.", row: cellsOf }, terminal);
  return Exit.OK;
}

export async function show(name: string, options: JsonOption, terminal: Terminal): Promise<Exit> {
  const found = await delivery(name, options, terminal);
  if (found === undefined) return Exit.USAGE;
  if (options.json) terminal.json(found.delivery, true);
  else terminal.out(text(found.delivery, terminal));
  return Exit.OK;
}

export async function replay(
  name: string,
  options: JsonOption & { workflow?: string; quiet?: boolean },
  terminal: Terminal,
): Promise<Exit> {
  const found = await delivery(name, options, terminal);
  if (found === undefined) return Exit.USAGE;
  const { server } = found;
  const workflow = await workflowFor(options.workflow, server, terminal);
  const body = workflow === undefined ? {} : { workflow };
  const done = await callServer<DeliveryItem>(server, "POST", `/deliveries/${found.delivery.id}/replay`, body);
  if ("problem" in done) return refused(done.problem, terminal);
  const { run = "" } = done.body;
  if (options.json) terminal.json(done.body, true);
  else terminal.out(`${run}\n`);
  if (!options.quiet) terminal.err(`The server runs it. Follow it: curlew runs logs ${shortRunId(run)} -f\n`);
  return Exit.OK;
}

async function newest(
  server: FoundServer,
  most: number,
  hook?: string,
): Promise<{ body: DeliveryItem[] } | { problem: Problem }> {
  const items: DeliveryItem[] = [];
  let next: string | undefined;
  do {
    const limit = String(Math.min(most - items.length, limits.deliveriesListedMax));
    const query = new URLSearchParams({ limit });
    if (hook !== undefined) query.set("hook", hook);
    if (next !== undefined) query.set("cursor", next);
    const page = await callServer<Page<DeliveryItem>>(server, "GET", `/deliveries?${query}`);
    if ("problem" in page) return page;
    items.push(...page.body.items);
    next = page.body.next;
  } while (next !== undefined && items.length < most);
  return { body: items };
}

/** The named delivery, or undefined after a message on stderr. */
async function delivery(
  name: string,
  options: HomeOption,
  terminal: Terminal,
): Promise<{ server: FoundServer; delivery: Delivery } | undefined> {
  const server = await serverFor(WHY, HELP, options, terminal);
  if (server === undefined) return undefined;
  const found = await newest(server, name === "latest" ? 1 : limits.deliveriesNamedMax);
  const fit = "problem" in found ? [] : found.body.filter(({ id }) => name === "latest" || id.startsWith(name));
  const id = fit.length === 1 ? fit[0]!.id : name;
  const answer =
    fit.length > 1
      ? {
          problem: problem(
            "ambiguous-delivery",
            `"${name}" is the beginning of ${fit.length} deliveries.`,
            "Give more of it.",
          ),
        }
      : await callServer<Delivery>(server, "GET", `/deliveries/${encodeURIComponent(id)}`);
  if ("body" in answer) return { server, delivery: answer.body };
  const isUnknown = answer.problem.code === "not-found";
  const unknown = problem(
    "unknown-delivery",
    `There is no delivery "${name}".`,
    '"curlew triggers deliveries" lists them.',
  );
  terminal.problem(isUnknown ? unknown : answer.problem);
  return undefined;
}

/** A file of the current folder, or a path in the served folder. */
async function workflowFor(name: string | undefined, server: FoundServer, terminal: Terminal) {
  const file = name === undefined ? undefined : resolve(terminal.cwd, name);
  if (file === undefined || !existsSync(file)) return name;
  const info = await callServer<ServerInfo>(server, "GET", "/server");
  return ("body" in info ? pathServed(realpathSync(file), info.body.folder) : undefined) ?? name;
}

const STATES: Record<DeliveryItem["status"], { text: string; look: Look }> = {
  received: { text: "received", look: "running" },
  started: { text: "started", look: "succeeded" },
  failed: { text: "no run", look: "failed" },
  refused: { text: "refused", look: "failed" },
  duplicate: { text: "known", look: "faint" },
  ping: { text: "ping", look: "faint" },
};

function cellsOf(item: DeliveryItem): Cell[] {
  const { id, receivedAt, hook, bytes: size, run, status, reason = "" } = item;
  const result = run === undefined ? oneLine(status === "duplicate" ? "" : reason) : `run ${shortRunId(run)}`;
  return [shortRunId(id), STATES[status], localTime(receivedAt), oneLine(hook), bytes(size), result];
}

function text(item: Delivery, terminal: Terminal): string {
  const { id, status, hook, workflow, deliveryId, reason, receivedAt, run, replayOf, headers, query, body } = item;
  const facts = { delivery: id, hook, workflow, came: localTime(receivedAt), called: deliveryId };
  const cameOf = { reason: status === "duplicate" ? undefined : reason, run, "replay of": replayOf };
  const told = Object.entries({ ...facts, ...cameOf }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(10)} ${oneLine(value)}`],
  );
  const asked = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [`?${name}`, one] as const),
  );
  const lines = [...Object.entries(headers), ...asked].map(([name, value]) => oneLine(`${name}: ${value}`));
  const kept = body ?? "Of refused, repeated and old deliveries no body is kept.";
  const { look, text: word } = STATES[status];
  return `${[`${"state".padEnd(10)} ${terminal.outStyle(look, word)}`, ...told, "", ...lines].join("\n")}\n\n${harmless(kept)}\n`;
}
