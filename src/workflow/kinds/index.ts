// kinds: the registry of node kinds. Everything that differs between them is in their descriptors.

import type { NodeType } from "../node-data.ts";
import { accumulator } from "./accumulator.ts";
import { cli } from "./cli.ts";
import { ifKind } from "./if.ts";
import type { Kind } from "./kind.ts";
import { llm } from "./llm.ts";
import { loopEnd, loopStart } from "./loop.ts";
import { start } from "./start.ts";
import { subflow } from "./subflow.ts";
import { text } from "./text.ts";
import { variable } from "./variable.ts";

export const KINDS = {
  cli,
  llm,
  variable,
  if: ifKind,
  "loop-start": loopStart,
  "loop-end": loopEnd,
  accumulator,
  start,
  text,
  subflow,
};

/** The descriptor of a node's kind. The caller passes it data of that kind only. */
export function kindOf({ type }: { type: NodeType }): Kind {
  return KINDS[type] as unknown as Kind;
}

export function isNodeType(type: string): type is NodeType {
  return Object.hasOwn(KINDS, type);
}

/** Whether nodes of this kind may have the field in their data. */
export function knows(node: { type: NodeType }, field: string): boolean {
  return field in kindOf(node).data.shape;
}

/** The ports by which its edges leave. `undefined` is the plain one. */
export function portsOf(type: NodeType): readonly (string | undefined)[] {
  const { runs, effect } = kindOf({ type });
  if (effect === "branch") return ["true", "false"];
  return runs ? [undefined, "error"] : [undefined];
}
