// model: the workflow after parsing and normalising (spec 1.1, 1.2). Fields marked † in the spec keep their names and
// types.
//   M1. Edges are in the long form, and `defaults` are merged into every node's data.
//   M2. Durations and sizes are still text (see base/duration.ts).
// Not included: run results, positions in the text (see SourceMap), and computed values.

export const NodeType = {
  CLI: "cli",
  LLM: "llm",
  VARIABLE: "variable",
  IF: "if",
  LOOP_START: "loop-start",
  LOOP_END: "loop-end",
  ACCUMULATOR: "accumulator",
  START: "start",
  TEXT: "text",
  SUBFLOW: "subflow",
} as const;
export type NodeType = (typeof NodeType)[keyof typeof NodeType];

/** A duration of 1.5: `250ms`, `30s`, `PT30S`. Validated; convert it to milliseconds with `parseDuration`. */
export type DurationText = string;

export type Shell = "bash" | "sh" | "zsh" | "pwsh" | "cmd";

export interface RetryPolicy {
  maxAttempts?: number;
  initialInterval?: DurationText;
  multiplier?: number;
  maxInterval?: DurationText;
  maxDuration?: DurationText;
  jitter?: "full" | "none";
  respectRetryAfter?: boolean;
  /** Exit codes and HTTP statuses, or an expression. */
  on?: string | { exitCodes?: number[]; statuses?: number[] };
}

export interface CliData {
  title: string;
  content: string;
  mode?: "command" | "script";
  shell?: Shell;
  safetyLevel?: "safe" | "advanced";
  needsUserApproval?: boolean;
  streamOutput?: boolean;
  stdin?: { source: "parent-index" | "parents-all" | "literal" | "none"; parentIndex?: number; literal?: string };
  env?: {
    static?: Record<string, string>;
    exposeParents?: boolean;
    names?: string[];
    inherit?: boolean | string[];
  };
  flags?: {
    executionPolicyBypass?: boolean;
    exitOnError?: boolean;
    pipefail?: boolean;
    unsetVars?: boolean;
    noProfile?: boolean;
  };
  cwd?: string;
  timeout?: DurationText;
  idleTimeout?: DurationText;
  killGrace?: DurationText;
  retry?: RetryPolicy;
  successExitCodes?: number[];
  continueOnError?: boolean;
  onLost?: "fail" | "retry" | "ask";
  output?: { format?: "text" | "json" | "lines"; select?: string };
  cache?: { key: string; ttl: DurationText };
  rateLimit?: { key: string; limit: number; per: DurationText };
  concurrency?: { key: string; limit: number };
  approval?: { prompt?: string; timeout?: DurationText; onTimeout?: "reject" | "approve" | "fail" };
  auth?: string | Record<string, string>;
  httpErrors?: "fail" | "warn" | "ignore";
  sandbox?: "none" | "no-network" | "read-only" | "strict";
  egress?: "https" | "any" | { allow: string[] };
  runsOn?: string[];
  emit?: "lines";
  /** With `emit`: how many lines are processed in parallel, and what a failure ends. */
  maxConcurrency?: number;
  onLineFailure?: "continue" | "fail";
}

export interface LlmData {
  title: string;
  content: string;
  model: string;
  system?: string;
  temperature?: number;
  maxOutputTokens?: number;
  schema?: Record<string, unknown>;
  timeout?: DurationText;
  idleTimeout?: DurationText;
  retry?: RetryPolicy;
  cache?: { key: string; ttl: DurationText };
  budget?: { tokens?: number; usd?: number };
  needsUserApproval?: boolean;
  approval?: NonNullable<CliData["approval"]>;
  continueOnError?: boolean;
  onLost?: "fail" | "retry" | "ask";
}

export interface VariableData {
  title: string;
  variableName: string;
  initialValue?: string;
  content?: string;
  secret?: boolean;
}

export interface IfData {
  title: string;
  content?: string;
}

export interface LoopStartData {
  title: string;
  loopVariable?: string;
  iterations?: number | string;
  start?: number | string;
  items?: string;
  as?: string;
  while?: string;
  maxIterations?: number;
  maxConcurrency?: number;
}

export interface LoopEndData {
  title: string;
  until?: string;
}

export interface AccumulatorData {
  title: string;
  variableName: string;
  initialValue?: string;
  content?: string;
  format?: "lines" | "json";
  flatten?: boolean;
}

export interface StartData {
  title: string;
}

export interface TextData {
  title: string;
  content: string;
}

export interface SubflowData {
  title: string;
  /** A path relative to the folder of this workflow. */
  workflow: string;
  inputs?: Record<string, string>;
  timeout?: DurationText;
  continueOnError?: boolean;
  onLost?: "fail" | "retry" | "ask";
}

interface NodeOf<T extends NodeType, D> {
  id: string;
  type: T;
  data: D;
  /** Fields that come only from the workflow's `defaults`. */
  inherited?: readonly string[];
}

export type CliNode = NodeOf<"cli", CliData>;
export type LlmNode = NodeOf<"llm", LlmData>;
export type VariableNode = NodeOf<"variable", VariableData>;
export type IfNode = NodeOf<"if", IfData>;
export type LoopStartNode = NodeOf<"loop-start", LoopStartData>;
export type LoopEndNode = NodeOf<"loop-end", LoopEndData>;
export type AccumulatorNode = NodeOf<"accumulator", AccumulatorData>;
export type StartNode = NodeOf<"start", StartData>;
export type TextNode = NodeOf<"text", TextData>;
export type SubflowNode = NodeOf<"subflow", SubflowData>;

export type WorkflowNode =
  | CliNode
  | LlmNode
  | VariableNode
  | IfNode
  | LoopStartNode
  | LoopEndNode
  | AccumulatorNode
  | StartNode
  | TextNode
  | SubflowNode;

export interface Edge {
  source: string;
  target: string;
  /** `true` or `false` on an IF, `error` on a node that runs something; absent: the plain output. */
  sourceHandle?: string;
  targetHandle?: string;
  id?: string;
}

export interface InputSpec {
  type: "string" | "integer" | "number" | "boolean" | "object" | "array";
  description?: string;
  required?: boolean;
  default?: unknown;
  enum?: (string | number)[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export interface Workflow {
  curlew: 1;
  name: string;
  description?: string;
  /** It was imported: none of its commands, or its subflows' commands, runs before the user has approved it (4.2). */
  imported?: { from: string; at?: string; sha256?: string };
  inputs: Record<string, InputSpec>;
  secrets: string[];
  concurrency?: number;
  timeout?: DurationText;
  limits?: { outputBytes?: string };
  egress?: NonNullable<CliData["egress"]>;
  auth?: Record<string, Record<string, string>>;
  on?: Record<string, unknown>[];
  nodes: WorkflowNode[];
  edges: Edge[];
  /** The node whose value is the run's result. */
  output?: string;
  /** Nodes that always run, after all others are finished or skipped. */
  finally: string[];
  layout?: Record<string, [number, number]>;
}
