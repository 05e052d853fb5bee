// form: the panel's tabs, sections, and fields for each kind of node, read from the document's schema (spec 1.2).
//   F1. Labels, help, choices, and the kind of control come from src/workflow/schema, so a field is described only
//       once.
//   F2. Every field of a kind appears exactly once in its form (form.test.ts).

import * as z from "zod/mini";
import type { NodeType } from "../../workflow/model.ts";
import { dataOf, documentHead } from "../../workflow/schema.ts";

export type Control =
  | "line"
  | "duration"
  | "choice"
  | "switch"
  | "whole"
  | "number"
  | "names"
  | "codes"
  | "map"
  /** Text with `${…}`. `shell`, `prompt`, and `text` have several lines. */
  | "template"
  | "shell"
  | "prompt"
  | "text"
  | "expression"
  | "condition"
  | "schema"
  | "stdin"
  | "inherit"
  | "egress"
  | "auth"
  | "retry"
  | "model"
  | "workflow"
  | "items"
  | "inputs"
  | "triggers"
  | "sign-ins"
  | "result"
  | "subflow-inputs";

export interface FieldSpec {
  path: readonly (string | number)[];
  label: string;
  control: Control;
  help: string;
  /** The values of a choice. */
  options?: readonly string[];
  /** The value that applies if the field is absent, from its description. */
  usual?: string;
  /** Evaluated inside the loop that the node starts or ends (`while`, `until`). */
  inside?: true;
  /** Can use the node's own env.static. */
  own?: true;
}

export interface Section {
  title?: string;
  /** The map of the document that has these members. It can be removed as a whole. */
  group?: string;
  fields: FieldSpec[];
  /** Rarely needed: collapsed until one of its fields is set. */
  folded?: true;
}

export interface TabSpec {
  id: "main" | "input" | "output" | "policy";
  label: string;
  sections: Section[];
}

type Path = readonly (string | number)[];
type Written = string | readonly [path: string, control: Control, flag?: "own" | "inside"];
type SectionPlan = Omit<Section, "fields"> & { fields: readonly Written[] };
type TabPlan = Omit<TabSpec, "sections"> & { sections: SectionPlan[] };

const tab = (id: TabSpec["id"], label: string, ...sections: SectionPlan[]): TabPlan => ({ id, label, sections });
const part = (title: string | undefined, ...fields: Written[]): SectionPlan => ({ title, fields });
const folded = (title: string, ...fields: Written[]): SectionPlan => ({ title, fields, folded: true });
const group = (title: string, name: string, ...fields: Written[]): SectionPlan => ({ title, group: name, fields });

const APPROVAL: Written[] = [["approval.prompt", "template"], "approval.timeout", "approval.onTimeout"];
const REPEAT = part("Repeat", ["retry", "retry"]);
const CACHE = group("Cache", "cache", ["cache.key", "template"], "cache.ttl");
const SWITCHES = ["exitOnError", "pipefail", "unsetVars", "noProfile", "executionPolicyBypass"];

const PLANS: Record<NodeType, TabPlan[]> = {
  cli: [
    tab(
      "main",
      "Command",
      part(undefined, "title", ["content", "shell", "own"]),
      part("How it is run", "mode", "shell", ["cwd", "template", "own"]),
      { ...folded("Switches of the shell", ...SWITCHES.map((name) => `flags.${name}`)), group: "flags" },
    ),
    tab(
      "input",
      "Input",
      part("Standard input", ["stdin", "stdin", "own"]),
      part("Environment", ["env.static", "map"], "env.exposeParents", "env.names", ["env.inherit", "inherit"]),
    ),
    tab(
      "output",
      "Output",
      part(undefined, "output.format", ["output.select", "expression"], "streamOutput"),
      folded("Listener", "emit", "maxConcurrency", "onLineFailure"),
    ),
    tab(
      "policy",
      "Policy",
      part("Approval", "safetyLevel", "needsUserApproval", ...APPROVAL),
      part("Time", "timeout", "idleTimeout", "killGrace"),
      REPEAT,
      part("Success", "successExitCodes", "httpErrors", "continueOnError", "onLost"),
      part("Signing in", ["auth", "auth"]),
      part("Isolation", "sandbox", ["egress", "egress"], "runsOn"),
      group("Rate limit", "rateLimit", ["rateLimit.key", "template"], "rateLimit.limit", "rateLimit.per"),
      group("Concurrency", "concurrency", ["concurrency.key", "template"], "concurrency.limit"),
      CACHE,
    ),
  ],
  llm: [
    tab("main", "Prompt", part(undefined, "title", ["model", "model"], ["content", "prompt"], ["system", "prompt"])),
    tab("output", "Output", part(undefined, ["schema", "schema"], "temperature", "maxOutputTokens")),
    tab(
      "policy",
      "Policy",
      group("Budget", "budget", "budget.tokens", "budget.usd"),
      part("Approval", "needsUserApproval", ...APPROVAL),
      part("Time", "timeout", "idleTimeout"),
      REPEAT,
      part("Success", "continueOnError", "onLost"),
      CACHE,
    ),
  ],
  variable: [
    tab(
      "main",
      "Variable",
      part(undefined, "title", "variableName", ["content", "text"], ["initialValue", "text"], "secret"),
    ),
  ],
  if: [tab("main", "Condition", part(undefined, "title", ["content", "condition"]))],
  "loop-start": [
    tab("main", "Loop", part(undefined, "title", ["iterations", "items"])),
    tab("policy", "Policy", part(undefined, "maxIterations", "maxConcurrency")),
  ],
  "loop-end": [tab("main", "Loop", part(undefined, "title", ["until", "condition", "inside"]))],
  accumulator: [
    tab(
      "main",
      "Accumulator",
      part(undefined, "title", "variableName", ["content", "text"], ["initialValue", "text"], "format", "flatten"),
    ),
  ],
  start: [tab("main", "Start", part(undefined, "title"))],
  text: [tab("main", "Text", part(undefined, "title", ["content", "text"]))],
  subflow: [
    tab("main", "Subflow", part(undefined, "title", ["workflow", "workflow"], ["inputs", "subflow-inputs"])),
    tab("policy", "Policy", part(undefined, "timeout", "continueOnError", "onLost")),
  ],
};

const DOCUMENT: SectionPlan[] = [
  part(undefined, "name", ["description", "text"]),
  part("Inputs", ["inputs", "inputs"]),
  part("Triggers", ["on", "triggers"]),
  part("Secrets and signing in", "secrets", ["auth", "sign-ins"]),
  part("Limits", "concurrency", "timeout", "limits.outputBytes", ["egress", "egress"]),
  part("Result and end", ["output", "result"], "finally"),
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
  return PLANS[type].map((plan) => ({
    ...plan,
    sections: sectionsOf(`${type} ${plan.id}`, dataOf[type], plan.sections),
  }));
}

/** The form of the document itself. */
export function documentForm(): Section[] {
  return sectionsOf("document", documentHead, DOCUMENT);
}

const OF_ONE_NODE: ReadonlySet<unknown> = new Set(["title", "content", "stdin", "emit", "schema", "system"]);

/** The fields of commands and language models that make sense for several nodes, each once. */
export function defaultsForm(): Section[] {
  const seen = new Set<string>();
  return (["cli", "llm"] as const).flatMap((type) =>
    formOf(type).flatMap((tab) =>
      tab.sections.flatMap(({ fields, title = `${type === "llm" ? "Language model: " : ""}${tab.label}`, ...rest }) => {
        const own = fields.filter(({ path }) => !OF_ONE_NODE.has(path[0]) && !seen.has(path.join(".")));
        for (const { path } of own) seen.add(path.join("."));
        return own.length === 0 || title === "Listener" ? [] : [{ ...rest, title, fields: own, folded: true as const }];
      }),
    ),
  );
}

/** One field of a kind by its path: `retry.maxAttempts`. */
export function fieldOf(type: NodeType, path: string, control?: Control): FieldSpec {
  return specOf(dataOf[type], control === undefined ? path : [path, control]);
}

/** One field of the document itself. */
export function documentField(path: string): FieldSpec {
  return specOf(documentHead, path);
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
  const help = helpOf(schema) || (HELP[path.slice(-2).join(".")] ?? "");
  return {
    path,
    label: control === "prompt" && path[0] === "content" ? "Prompt" : labelAt(path),
    control: control ?? controlOf(schema, help),
    help,
    options: optionsOf(schema),
    usual: USUAL[path.join(".")] ?? /Default ([^\s.;,]+(?: \d+)?)/.exec(help)?.[1],
  };
}

/** The parts of a zod/mini schema definition that are read here. */
type Schema = z.ZodMiniType;
interface Def {
  type: string;
  innerType?: Schema;
  shape?: Record<string, Schema>;
  entries?: Record<string, string>;
  element?: Schema;
  valueType?: Schema;
  checks?: { _zod: { def: { format?: string } } }[];
  format?: string;
}
const defOf = (schema: Schema) => (schema as unknown as { _zod: { def: Def } })._zod.def;

/** The schema of a field without its optional wrapper. */
export function schemaAt(root: Schema, path: Path): Schema {
  let schema = bare(root);
  for (const key of path) {
    const { shape, element, valueType } = defOf(schema);
    const next = shape?.[key] ?? (typeof key === "number" ? element : valueType);
    if (next === undefined) throw new Error(`The schema has no field ${path.join(".")}.`);
    schema = bare(next);
  }
  return schema;
}

function bare(schema: Schema): Schema {
  let inner = schema;
  for (let def = defOf(inner); def.type === "optional" && def.innerType !== undefined; def = defOf(inner))
    inner = def.innerType;
  return inner;
}

function helpOf(schema: Schema): string {
  return z.globalRegistry.get(schema)?.description ?? "";
}

function optionsOf(schema: Schema): readonly string[] | undefined {
  const { entries } = defOf(schema);
  return entries === undefined ? undefined : Object.values(entries);
}

function controlOf(schema: Schema, help: string): Control {
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
      return / A duration: /.test(help) ? "duration" : "line";
  }
}

function isWhole(def: Def): boolean {
  return def.format === "safeint" || (def.checks ?? []).some((check) => check._zod.def.format === "safeint");
}

/** The value that applies if a field is absent, for fields whose description does not name it. */
const USUAL: Record<string, string> = { streamOutput: "true", concurrency: "2 × the cores" };

/** By the last keys of a path, for fields without a description. */
const HELP: Record<string, string> = { "file.on": "add, change, remove. Absent: all of them." };

/** By the last keys of a path. */
const LABELS: Record<string, string> = {
  "approval.prompt": "Question",
  "approval.timeout": "Time to decide",
  "approval.onTimeout": "After that",
  cwd: "Working folder",
  content: "Content",
  static: "Variables",
  exposeParents: "Export the parents' values",
  names: "Names for them",
  inherit: "Pass on from your environment",
  usd: "US dollars",
  ttl: "Good for",
  per: "In each",
  "retry.on": "Worth repeating",
  "file.on": "Changes",
  "webhook.secret": "Secret",
  outputBytes: "Most output of a command",
  finally: "Always at the end",
  output: "Result of a run",
  exitOnError: "Stop at the first error",
  pipefail: "A failing part fails the pipe",
  unsetVars: "Unset variables are errors",
  noProfile: "No profile files",
  executionPolicyBypass: "Bypass the execution policy",
  streamOutput: "Show output as it comes",
  successExitCodes: "Exit codes of success",
  httpErrors: "HTTP errors (4xx, 5xx)",
  onLost: "When the attempt is lost",
  needsUserApproval: "A person must approve it",
  maxIterations: "Most passes",
  maxConcurrency: "At a time",
  secret: "It is a secret",
  select: "Select",
  runsOn: "Runs on",
};

function labelAt(path: Path): string {
  return LABELS[path.slice(-2).join(".")] ?? labelOf(String(path.at(-1)));
}

/** `idleTimeout` → `Idle timeout`. */
export function labelOf(key: string): string {
  const words = key.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return LABELS[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
