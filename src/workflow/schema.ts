// schema: the fields of a workflow file and their meaning (spec 1.1, 1.2). The shape check, the JSON Schema and the
// reference are derived from it. `x-…` keys are allowed in every object of fields and kept in the text only.
//   C1. These schemas and the types of model.ts agree; the proofs at the end fail to compile if they do not.
// Durations and names are in schema/kinds.ts, shared parts in shared.ts, the rest in node.ts and document.ts.

import type * as z from "zod/mini";
import type * as model from "./model.ts";
import type { inputSpec } from "./schema/document.ts";
import type { dataOf } from "./schema/node.ts";

export { DOCUMENT_ORDER, type DocumentHead, documentFields, documentHead, edge } from "./schema/document.ts";
export { CODED } from "./schema/kinds.ts";
export { dataOf, NODE_ID } from "./schema/node.ts";

// Proofs of C1: each line compiles only if both sides have the same fields with the same types.
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
