// kinds/loop: the two ends of a loop. The nodes between them are a scope of the scheduler.

import * as z from "zod/mini";
import { limits } from "../../base/limits.ts";
import { type Check, NAME } from "../check/context.ts";
import { outOfRange } from "../diagnostics/document.ts";
import * as found from "../diagnostics/node.ts";
import { either, filled, flag, opt, whole } from "../schema/fields.ts";
import { title } from "../schema/shared.ts";
import type { Path } from "../source-map.ts";
import type { Kind } from "./kind.ts";

const countOr = (description: string) => either([z.number(), z.string()], "an integer or a template", description);

const startData = z.object({
  title,
  loopVariable: opt(filled("Name of the counter. Default i.")),
  iterations: opt(countOr("Number of iterations. A template.")),
  start: opt(countOr("First value of the counter. Default 1.")),
  items: opt(
    filled("List, or an expression or template that gives a JSON array or lines. The loop runs once per item."),
  ),
  as: opt(filled("Name of the current item. Needs items. Default item.")),
  while: opt(filled("Expression checked before each iteration. false ends the loop.")),
  maxIterations: opt(whole("More iterations fail the node. Default 10000.", 1)),
  maxConcurrency: opt(whole("Iterations at a time. Default 1.", 1, 10_000)),
});

const endData = z.object({
  title,
  until: opt(filled("Expression checked after each iteration. true ends the loop.")),
  collect: opt(flag("Gives the values of all iterations as a JSON array. Loops over items always do.")),
});

type StartData = z.infer<typeof startData>;

export const loopStart: Kind<typeof startData> = {
  name: "Loop",
  longName: "Loop start",
  sign: "╭",
  data: startData,
  effect: "loop",
  texts: { iterations: "template", start: "template", items: "either", while: "inside" },
  check: checkLoop,
  sources: ({ items }, from) => (items === undefined ? [] : [...from.template(items), ...from.expression(items)]),
  describe: describeLoop,
  show: (data, { fill, line }) => {
    const iterations = typeof data.iterations === "string" ? fill(data.iterations) : data.iterations;
    return { command: describeLoop({ ...data, iterations }, line) };
  },
};

export const loopEnd: Kind<typeof endData> = {
  name: "Loop end",
  data: endData,
  effect: "loop",
  texts: { until: "inside" },
  sources: (_data, { parents }) => parents,
  isJson: (_data, value) => value.startsWith("["),
  describe: ({ until }, line) => (until === undefined ? "" : `until ${line(until)}`),
  show: ({ until }) => (until === undefined ? {} : { command: `until ${until}` }),
};

function describeLoop(data: StartData, line: (text: string) => string): string {
  const together = (data.maxConcurrency ?? 1) > 1 ? `, ${data.maxConcurrency} at a time` : "";
  if (data.items !== undefined) return `each ${data.as ?? "item"} of ${line(data.items)}${together}`;
  if (data.while !== undefined) return `while ${line(data.while)}`;
  if (data.iterations === undefined) return "until its end says so";
  const passes =
    typeof data.iterations === "number" ? `${data.iterations} iterations` : `${line(data.iterations)} iterations`;
  return `${passes}${together}`;
}

function checkLoop(node: { id: string; data: StartData }, path: Path, check: Check): void {
  const { data } = node;
  const kinds = (["iterations", "items", "while"] as const).filter((field) => data[field] !== undefined);
  if (kinds.length > 1) check.report(found.loopWithTwoKinds(check.at([...path, kinds[1]!], "key"), node.id, kinds));
  if (kinds.length === 0 && !endHasUntil(node, check))
    check.report(found.loopWithoutKind(check.at([...path.slice(0, -1), "id"]), node.id));
  checkCount(data.iterations, "iterations", 0, path, check);
  checkCount(data.start, "start", Number.MIN_SAFE_INTEGER, path, check);
  const most = data.maxIterations ?? limits.maxIterationsDefault;
  if (typeof data.iterations === "number" && data.iterations > most)
    check.report(found.countAboveLimit(check.at([...path, "iterations"]), data.iterations, most));
  if (data.as !== undefined && data.items === undefined)
    check.report(found.loopFieldUnused(check.at([...path, "as"], "key"), "as", "items"));
  loopName(data.loopVariable, "loopVariable", path, check);
  loopName(data.as, "as", path, check);
  if (data.items !== undefined && (data.as ?? "item") === (data.loopVariable ?? "i"))
    check.report(
      found.sameLoopNames(check.at([...path, data.as === undefined ? "loopVariable" : "as"]), data.as ?? "item"),
    );
}

function endHasUntil(node: { id: string }, check: Check): boolean {
  const start = check.graph.indexOf.get(node.id);
  const end = start === undefined ? undefined : check.graph.loops.get(start)?.end;
  const endNode = end === undefined ? undefined : check.graph.nodes[end]?.node;
  // A loop without an end has its own finding.
  return endNode === undefined || (endNode.type === "loop-end" && endNode.data.until !== undefined);
}

function checkCount(value: number | string | undefined, field: string, least: number, path: Path, check: Check): void {
  if (value === undefined) return;
  const number = typeof value === "number" ? value : /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : undefined;
  if (number === undefined) {
    if (!String(value).includes("${")) check.report(found.badCount(check.at([...path, field]), field, value));
  } else if (!Number.isSafeInteger(number)) check.report(found.badCount(check.at([...path, field]), field, value));
  else if (number < least)
    check.report(outOfRange(check.at([...path, field]), `"${field}"`, `${least} or more`, value));
}

/** Names with another meaning in expressions (spec 1.4). */
const EXPRESSION_NAMES: ReadonlySet<string> = new Set([
  "inputs",
  "vars",
  "exitCode",
  "status",
  "headers",
  "run",
  "and",
  "or",
  "in",
  "true",
  "false",
  "null",
]);

function loopName(name: string | undefined, field: string, path: Path, check: Check): void {
  if (name === undefined) return;
  if (!NAME.test(name)) check.report(found.badName(check.at([...path, field]), `"${field}"`, name));
  else if (EXPRESSION_NAMES.has(name)) check.report(found.reservedName(check.at([...path, field]), `"${field}"`, name));
}
