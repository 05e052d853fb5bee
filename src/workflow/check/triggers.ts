// check/triggers: checks the entries of `on:` (spec 2.5). The server compares webhook paths across workflows.

import { cronProblem } from "../cron.ts";
import * as found from "../diagnostics/trigger.ts";
import { globProblem } from "../glob.ts";
import { kindOf } from "../kinds/index.ts";
import { variableName } from "../node-fields.ts";
import type { Path } from "../source-map.ts";
import { bringsEvent, EVENT } from "../triggers.ts";
import type { Check } from "./context.ts";

export function checkTriggers(check: Check): void {
  const hooks = new Map<string, number>();
  const schedules = new Set<string>();
  for (const [index, trigger] of (check.workflow.on ?? []).entries()) {
    const path: Path = ["on", index];
    const kinds = Object.keys(trigger).filter((key) => !key.startsWith("x-"));
    if (kinds.length !== 1) check.report(found.triggerKind(check.at(path), kinds));
    const { schedule, webhook, file } = trigger as Entry;
    if (schedule !== undefined) {
      checkSchedule(schedule, [...path, "schedule"], schedules, check);
      checkInputs("schedule", [], path, check);
    }
    if (webhook !== undefined) checkWebhook(webhook, [...path, "webhook"], hooks, check);
    if (file !== undefined) {
      checkWatch(file, [...path, "file"], check);
      checkInputs("file", ["path", "change"], path, check);
    }
  }
  checkEventName(check);
}

interface Entry {
  schedule?: { cron?: string; timezone?: string };
  webhook?: { path?: string; verify?: string; secret?: string; origins?: string[] };
  file?: { paths?: string[]; on?: string[] };
}

function checkSchedule(
  { cron, timezone }: NonNullable<Entry["schedule"]>,
  path: Path,
  before: Set<string>,
  check: Check,
): void {
  if (cron === undefined) return;
  const problem = cronProblem(cron);
  if (problem !== undefined)
    check.report(
      found.badCron(check.inside([...path, "cron"], cron, problem.start, problem.end), cron, problem.message),
    );
  if (timezone !== undefined && !isTimezone(timezone))
    check.report(found.unknownTimezone(check.at([...path, "timezone"]), timezone));
  const same = JSON.stringify([cron.trim().split(/\s+/), timezone]);
  if (before.has(same)) check.report(found.duplicateSchedule(check.at(path)));
  before.add(same);
}

function isTimezone(name: string): boolean {
  try {
    // Rejects offsets such as +01:00, which Intl accepts, because they ignore daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

const HOOK_PATH = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const HOOK_PATH_CHARS = 200;

function checkWebhook(
  webhook: NonNullable<Entry["webhook"]>,
  path: Path,
  hooks: Map<string, number>,
  check: Check,
): void {
  const { path: hook, verify, secret } = webhook;
  if (hook !== undefined) {
    const at = () => check.at([...path, "path"]);
    const before = hooks.get(hook);
    if (!HOOK_PATH.test(hook) || hook.length > HOOK_PATH_CHARS) check.report(found.badHookPath(at(), hook));
    else if (before !== undefined) check.report(found.duplicateHook(at(), hook, `by the webhook on line ${before}`));
    else hooks.set(hook, check.line([...path, "path"]));
  }
  if (verify === undefined) check.report(found.webhookWithoutVerify(check.at(path)));
  else if (verify === "none") {
    check.report(found.webhookUnverified(check.at([...path, "verify"])));
    if (secret !== undefined) check.report(found.webhookSecretUnused(check.at([...path, "secret"], "key")));
  } else if (secret === undefined) check.report(found.webhookWithoutSecret(check.at([...path, "verify"]), verify));
  for (const [index, origin] of (webhook.origins ?? []).entries())
    if (!isOrigin(origin)) check.report(found.badHookOrigin(check.at([...path, "origins", index]), origin));
  const { secrets } = check.workflow;
  if (secret !== undefined && verify !== "none" && !secrets.includes(secret))
    check.report(found.webhookSecretUnknown(check.at([...path, "secret"]), secret, secrets));
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function checkWatch({ paths, on }: NonNullable<Entry["file"]>, path: Path, check: Check): void {
  for (const [index, pattern] of (paths ?? []).entries()) {
    const why = globProblem(pattern);
    if (why !== undefined) check.report(found.badWatch(check.at([...path, "paths", index]), pattern, why));
  }
  if (paths?.length === 0) check.report(found.emptyWatch(check.at([...path, "paths"], "key"), "paths"));
  if (on?.length === 0) check.report(found.emptyWatch(check.at([...path, "on"], "key"), "on"));
}

/** A webhook's inputs are known only when a delivery arrives. */
function checkInputs(kind: "schedule" | "file", brings: readonly string[], path: Path, check: Check): void {
  for (const [name, spec] of Object.entries(check.workflow.inputs))
    if (spec.required === true && spec.default === undefined && !brings.includes(name))
      check.report(
        found.triggerMissingInput(check.at([...path, kind], "key"), kind === "file" ? "file watch" : kind, name),
      );
}

function checkEventName(check: Check): void {
  const { workflow } = check;
  if (!bringsEvent(workflow)) return;
  if (Object.hasOwn(workflow.inputs, EVENT))
    check.report(found.eventTaken(check.at(["inputs", EVENT], "key"), "An input"));
  const secret = workflow.secrets.indexOf(EVENT);
  if (secret >= 0) check.report(found.eventTaken(check.at(["secrets", secret]), "A secret"));
  for (const { node, index } of check.graph.nodes)
    if (variableName(node) === EVENT)
      check.report(
        found.eventTaken(
          check.at([...check.nodePath(index), "data", "variableName"]),
          kindOf(node).effect === "collects" ? "An Accumulator" : "A Variable",
        ),
      );
}
