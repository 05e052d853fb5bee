// check/triggers: checks the entries of `on:` (spec 2.5). Each kind checks its own fields.

import * as found from "../diagnostics/trigger.ts";
import { kindOf } from "../kinds/index.ts";
import { variableName } from "../node-fields.ts";
import type { Path } from "../source-map.ts";
import { bringsEvent, type DocumentTrigger, EVENT, kindsIn, TRIGGER_NAMES, triggerKind } from "../triggers/index.ts";
import type { Check } from "./context.ts";

export function checkTriggers(check: Check): void {
  const before = new Map<string, { data: object; path: Path }[]>();
  for (const [index, trigger] of (check.workflow.on ?? []).entries()) {
    const path: Path = ["on", index];
    const names = Object.keys(trigger).filter((key) => !key.startsWith("x-"));
    if (names.length !== 1) check.report(found.triggerKind(check.at(path), TRIGGER_NAMES, names));
    for (const name of kindsIn(trigger)) {
      const entry = { data: trigger[name] as object, path: [...path, name] };
      const others = before.get(name) ?? [];
      triggerKind(name).check(entry.data, entry.path, check, others);
      before.set(name, [...others, entry]);
      checkInputs(name, entry.path, check);
    }
  }
  checkEventName(check);
}

/** Finds required inputs that no event can fill. A webhook's are known only when a delivery arrives. */
function checkInputs(kind: DocumentTrigger["kind"], path: Path, check: Check): void {
  const { name: called, event = [] } = triggerKind(kind);
  if (event === "any") return;
  for (const [name, spec] of Object.entries(check.workflow.inputs))
    if (spec.required === true && spec.default === undefined && !event.includes(name))
      check.report(found.triggerMissingInput(check.at(path, "key"), called, name));
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
