// schema: the fields of a workflow document and what each means (spec 1.1, 1.2); the one source for the check of a
// document's shape, the JSON Schema and the reference. `x-…` keys are allowed in every map of fields and kept in the text only.
//   C1. These schemas and the types of model.ts agree; the proofs at the end fail to compile when they do not.
// schema/kinds.ts says what a duration or a name is, shared.ts what several places know, node.ts and document.ts the rest.

import type * as z from "zod/mini";
import type * as model from "./model.ts";
import type { inputSpec } from "./schema/document.ts";
import type { dataOf } from "./schema/node.ts";

export { DOCUMENT_ORDER, type DocumentHead, documentFields, documentHead, edge } from "./schema/document.ts";
export { CODED } from "./schema/kinds.ts";
export { dataOf, NODE_ID } from "./schema/node.ts";

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
