// node-data: the data of each kind of node, as types. The published declarations of this file are written without zod
// (scripts/print-types.ts).

import type * as z from "zod/mini";
import { KINDS } from "./kinds/index.ts";

export type NodeType = keyof typeof KINDS;

export type DataOf = { [T in NodeType]: z.infer<(typeof KINDS)[T]["data"]> };

type Constant<T extends string> = T extends `${infer A}-${infer B}` ? `${Uppercase<A>}_${Uppercase<B>}` : Uppercase<T>;

/** `NodeType.LOOP_START` is "loop-start". */
export const NodeType = Object.fromEntries(
  Object.keys(KINDS).map((type) => [type.replace("-", "_").toUpperCase(), type]),
) as { [T in NodeType as Constant<T>]: T };
