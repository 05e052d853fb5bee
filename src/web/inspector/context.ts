// context: shared by all fields of the panel: the node, the document, the findings, and how to change the document.

import { createContext, useContext, useMemo } from "react";
import type { Graph } from "../../workflow/graph.ts";
import type { NodeType } from "../../workflow/model.ts";
import type { Finding, Findings } from "../code/places.ts";
import type { CodeGrounds } from "../code/references.ts";
import { isMapValue } from "../document/equal.ts";
import { getIn } from "../document/plain.ts";
import { renameVariable, retitle } from "../document/rename.ts";
import type { Doc, Edit } from "../document/types.ts";
import type { FieldSpec } from "../kinds.ts";
import { type FieldPath, setValue } from "./edits.ts";
import { expressionNames, factScope, type ScopeName, scopeAt } from "./scope.ts";
import { type LastValues, lastOf } from "./values.ts";

export interface PanelContext {
  doc: Doc;
  graph: Graph;
  findings: Findings;
  /** Whether the findings are about the current text, so that their fixes apply. */
  isChecked: boolean;
  last: LastValues;
  onEdit: (edit: Edit) => void;
  /** The shown node. Absent: the panel shows the document's own fields. */
  node?: ShownNode;
}

export interface ShownNode {
  id: string;
  /** The same while the node gets another id, so that its fields keep the focus. */
  key: string;
  /** Index in the document's list. */
  index: number;
  type: NodeType;
  /** As written. */
  data: Record<string, unknown>;
  /** As it takes effect, with the document's `defaults`. */
  effective: Record<string, unknown>;
}

export const Panel = createContext<PanelContext | undefined>(undefined);

export function usePanel(): PanelContext {
  const panel = useContext(Panel);
  if (panel === undefined) throw new Error("A field of the inspector stands outside of it.");
  return panel;
}

export interface FieldState {
  value: unknown;
  /** The value from the document's `defaults`, if the node has none. */
  inherited: unknown;
  findings: readonly Finding[];
  set: (value: unknown, label?: string) => void;
}

/** The shown data and its path in the document. */
export function shownData({ doc, node }: PanelContext): { data: unknown; at: (string | number)[] } {
  return node === undefined ? { data: doc.plain, at: [] } : { data: node.data, at: ["nodes", node.index, "data"] };
}

/** A field of the node, or of the document if no node is shown. */
export function useField(path: FieldPath): FieldState {
  const panel = usePanel();
  const { node, findings, onEdit } = panel;
  const { data, at } = shownData(panel);
  const value = getIn(data, path);
  const change = (id: string | undefined, next: unknown, label?: string) => {
    if (id !== undefined && typeof next === "string" && next !== "") {
      if (path[0] === "variableName") return renameVariable(id, next);
      if (path[0] === "title") return retitle(id, next, panel.last.attempt(id) !== undefined);
    }
    return setValue(id, path, next, label);
  };
  return {
    value,
    inherited: value === undefined && node !== undefined ? getIn(node.effective, path) : undefined,
    findings: isMapValue(value) ? findings.at([...at, ...path]) : findings.under([...at, ...path]),
    set: (next, label) => onEdit(change(node?.id, next, label)),
  };
}

/** The names that a field can use, and their last values. */
export function useGrounds(
  spec: Pick<FieldSpec, "own" | "inside">,
  mode: "template" | "expression",
  lenient = false,
): CodeGrounds {
  const { graph, node, last } = usePanel();
  const { own, inside } = spec;
  return useMemo(() => {
    const field = { own, inside };
    const names =
      mode === "template"
        ? [...scopeAt(graph, node?.id ?? "", field), ...factScope(graph.nodes[graph.indexOf.get(node?.id ?? "") ?? -1])]
        : expressionNames(graph, node?.id ?? "", field);
    const found = (name: { name: string }) => names.find((one) => one.name === name.name) as ScopeName | undefined;
    const lookUp = (name: { name: string }) => lastOf(found(name), last)?.text;
    const origin = (name: { name: string }) => lastOf(found(name), last)?.origin;
    return { mode, names, last: lookUp, origin, lenient };
  }, [graph, node?.id, last, own, inside, mode, lenient]);
}
