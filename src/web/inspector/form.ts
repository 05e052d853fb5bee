// form: the panel's tabs, sections, and fields for each kind of node, read from the document's schema (spec 1.2).
//   F1. Help, choices, and the kind of control come from src/workflow/schema, so a field is described only once. HELP
//       has the few that read differently in a form.
//   F2. Every field of a kind appears exactly once in its form (form.test.ts).

import * as z from "zod/mini";
import type { NodeType } from "../../workflow/model.ts";
import { dataOf, documentHead } from "../../workflow/schema.ts";
import {
  type Control,
  type FieldSpec,
  NODE_VIEWS,
  part,
  type Section,
  type SectionPlan,
  type TabSpec,
  type Written,
} from "../kinds.ts";

type Path = readonly (string | number)[];
const DOCUMENT: SectionPlan[] = [
  part(undefined, "name", ["description", "text"]),
  part("Inputs", ["inputs", "inputs"]),
  part("Triggers", ["on", "triggers"]),
  part("Secrets and signing in", "secrets", ["auth", "sign-ins"]),
  part("Limits", "concurrency", "timeout", "limits.outputBytes", ["egress", "egress"], "runsOn"),
  part("Result and end", ["output", "result"], "onFailure", "finally"),
];

const forms = new Map<string, Section[]>();

function sectionsOf(key: string, root: Schema, plans: readonly SectionPlan[]): Section[] {
  const known = forms.get(key);
  if (known !== undefined) return known;
  const sections = plans.map(({ fields, ...plan }) => ({ ...plan, fields: fields.map((one) => specOf(root, one)) }));
  forms.set(key, sections);
  return sections;
}

export function formOf(type: NodeType): TabSpec[] {
  return NODE_VIEWS[type].form.map((plan) => ({
    ...plan,
    sections: sectionsOf(`${type} ${plan.id}`, dataOf[type], plan.sections),
  }));
}

/** The form of the document itself. */
export function documentForm(): Section[] {
  return sectionsOf("document", documentHead, DOCUMENT);
}

/** One field of a kind by its path: `retry.maxAttempts`. */
export function fieldOf(type: NodeType, path: string, control?: Control): FieldSpec {
  return specOf(dataOf[type], control === undefined ? path : [path, control]);
}

/** Every field of an object in the document, such as a trigger or an input. */
export function fieldsIn(path: Path): FieldSpec[] {
  const names = Object.keys(defOf(schemaAt(documentHead, path)).shape ?? {});
  return names.map((name) => specAt(documentHead, [...path, name]));
}

function specOf(root: Schema, written: Written): FieldSpec {
  const [dotted, control, flag] = typeof written === "string" ? [written] : written;
  const spec = specAt(root, dotted.split("."), control);
  return flag === undefined ? spec : { ...spec, [flag]: true };
}

function specAt(root: Schema, path: Path, control?: Control): FieldSpec {
  const schema = schemaAt(root, path);
  const about = aboutOf(schema);
  return {
    path,
    label: control === "prompt" && path[0] === "content" ? "Prompt" : labelAt(path),
    control: control ?? controlOf(schema, about),
    help: HELP[path.slice(-2).join(".")] ?? helpOf(about),
    options: optionsOf(schema),
    usual: USUAL[path.join(".")] ?? /Default ([^\s.;,]+(?: \d+)?)/.exec(about)?.[1],
  };
}

/** The description without what the placeholder shows, and without the reference's terms. */
function helpOf(about: string): string {
  return about
    .replace(/ A (?:duration|size): .*$/, "")
    .replace(/ Default [^.]*\.$/, "")
    .replace(/ A template\./, " It can use ${…}.")
    .replace(/ Values are templates\.$/, " Values can use ${…}.");
}

/** The parts of a zod/mini schema definition that are read here. */
export type Schema = z.ZodMiniType;
interface Def {
  type: string;
  innerType?: Schema;
  shape?: Record<string, Schema>;
  entries?: Record<string, string>;
  options?: Schema[];
  element?: Schema;
  valueType?: Schema;
  checks?: { _zod: { def: { format?: string } } }[];
  format?: string;
}
export const defOf = (schema: Schema) => (schema as unknown as { _zod: { def: Def } })._zod.def;

/** The schema of a field without its optional wrapper. */
function schemaAt(root: Schema, path: Path): Schema {
  let schema = bare(root);
  for (const key of path) {
    const { shape, element, valueType } = defOf(schema);
    const next = shape?.[key] ?? (typeof key === "number" ? element : valueType);
    if (next === undefined) throw new Error(`The schema has no field ${path.join(".")}.`);
    schema = bare(next);
  }
  return schema;
}

export function bare(schema: Schema): Schema {
  const { innerType } = defOf(schema);
  return innerType === undefined ? schema : bare(innerType);
}

function aboutOf(schema: Schema): string {
  return z.globalRegistry.get(schema)?.description ?? "";
}

function optionsOf(schema: Schema): readonly string[] | undefined {
  const { entries } = defOf(schema);
  return entries === undefined ? undefined : Object.values(entries);
}

function controlOf(schema: Schema, about: string): Control {
  const def = defOf(schema);
  switch (def.type) {
    case "enum":
      return "choice";
    case "boolean":
      return "switch";
    case "number":
      return isWhole(def) ? "whole" : "number";
    case "array":
      return def.element !== undefined && defOf(def.element).type === "number" ? "codes" : "names";
    case "record":
      return "map";
    default:
      return / A duration: /.test(about) ? "duration" : "line";
  }
}

function isWhole(def: Def): boolean {
  return def.format === "safeint" || (def.checks ?? []).some((check) => check._zod.def.format === "safeint");
}

/** The value that applies if a field is absent, for fields whose description does not name it. */
const USUAL: Record<string, string> = { streamOutput: "true", concurrency: "2 × the cores" };

/** By the last keys of a path. */
const HELP: Record<string, string> = {
  "file.on": "add, change, remove. Empty: all of them.",
  "run.status": "How the run ended. Empty: failed, timed-out.",
  stdin: "The command can read it from standard input.",
  streamOutput: "In the terminal, each line is printed as it arrives.",
  "env.names": "Instead of INPUT_1, INPUT_2, …",
  as: "Name of the current item.",
  "env.inherit": "Variables of your environment that the command receives as well.",
  onFailure: "Ids of nodes that run after a failure or a timeout.",
};

/** By the last keys of a path. */
const LABELS: Record<string, string> = {
  "approval.prompt": "Question",
  "approval.timeout": "Time limit",
  "approval.onTimeout": "If no one decides",
  cwd: "Working folder",
  content: "Content",
  static: "Variables",
  exposeParents: "Export the parents' values",
  names: "Their names",
  inherit: "Inherited variables",
  usd: "US dollars",
  ttl: "Reuse for",
  per: "Period",
  "retry.on": "Retry when",
  "file.on": "Changes",
  "webhook.secret": "Secret",
  outputBytes: "Output limit per command",
  onFailure: "After a failure",
  finally: "Always at the end",
  output: "Result of a run",
  exitOnError: "Stop at the first error",
  pipefail: "Fail the pipe if a part fails",
  unsetVars: "Fail on unset variables",
  noProfile: "Skip profile files",
  executionPolicyBypass: "Bypass the execution policy",
  streamOutput: "Show output as it arrives",
  successExitCodes: "Successful exit codes",
  httpErrors: "HTTP errors (4xx, 5xx)",
  onLost: "If the attempt is lost",
  needsUserApproval: "A person must approve it",
  maxIterations: "Maximum iterations",
  maxConcurrency: "At a time",
  persist: "Keep the value for later runs",
  secret: "It is a secret",
  select: "Select",
  as: "Item name",
  enum: "Allowed values",
  timezone: "Time zone",
  catchUp: "Missed times",
  overlap: "If the previous run is active",
  respond: "Response status",
  respectRetryAfter: "Respect Retry-After",
  onLineFailure: "If a line fails",
};

function labelAt(path: Path): string {
  return LABELS[path.slice(-2).join(".")] ?? labelOf(String(path.at(-1)));
}

/** `idleTimeout` → `Idle timeout`. */
export function labelOf(key: string): string {
  const words = key.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return LABELS[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
