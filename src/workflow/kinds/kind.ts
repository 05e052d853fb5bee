// kind: what the rooms of a document need to know about one kind of node. src/kinds has the half that runs it.

import type * as z from "zod/mini";
import type { Check } from "../check/context.ts";
import type { Path } from "../source-map.ts";

/**
 * How a field is read:
 * - `template`: a template that no shell reads. `own`: it also sees the node's env.static. `templates`: a map of them.
 * - `script`: a template that becomes a shell script.
 * - `expression`. `inside`: it is read inside the loop that the node starts or ends.
 * - `either`: a template if it contains `${`, otherwise an expression.
 */
export type Reading = "template" | "own" | "templates" | "script" | "expression" | "inside" | "either";

/** The nodes (by index) and inputs (by name) that a value can be made of. */
export type Source = number | string;

export interface Sources {
  parents: readonly Source[];
  /** The workflow's inputs. */
  inputs: readonly Source[];
  template(text: string | undefined): Source[];
  expression(text: string): Source[];
}

/** The parts of a step in a dry run. */
export interface Shown {
  command?: string;
  model?: string;
  system?: string;
  timeout?: string;
  inputs?: Record<string, string>;
}

export interface Filling {
  /** The template with known values filled in. */
  fill(text: string): string;
  /** The same for the node's own value, which may be a secret. */
  value(text: string): string;
  /** The text on one line. */
  line(text: string): string;
  hasParents: boolean;
}

export interface Kind<S extends z.ZodMiniObject = z.ZodMiniObject> {
  /** Its name on cards and in the editor. */
  name: string;
  /** In the inspector, if it is another. */
  longName?: string;
  /** In `curlew graph`. */
  sign?: string;
  /** The fields of its data. */
  data: S;
  /** It runs something that can succeed or fail. It gets attempts, and its failure leaves by the port `error`. */
  runs?: true;
  /**
   * Its effect besides having a value. `branch`: its edges leave by `true` or `false`. `collects`: it adds to a list.
   * `loop`: it starts or ends a loop.
   */
  effect?: "branch" | "collects" | "loop";
  /** Its fields with references, by path. */
  texts?: Readonly<Record<string, Reading>>;
  /** Checks that go beyond the shape of its data. `path`: the position of its data. */
  check?(node: { id: string; data: z.infer<S> }, path: Path, check: Check): void;
  /** The sources of its value. Absent: none. */
  sources?(data: z.infer<S>, from: Sources): readonly Source[];
  /** Whether the document declares its value as JSON. */
  isJson?(data: z.infer<S>, value: string): boolean;
  /** For `curlew graph`. `line` makes a text fit on one line. */
  describe?(data: z.infer<S>, line: (text: string) => string): string;
  /** For `--dry-run`. */
  show?(data: z.infer<S>, filling: Filling): Shown;
}

export interface TextField {
  path: Path;
  text: string;
  /** Its name in a map of templates. */
  key?: string;
  reading: Exclude<Reading, "templates" | "either">;
}

/** The fields that hold a text with references, by the `texts` of the kind. */
export function textsOf({ texts }: Kind, data: object): TextField[] {
  return Object.entries(texts ?? {}).flatMap(([dotted, reading]): TextField[] => {
    const path = dotted.split(".");
    const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], data);
    if (reading !== "templates")
      return typeof value !== "string" ? [] : [{ path, text: value, reading: readingOf(reading, value) }];
    if (typeof value !== "object") return [];
    return Object.entries(value as Record<string, unknown>).flatMap(([key, text]): TextField[] =>
      typeof text === "string" ? [{ path: [...path, key], key, text, reading: "template" }] : [],
    );
  });
}

function readingOf(reading: Exclude<Reading, "templates">, text: string): TextField["reading"] {
  if (reading !== "either") return reading;
  return text.includes("${") ? "template" : "expression";
}
