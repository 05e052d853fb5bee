// trigger kind: what the rooms of a document need to know about one kind of trigger. src/server/triggers has the half
// that starts runs.

import type * as z from "zod/mini";
import type { Check } from "../check/context.ts";
import type { Path } from "../source-map.ts";

export interface TriggerKind<S extends z.ZodMiniObject = z.ZodMiniObject> {
  /** Its name in messages. */
  name: string;
  /** The heading of its list. */
  plural: string;
  /** The fields of its entry. */
  data: S;
  /** The values of fields that are absent. */
  defaults: Partial<z.infer<S>>;
  /** A new entry in the editor. */
  example: z.infer<S>;
  /** Members of the JSON event that it brings. `any`: they depend on the sender. Absent: it brings no event. */
  event?: readonly string[] | "any";
  /** While this stays the same, the trigger keeps its state: what it has started, and whether it is paused. */
  identity(data: z.infer<S>): unknown;
  /** Checks that go beyond the shape of its fields. `before`: earlier entries of this kind. Any field may be absent. */
  check(data: Partial<z.infer<S>>, path: Path, check: Check, before: readonly Entry<S>[]): void;
}

export interface Entry<S extends z.ZodMiniObject> {
  data: Partial<z.infer<S>>;
  path: Path;
}

/** A trigger of a document, with the defaults of its kind. */
export type TriggerOf<Name extends string, S extends z.ZodMiniObject, Defaulted extends keyof z.infer<S>> = {
  kind: Name;
  /** Index in `on:`. */
  index: number;
} & Omit<z.infer<S>, Defaulted> &
  Required<Pick<z.infer<S>, Defaulted>>;
