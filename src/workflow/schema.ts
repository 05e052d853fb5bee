// schema: the fields of a workflow document and what each means (spec 1.1, 1.2); the one source for the check of a
// document's shape, the JSON Schema and the reference. `x-…` keys are allowed in every map of fields and kept in the text only.
//   C1. These schemas and the types of model.ts agree; the proofs at the end fail to compile when they do not.
// Written with zod/mini: the same schemas as zod's at a fifth of its start-up time (3 against 15 ms here).

import * as z from "zod/mini";
import { parseDuration, parseSize } from "../base/duration.ts";
import { limits } from "../base/limits.ts";
import type * as model from "./model.ts";

/** A message that carries the code of its finding: `code NUL message`. */
export const CODED = "\u0000";
const coded = (code: string, message: string) => `${code}${CODED}${message}`;

const opt = z.exactOptional;
const about = z.describe;
const text = (description: string) => z.string().check(about(description));
const filled = (description: string) => z.string().check(z.minLength(1), about(description));
const flag = (description: string) => z.boolean().check(about(description));
const whole = (description: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.int().check(z.gte(least), z.lte(most), about(description));
const number = (description: string, least: number) => z.number().check(z.gte(least), about(description));
const place = z.number().check(z.gte(-limits.layoutMax), z.lte(limits.layoutMax));
const oneOf = <const T extends readonly string[]>(words: T, description: string) =>
  z.enum(words).check(about(description));
const textOr = (code: string, why: (value: string) => string | undefined, description: string) =>
  z
    .string({
      error: (issue) => (typeof issue.input === "number" ? coded(code, why(String(issue.input)) ?? "") : undefined),
    })
    .check(
      z.refine((value) => why(value) === undefined, { error: (issue) => coded(code, why(String(issue.input)) ?? "") }),
      about(description),
    );
const duration = (description: string) =>
  textOr(
    "bad-duration",
    (value) => errorOf(parseDuration(value)),
    `${description} A duration: 250ms, 30s, 5m, 2h, 1d or PT30S.`,
  );
const size = (description: string) =>
  textOr("bad-size", (value) => errorOf(parseSize(value)), `${description} A size: 512B, 64KiB, 10MB.`);
const errorOf = (result: { ok: true } | { ok: false; error: string }) => (result.ok ? undefined : result.error);
const either = <const T extends readonly [z.ZodMiniType, ...z.ZodMiniType[]]>(
  kinds: T,
  said: string,
  description: string,
) => z.union(kinds, { error: said }).check(about(description));
const words = (description: string) => z.array(z.string().check(z.minLength(1))).check(about(description));

const title = filled("What people see.");

const retry = z
  .object({
    maxAttempts: opt(whole("Attempts in all, the first one counted. Default 3.", 1, 1_000)),
    initialInterval: opt(duration("Wait before the second attempt. Default 1s.")),
    multiplier: opt(number("Each wait is this many times the one before. Default 2.", 1)),
    maxInterval: opt(duration("No wait is longer. Default 60s.")),
    maxDuration: opt(duration("No attempt starts later than this after the first.")),
    jitter: opt(oneOf(["full", "none"], "full: each wait is drawn between nothing and its length.")),
    respectRetryAfter: opt(flag("Wait as long as the server's Retry-After says. Default true.")),
    on: opt(
      either(
        [
          z.string(),
          z.object({
            exitCodes: opt(z.array(whole("An exit code.", 0, 255))),
            statuses: opt(z.array(whole("An HTTP status.", 100, 599))),
          }),
        ],
        "an expression, a list of exit codes (to 255) and HTTP statuses (400 to 599), or a map with exitCodes and statuses",
        "What is worth repeating: exit codes and HTTP statuses, also as one list, or an expression. Default: what passes by itself.",
      ),
    ),
  })
  .check(about("Repeat after a failure."));

const approval = z
  .object({
    prompt: opt(text("What the person is asked. A template.")),
    timeout: opt(duration("How long the approval may wait.")),
    onTimeout: opt(oneOf(["reject", "approve", "fail"], "What happens then. Default reject.")),
  })
  .check(about("How the approval is asked."));

const cache = z
  .object({
    key: filled("Same key, same answer. A template."),
    ttl: duration("How long an answer may be used again."),
  })
  .check(about("Use a successful value again."));

const egress = either(
  [z.enum(["https", "any"]), z.object({ allow: z.array(filled("A host name.")) })],
  'https, any, or a map with "allow"',
  "Where commands may connect to. Default https.",
);

const authEntry = z
  .record(z.string(), z.string())
  .check(about("How a request proves who sends it. Values are templates."));
const auth = either(
  [filled("The name of an entry of the document's auth."), authEntry],
  "a name or a map",
  "Credentials handed over off the command line.",
);
const onLost = oneOf(
  ["fail", "retry", "ask"],
  "What to do with an attempt that was running when the machine died. Default fail.",
);
const continueOnError = flag("A failure is recorded and the run goes on with the output it has. Default false.");
const timeout = duration("Time for one attempt.");
const needsUserApproval = flag("A person must approve before it runs. Default false.");

export const cliData = z.object({
  title,
  content: text("The command, or the script. Templates ${…} arrive as quoted shell parameters."),
  mode: opt(
    oneOf(
      ["command", "script"],
      "command: one command line. script: a program; a first line #! picks the interpreter. Default command.",
    ),
  ),
  shell: opt(oneOf(["bash", "sh", "zsh", "pwsh", "cmd"], "Default bash, else sh; on Windows pwsh, else cmd.")),
  safetyLevel: opt(
    oneOf(["safe", "advanced"], "advanced bypasses the approval step; only for trusted endpoints. Default safe."),
  ),
  needsUserApproval: opt(needsUserApproval),
  streamOutput: opt(flag("true shows output line by line as it comes, false when the node ends.")),
  stdin: opt(
    z
      .object({
        source: oneOf(["parent-index", "parents-all", "literal", "none"], "Where standard input comes from."),
        parentIndex: opt(whole("With parent-index: which parent, 0 is the first.", 0)),
        literal: opt(text("With literal: the text. A template.")),
      })
      .check(about("Standard input of the command. Default none.")),
  ),
  env: opt(
    z
      .object({
        static: opt(
          z.record(z.string(), z.string()).check(about("Variables exported to the command. Values are templates.")),
        ),
        exposeParents: opt(flag("Export the parents' values as INPUT_1, INPUT_2, …")),
        names: opt(words("With exposeParents: names instead of INPUT_1, INPUT_2, …")),
        inherit: opt(
          either(
            [z.boolean(), words("Names.")],
            "true, false or a list of names",
            "Further variables of the process environment to pass on; true passes all.",
          ),
        ),
      })
      .check(about("Environment of the command.")),
  ),
  flags: opt(
    z
      .object({
        executionPolicyBypass: opt(flag("With advanced only: pwsh -ExecutionPolicy Bypass.")),
        exitOnError: opt(flag("set -e.")),
        pipefail: opt(flag("set -o pipefail. Default true.")),
        unsetVars: opt(flag("set -u.")),
        noProfile: opt(flag("Read no rc or profile files. Default true.")),
      })
      .check(about("Switches of the shell.")),
  ),
  cwd: opt(filled("Working directory; a template. Default: the folder of the workflow file.")),
  timeout: opt(timeout),
  idleTimeout: opt(duration("Time without any output.")),
  killGrace: opt(duration("Between SIGTERM and SIGKILL. Default 5s.")),
  retry: opt(retry),
  successExitCodes: opt(
    z.array(whole("An exit code.", 0, 255)).check(z.minLength(1), about("Exit codes that mean success. Default [0].")),
  ),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
  output: opt(
    z
      .object({
        format: opt(
          oneOf(
            ["text", "json", "lines"],
            "json: invalid JSON fails the node. lines: one JSON value a line. Default text.",
          ),
        ),
        select: opt(filled("An expression applied to the output.")),
      })
      .check(about("How the output becomes the node's value.")),
  ),
  cache: opt(cache),
  rateLimit: opt(
    z
      .object({
        key: filled("Nodes with the same key share the budget."),
        limit: whole("Starts in each period.", 1),
        per: duration("The period."),
      })
      .check(about("A budget shared by all runs of this installation.")),
  ),
  concurrency: opt(
    z
      .object({
        key: filled("Nodes with the same key share the slots."),
        limit: whole("At most so many at a time.", 1),
      })
      .check(about("At most limit at a time under that key, across runs.")),
  ),
  approval: opt(approval),
  auth: opt(auth),
  httpErrors: opt(
    oneOf(["fail", "warn", "ignore"], "What an HTTP 4xx or 5xx means when the command itself exits 0. Default warn."),
  ),
  sandbox: opt(
    oneOf(["none", "no-network", "read-only", "strict"], "What is kept away from the command. Default none."),
  ),
  egress: opt(egress),
  runsOn: opt(words("Labels of the machine it must run on.")),
  emit: opt(oneOf(["lines"], "Every complete line the command prints starts the nodes after it once.")),
});

export const llmData = z.object({
  title,
  content: text("The prompt. A template."),
  model: filled("provider/model, such as anthropic/claude-sonnet-4-5, openai/gpt-5 or ollama/llama3.2."),
  system: opt(text("The system prompt. A template.")),
  temperature: opt(number("Randomness of the answer.", 0)),
  maxOutputTokens: opt(whole("Longest answer, in tokens.", 1)),
  schema: opt(z.record(z.string(), z.unknown()).check(about("JSON Schema that the answer must satisfy."))),
  timeout: opt(timeout),
  retry: opt(retry),
  cache: opt(cache),
  budget: opt(
    z
      .object({
        tokens: opt(whole("Tokens, in and out.", 1)),
        usd: opt(z.number().check(z.gt(0), about("US dollars."))),
      })
      .check(about("Stops the node when it is used up.")),
  ),
  needsUserApproval: opt(needsUserApproval),
  approval: opt(approval),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
});

const variableName = filled("The name under which the value is referenced: ${name}.");

export const variableData = z.object({
  title,
  variableName,
  initialValue: opt(text("The value when nothing feeds the node. A template.")),
  content: opt(text("The value. A template; goes before the parent and initialValue.")),
  secret: opt(flag("The value is masked everywhere, and kept encrypted only while the run lasts.")),
});

export const ifData = z.object({
  title,
  content: opt(
    text("An expression, or a comparison like ${1} == done; empty asks whether the first parent succeeded."),
  ),
});

const countOr = (description: string) => either([z.number(), z.string()], "a whole number or a template", description);

export const loopStartData = z.object({
  title,
  loopVariable: opt(filled("Name of the counter. Default i.")),
  iterations: opt(countOr("Number of passes, or a template that gives it.")),
  start: opt(countOr("First value of the counter. Default 1.")),
  items: opt(filled("A template or expression that gives a JSON array or lines, or a list: one pass for each.")),
  as: opt(filled("With items: name of the item. Default item.")),
  while: opt(filled("An expression, asked before each pass.")),
  maxIterations: opt(whole("More passes fail the node. Default 10000.", 1)),
  maxConcurrency: opt(whole("Passes at a time. Default 1.", 1, 10_000)),
});

export const loopEndData = z.object({
  title,
  until: opt(filled("An expression, asked after each pass; true ends the loop.")),
});

export const accumulatorData = z.object({
  title,
  variableName,
  initialValue: opt(text("What the collection begins with. A template.")),
  content: opt(text("What is added. A template; empty means all parents.")),
  format: opt(oneOf(["lines", "json"], "lines: joined by line breaks. json: an array. Default lines.")),
  flatten: opt(flag("With json: arrays are added element by element.")),
});

export const startData = z.object({ title });
export const textData = z.object({ title, content: text("The text. A template.") });

export const subflowData = z.object({
  title,
  workflow: filled("The workflow file, relative to the folder of this one."),
  inputs: opt(z.record(z.string(), z.string()).check(about("Its inputs. Values are templates."))),
  timeout: opt(timeout),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
});

export const dataOf = {
  cli: cliData,
  llm: llmData,
  variable: variableData,
  if: ifData,
  "loop-start": loopStartData,
  "loop-end": loopEndData,
  accumulator: accumulatorData,
  start: startData,
  text: textData,
  subflow: subflowData,
} as const satisfies Record<model.NodeType, z.ZodMiniType>;

export const NODE_ID = new RegExp(`^[A-Za-z_][A-Za-z0-9_-]{0,${limits.idCharsMax - 1}}$`);

export const edge = z.object({
  source: filled("Id of the node it leaves."),
  target: filled("Id of the node it enters."),
  sourceHandle: opt(
    either(
      [z.string(), z.boolean()],
      "text",
      "true or false on an IF, error on a cli, llm or subflow node; absent: the plain output.",
    ),
  ),
  targetHandle: opt(text("Kept for editors.")),
  id: opt(text("Kept for editors.")),
});

export const inputSpec = z.object({
  type: oneOf(["string", "integer", "number", "boolean", "object", "array"], "Type of the value."),
  description: opt(text("What it is for.")),
  required: opt(flag("A run without it is refused. Default false.")),
  default: opt(z.unknown().check(about("The value when none is given."))),
  enum: opt(
    z
      .array(either([z.string(), z.number()], "a text or a number", "An allowed value."))
      .check(z.minLength(1), about("The allowed values.")),
  ),
  pattern: opt(text("A regular expression that a string must match.")),
  minLength: opt(whole("Shortest string.", 0)),
  maxLength: opt(whole("Longest string.", 0)),
  minimum: opt(z.number().check(about("Smallest number."))),
  maximum: opt(z.number().check(about("Largest number."))),
});

const trigger = z.object({
  schedule: opt(
    z.object({
      cron: filled("Five fields: minute, hour, day, month, weekday."),
      timezone: opt(filled("An IANA name such as Europe/Berlin.")),
      catchUp: opt(oneOf(["latest", "all", "none"], "What happens to times that passed while nothing ran.")),
      overlap: opt(oneOf(["skip", "queue", "cancel", "allow"], "When the run before is not over.")),
    }),
  ),
  webhook: opt(
    z.object({
      path: filled("Last part of the hook's address."),
      secret: opt(filled("Name of the secret that signs deliveries.")),
      verify: opt(
        oneOf(["github", "stripe", "slack", "standard-webhooks", "token", "none"], "How a delivery proves its origin."),
      ),
      respond: opt(whole("HTTP status of the answer.", 200, 299)),
    }),
  ),
  file: opt(
    z.object({
      paths: words("Files that are watched, with * and **."),
      on: opt(z.array(oneOf(["add", "change", "remove"], "A change of a file."))),
    }),
  ),
});

/** The fields of the document, except nodes and edges, whose items are checked one by one. */
export const documentFields = {
  $schema: opt(text("For editors only.")),
  name: opt(filled("What people see. Default: the file's name.")),
  description: opt(text("What it is for.")),
  on: opt(z.array(trigger).check(about("What starts a run while `curlew serve` runs."))),
  inputs: opt(z.record(z.string(), inputSpec).check(about("Typed inputs of a run."))),
  secrets: opt(words("Names whose values are masked everywhere and never stored.")),
  auth: opt(z.record(z.string(), authEntry).check(about("Named credentials for nodes."))),
  defaults: opt(
    z.record(z.string(), z.unknown()).check(about("Merged under the data of every node whose kind knows the field.")),
  ),
  concurrency: opt(whole("Nodes of one run at a time. Default twice the cores, at least 4.", 1, 10_000)),
  timeout: opt(duration("Time for the whole run.")),
  limits: opt(z.object({ outputBytes: opt(size("A command that prints more is ended. Default 10GB.")) })),
  egress: opt(egress),
  output: opt(filled("Id of the node whose value is the run's result.")),
  finally: opt(words("Ids of nodes that run always, at the end.")),
  layout: opt(
    z
      .record(z.string(), z.tuple([place, place], { error: "a list of two numbers, [x, y]" }))
      .check(about("Places on the canvas.")),
  ),
};
export const documentHead = z.object(documentFields);

/** All fields in canonical order: `curlew fmt` and the message about unknown fields use it. */
export const DOCUMENT_ORDER = [
  "$schema",
  "curlew",
  "name",
  "description",
  "on",
  "inputs",
  "secrets",
  "auth",
  "defaults",
  "concurrency",
  "timeout",
  "limits",
  "egress",
  "nodes",
  "edges",
  "output",
  "finally",
  "layout",
] as const;

export type DocumentHead = z.infer<typeof documentHead>;

// Proofs of C1: each line compiles only when both sides have the same fields with the same types.
type Agree<A, B> = [Required<A>, keyof A] extends [Required<B>, keyof B]
  ? [Required<B>, keyof B] extends [Required<A>, keyof A]
    ? [A, B] extends [B, A]
      ? true
      : never
    : never
  : never;
type Data<K extends model.NodeType> = z.infer<(typeof dataOf)[K]>;
type Modelled<K extends model.NodeType> = Extract<model.WorkflowNode, { type: K }>["data"];
type Proofs = { [K in model.NodeType]: Agree<Data<K>, Modelled<K>> } & {
  input: Agree<z.infer<typeof inputSpec>, model.InputSpec>;
};
export const agreed: Proofs = {
  cli: true,
  llm: true,
  variable: true,
  if: true,
  "loop-start": true,
  "loop-end": true,
  accumulator: true,
  start: true,
  text: true,
  subflow: true,
  input: true,
};
