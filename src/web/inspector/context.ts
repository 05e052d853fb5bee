// context: shared by all fields of the panel: the node, the document, the findings, and how to change the document.

import { createContext, useContext, useMemo } from "react";
import type { Graph } from "../../workflow/graph.ts";
import type { NodeType } from "../../workflow/model.ts";
import type { Finding, Findings } from "../code/places.ts";
import type { CodeGrounds } from "../code/references.ts";
import { isMapValue } from "../document/equal.ts";
import { getIn, together } from "../document/plain.ts";
import { renameVariable } from "../document/rename.ts";
import type { Doc, Edit } from "../document/types.ts";
import { type FieldPath, fixInNode, setValue } from "./edits.ts";
import type { FieldSpec } from "./form.ts";
import { expressionNames, type ScopeName, scopeAt } from "./scope.ts";
import type { LastValues } from "./values.ts";

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
  /** The fields belong to the document's `defaults`. */
  inDefaults?: true;
  /** All selected nodes: a change applies to each of them. `node` has the data that they share. */
  many?: readonly string[];
}

export interface ShownNode {
  id: string;
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

/** The shown data and its path in the document: those of the node, of the `defaults`, or of the document. */
export function shownData({ doc, node, inDefaults }: PanelContext): { data: unknown; at: (string | number)[] } {
  if (node !== undefined) return { data: node.data, at: ["nodes", node.index, "data"] };
  return inDefaults === true ? { data: doc.plain?.defaults, at: ["defaults"] } : { data: doc.plain, at: [] };
}

/** The path of a field for an edit, which takes a node's paths from its data. */
export function editPath({ node, inDefaults }: PanelContext, path: FieldPath): FieldPath {
  return node === undefined && inDefaults === true ? ["defaults", ...path] : path;
}

/** A field of the node, or of the document if no node is shown. */
export function useField(path: FieldPath): FieldState {
  const panel = usePanel();
  const { node, many, findings, onEdit } = panel;
  const { data, at } = shownData(panel);
  const value = getIn(data, path);
  const change = (id: string | undefined, next: unknown, label?: string) =>
    id !== undefined && path[0] === "variableName" && typeof next === "string" && next !== ""
      ? renameVariable(id, next)
      : setValue(id, editPath(panel, path), next, label);
  return {
    value,
    inherited: value === undefined && node !== undefined ? getIn(node.effective, path) : undefined,
    findings: isMapValue(value) ? findings.at([...at, ...path]) : findings.under([...at, ...path]),
    set: (next, label) =>
      onEdit(
        many === undefined
          ? change(node?.id, next, label)
          : together(
              `Change ${path.join(".")} of ${many.length} nodes`,
              many.map((id) => change(id, next)),
            ),
      ),
  };
}

/** Applies a fix that changes more than its field. */
export function useFix(path: FieldPath) {
  const { node, onEdit, isChecked } = usePanel();
  return useMemo(
    () =>
      node === undefined || !isChecked
        ? undefined
        : (fix: Parameters<typeof fixInNode>[3], text: string) => onEdit(fixInNode(node.id, path, text, fix)),
    [node, onEdit, path, isChecked],
  );
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
      mode === "template" ? scopeAt(graph, node?.id ?? "", field) : expressionNames(graph, node?.id ?? "", field);
    const lookUp = (name: { name: string }) => {
      const found = names.find((one) => one.name === name.name) as ScopeName | undefined;
      return found?.node === undefined || found.kind === "loop" ? undefined : last.of(found.node)?.text;
    };
    return { mode, names, last: lookUp, lenient };
  }, [graph, node?.id, last, own, inside, mode, lenient]);
}
