// form: the panel's tabs, sections, and fields for each kind of node, read from the document's schema (spec 1.2).
//   F1. Labels, help, choices, and the kind of control come from src/workflow/schema, so a field is described only
//       once.
//   F2. Every field of a kind appears exactly once in its form (form.test.ts).

import * as z from "zod/mini";
import type { NodeType } from "../../workflow/model.ts";
import { dataOf, documentFields } from "../../workflow/schema.ts";

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
  | "retry-on"
  | "retry"
  | "model"
  | "workflow"
  | "items";

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

type Written = string | readonly [path: string, control: Control, flags?: "own" | "inside"];
type SectionPlan = { title?: string; group?: string; folded?: true; fields: readonly Written[] };
type Plan = readonly (readonly [TabSpec["id"], string, readonly SectionPlan[]])[];

const approvalFields: readonly Written[] = [["approval.prompt", "template"], "approval.timeout", "approval.onTimeout"];
const cacheFields: readonly Written[] = [["cache.key", "template"], "cache.ttl"];

const PLANS: Record<NodeType, Plan> = {
  cli: [
    [
      "main",
      "Command",
      [
        { fields: ["title", ["content", "shell", "own"]] },
        { title: "How it is run", fields: ["mode", "shell", ["cwd", "template", "own"]] },
        {
          title: "Switches of the shell",
          group: "flags",
          folded: true,
          fields: [
            "flags.exitOnError",
            "flags.pipefail",
            "flags.unsetVars",
            "flags.noProfile",
            "flags.executionPolicyBypass",
          ],
        },
      ],
    ],
    [
      "input",
      "Input",
      [
        { title: "Standard input", fields: [["stdin", "stdin", "own"]] },
        {
          title: "Environment",
          fields: [["env.static", "map"], "env.exposeParents", "env.names", ["env.inherit", "inherit"]],
        },
      ],
    ],
    [
      "output",
      "Output",
      [
        { fields: ["output.format", ["output.select", "expression"], "streamOutput"] },
        { title: "Listener", folded: true, fields: ["emit", "maxConcurrency", "onLineFailure"] },
      ],
    ],
    [
      "policy",
      "Policy",
      [
        { title: "Approval", fields: ["safetyLevel", "needsUserApproval", ...approvalFields] },
        { title: "Time", fields: ["timeout", "idleTimeout", "killGrace"] },
        { title: "Repeat", fields: [["retry", "retry"]] },
        { title: "Success", fields: ["successExitCodes", "httpErrors", "continueOnError", "onLost"] },
        { title: "Signing in", fields: [["auth", "auth"]] },
        { title: "Isolation", fields: ["sandbox", ["egress", "egress"], "runsOn"] },
        {
          title: "Rate limit",
          group: "rateLimit",
          fields: [["rateLimit.key", "template"], "rateLimit.limit", "rateLimit.per"],
        },
        { title: "Concurrency", group: "concurrency", fields: [["concurrency.key", "template"], "concurrency.limit"] },
        { title: "Cache", group: "cache", fields: cacheFields },
      ],
    ],
  ],
  llm: [
    ["main", "Prompt", [{ fields: ["title", ["model", "model"], ["content", "prompt"], ["system", "prompt"]] }]],
    ["output", "Output", [{ fields: [["schema", "schema"], "temperature", "maxOutputTokens"] }]],
    [
      "policy",
      "Policy",
      [
        { title: "Budget", group: "budget", fields: ["budget.tokens", "budget.usd"] },
        { title: "Approval", fields: ["needsUserApproval", ...approvalFields] },
        { title: "Time", fields: ["timeout", "idleTimeout"] },
        { title: "Repeat", fields: [["retry", "retry"]] },
        { title: "Success", fields: ["continueOnError", "onLost"] },
        { title: "Cache", group: "cache", fields: cacheFields },
      ],
    ],
  ],
  variable: [
    [
      "main",
      "Variable",
      [{ fields: ["title", "variableName", ["content", "text"], ["initialValue", "text"], "secret"] }],
    ],
  ],
  if: [["main", "Condition", [{ fields: ["title", ["content", "condition"]] }]]],
  "loop-start": [
    ["main", "Loop", [{ fields: ["title", ["iterations", "items"]] }]],
    ["policy", "Policy", [{ fields: ["maxIterations", "maxConcurrency"] }]],
  ],
  "loop-end": [["main", "Loop", [{ fields: ["title", ["until", "condition", "inside"]] }]]],
  accumulator: [
    [
      "main",
      "Accumulator",
      [{ fields: ["title", "variableName", ["content", "text"], ["initialValue", "text"], "format", "flatten"] }],
    ],
  ],
  start: [["main", "Start", [{ fields: ["title"] }]]],
  text: [["main", "Text", [{ fields: ["title", ["content", "text"]] }]]],
  subflow: [
    ["main", "Subflow", [{ fields: ["title", ["workflow", "workflow"], ["inputs", "map"]] }]],
    ["policy", "Policy", [{ fields: ["timeout", "continueOnError", "onLost"] }]],
  ],
};

const forms = new Map<NodeType, TabSpec[]>();

export function formOf(type: NodeType): TabSpec[] {
  const known = forms.get(type);
  if (known !== undefined) return known;
  const form = PLANS[type].map(([id, label, sections]) => ({
    id,
    label,
    sections: sections.map(({ fields, ...section }) => ({
      ...section,
      fields: fields.map((written) => specOf(dataOf[type], written)),
    })),
  }));
  forms.set(type, form);
  return form;
}

/** One field of a kind by its path: `retry.maxAttempts`. */
export function fieldOf(type: NodeType, path: string, control?: Control): FieldSpec {
  return specOf(dataOf[type], control === undefined ? path : [path, control]);
}

/** One field of the document itself. */
export function documentField(path: string, control?: Control): FieldSpec {
  const [first = "", ...rest] = path.split(".");
  const root = z.object({ [first]: documentFields[first as keyof typeof documentFields] });
  return specOf(root, control === undefined ? [first, ...rest].join(".") : [[first, ...rest].join("."), control]);
}

function specOf(root: Schema, written: Written): FieldSpec {
  const [dotted, control, flag] = typeof written === "string" ? [written] : written;
  const path = dotted.split(".");
  const schema = schemaAt(root, path);
  const help = helpOf(schema);
  const options = optionsOf(schema);
  const usual = /Default ([^\s.;,]+(?: \d+)?)/.exec(help)?.[1] ?? USUAL[dotted];
  return {
    path,
    label: control === "prompt" && dotted === "content" ? "Prompt" : (LABELS[dotted] ?? labelOf(path.at(-1) ?? "")),
    control: control ?? controlOf(schema, help),
    help,
    options,
    usual,
    ...(flag === undefined ? {} : { [flag]: true as const }),
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
  checks?: { _zod: { def: { format?: string } } }[];
  format?: string;
}
const defOf = (schema: Schema) => (schema as unknown as { _zod: { def: Def } })._zod.def;

/** The schema of a field without its optional wrapper. */
export function schemaAt(root: Schema, path: readonly string[]): Schema {
  let schema = bare(root);
  for (const key of path) {
    const next = defOf(schema).shape?.[key];
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
const USUAL: Record<string, string> = { streamOutput: "true" };

const LABELS: Record<string, string> = {
  "approval.prompt": "What is asked",
  "approval.timeout": "It waits at most",
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
  on: "Worth repeating",
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

/** `idleTimeout` → `Idle timeout`. */
export function labelOf(key: string): string {
  const known = LABELS[key];
  if (known !== undefined) return known;
  const words = key.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
