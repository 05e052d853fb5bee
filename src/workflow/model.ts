// model: the workflow after parsing and normalising (spec 1.1, 1.2). Fields marked † in the spec keep their names and
// types.
//   M1. Edges are in the long form, and `defaults` are merged into every node's data.
//   M2. Durations and sizes are still text (see base/duration.ts).

import type { DataOf, NodeType } from "./node-data.ts";

export type { DataOf, NodeType };

/** A duration of 1.5: `250ms`, `30s`, `PT30S`. Validated; convert it to milliseconds with `parseDuration`. */
export type DurationText = string;

export type CliData = DataOf["cli"];
export type LlmData = DataOf["llm"];
export type SubflowData = DataOf["subflow"];
export type VariableData = DataOf["variable"];
export type IfData = DataOf["if"];
export type LoopStartData = DataOf["loop-start"];
export type LoopEndData = DataOf["loop-end"];
export type AccumulatorData = DataOf["accumulator"];
export type StartData = DataOf["start"];
export type TextData = DataOf["text"];
export type Shell = NonNullable<CliData["shell"]>;
export type RetryPolicy = NonNullable<CliData["retry"]>;

type NodeOf<T extends NodeType> = {
  id: string;
  type: T;
  data: DataOf[T];
  /** Fields that come only from the workflow's `defaults`. */
  inherited?: readonly string[];
};

export type WorkflowNode = { [T in NodeType]: NodeOf<T> }[NodeType];

export type CliNode = NodeOf<"cli">;
export type LlmNode = NodeOf<"llm">;
export type VariableNode = NodeOf<"variable">;
export type IfNode = NodeOf<"if">;
export type LoopStartNode = NodeOf<"loop-start">;
export type LoopEndNode = NodeOf<"loop-end">;
export type AccumulatorNode = NodeOf<"accumulator">;
export type StartNode = NodeOf<"start">;
export type TextNode = NodeOf<"text">;
export type SubflowNode = NodeOf<"subflow">;

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
  /** Variables of the environment that are not secret, whatever their names say. */
  unmasked?: string[];
  concurrency?: number;
  timeout?: DurationText;
  limits?: { outputBytes?: string };
  egress?: NonNullable<CliData["egress"]>;
  /** Labels that the machine of the run must have. */
  runsOn?: string[];
  auth?: Record<string, Record<string, string>>;
  on?: Record<string, unknown>[];
  /** Values kept between runs: each name with the value before the first one is stored. */
  state?: Record<string, string>;
  nodes: WorkflowNode[];
  edges: Edge[];
  /** The node whose value is the run's result. */
  output?: string;
  /** Nodes that run after a run failed or timed out, before those of `finally`. */
  onFailure?: string[];
  /** Nodes that always run, after all others are finished or skipped. */
  finally: string[];
  layout?: Record<string, [number, number]>;
}
