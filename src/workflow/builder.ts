// builder: workflows in TypeScript (`NAME.flow.ts`, default export), where the compiler checks every field and id.
//   B1. It produces the object that a YAML file would contain, and can express nothing more.
//   B2. It checks nothing at run time: the workflow passes through parse and validate like any other.
//
//   export default workflow({ name: "Fetch" })
//     .cli("fetch", { title: "Fetch", content: "curl --fail https://example.org/items" })
//     .text("show", { title: "Show", content: "Got: ${1}" })
//     .edge("fetch", "show");

import { stringify } from "yaml";
import type { CliData, DataOf, Edge, InputSpec, LlmData, NodeType, Workflow, WorkflowNode } from "./model.ts";

/** A workflow as written in a file: defaults may be omitted, and edges may be chains. */
export interface WorkflowDocument {
  curlew: 1;
  name?: string;
  description?: string;
  on?: Record<string, unknown>[];
  inputs?: Record<string, InputSpec>;
  secrets?: string[];
  auth?: Record<string, Record<string, string>>;
  defaults?: Partial<CliData & LlmData> | Record<string, unknown>;
  concurrency?: number;
  timeout?: string;
  limits?: NonNullable<Workflow["limits"]>;
  egress?: NonNullable<Workflow["egress"]>;
  runsOn?: string[];
  nodes: WorkflowNode[];
  edges?: (string | Edge)[];
  output?: string;
  onFailure?: string[];
  finally?: string[];
  layout?: Record<string, [number, number]>;
}

type Head = Omit<WorkflowDocument, "curlew" | "nodes" | "edges" | "output" | "onFailure" | "finally" | "layout">;

/** A node in a chain, with an optional handle: `check`, `check:true`, `fetch:error`. */
export type Stop<Id extends string> = Id | `${Id}:true` | `${Id}:false` | `${Id}:error`;

/** Types a workflow that is written as one object. */
export function defineWorkflow(document: WorkflowDocument): WorkflowDocument {
  return document;
}

/** Starts a workflow; add nodes, then edges. */
export function workflow(head: Head = {}): WorkflowBuilder<never> {
  return new WorkflowBuilder({ curlew: 1, ...head, nodes: [], edges: [] });
}

export class WorkflowBuilder<Id extends string> {
  /** The workflow that `curlew run` reads. */
  readonly document: WorkflowDocument;

  constructor(document: WorkflowDocument) {
    this.document = document;
  }

  cli<New extends string>(id: New, data: DataOf["cli"]): WorkflowBuilder<Id | New> {
    return this.node(id, "cli", data);
  }
  llm<New extends string>(id: New, data: DataOf["llm"]): WorkflowBuilder<Id | New> {
    return this.node(id, "llm", data);
  }
  variable<New extends string>(id: New, data: DataOf["variable"]): WorkflowBuilder<Id | New> {
    return this.node(id, "variable", data);
  }
  if<New extends string>(id: New, data: DataOf["if"]): WorkflowBuilder<Id | New> {
    return this.node(id, "if", data);
  }
  loopStart<New extends string>(id: New, data: DataOf["loop-start"]): WorkflowBuilder<Id | New> {
    return this.node(id, "loop-start", data);
  }
  loopEnd<New extends string>(id: New, data: DataOf["loop-end"]): WorkflowBuilder<Id | New> {
    return this.node(id, "loop-end", data);
  }
  accumulator<New extends string>(id: New, data: DataOf["accumulator"]): WorkflowBuilder<Id | New> {
    return this.node(id, "accumulator", data);
  }
  start<New extends string>(id: New, data: DataOf["start"]): WorkflowBuilder<Id | New> {
    return this.node(id, "start", data);
  }
  text<New extends string>(id: New, data: DataOf["text"]): WorkflowBuilder<Id | New> {
    return this.node(id, "text", data);
  }
  subflow<New extends string>(id: New, data: DataOf["subflow"]): WorkflowBuilder<Id | New> {
    return this.node(id, "subflow", data);
  }

  /** Any kind of node, by the value of its `type`. */
  node<New extends string, Type extends NodeType>(id: New, type: Type, data: DataOf[Type]): WorkflowBuilder<Id | New> {
    const node = { id, type, data } as unknown as WorkflowNode;
    return new WorkflowBuilder({ ...this.document, nodes: [...this.document.nodes, node] });
  }

  /** `.edge("a", "b:true", "c")` is the chain `a -> b:true -> c`. */
  edge(from: Stop<Id>, to: Stop<Id>, ...more: Stop<Id>[]): WorkflowBuilder<Id> {
    const edges = [...(this.document.edges ?? []), [from, to, ...more].join(" -> ")];
    return new WorkflowBuilder({ ...this.document, edges });
  }

  /** The node whose value is the run's result. */
  output(id: Id): WorkflowBuilder<Id> {
    return new WorkflowBuilder({ ...this.document, output: id });
  }

  /** Nodes that run when the run has failed or timed out. */
  onFailure(...ids: Id[]): WorkflowBuilder<Id> {
    return new WorkflowBuilder({ ...this.document, onFailure: ids });
  }

  /** Nodes that always run at the end. */
  finally(...ids: Id[]): WorkflowBuilder<Id> {
    return new WorkflowBuilder({ ...this.document, finally: ids });
  }

  layout(places: Partial<Record<Id, [number, number]>>): WorkflowBuilder<Id> {
    return new WorkflowBuilder({ ...this.document, layout: places as Record<string, [number, number]> });
  }

  /** The workflow as the text of a `.flow.yaml` file. */
  toYaml(): string {
    return stringify(this.document, { lineWidth: 0 });
  }
}
