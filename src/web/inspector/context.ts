// context: shared by all fields of the panel: the node, the document, the findings, and how to change the document.

import { createContext, useContext, useMemo } from "react";
import type { Graph } from "../../workflow/graph.ts";
import type { NodeType } from "../../workflow/model.ts";
import type { Finding, Findings } from "../code/places.ts";
import type { CodeGrounds } from "../code/references.ts";
import { isMapValue } from "../document/equal.ts";
import { getIn } from "../document/plain.ts";
import { renameVariable } from "../document/rename.ts";
import type { Doc, Edit } from "../document/types.ts";
import { fixInNode, setInDocument, setInNode } from "./edits.ts";
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
  /** Path in the document. */
  path: (string | number)[];
}

/** A field of the node, or of the document if no node is shown. */
export function useField(path: readonly (string | number)[]): FieldState {
  const { doc, node, inDefaults, findings, onEdit } = usePanel();
  const rooted = inDefaults === true ? ["defaults", ...path] : [...path];
  const whole = node === undefined ? rooted : ["nodes", node.index, "data", ...path];
  const value = node === undefined ? getIn(doc.plain, rooted) : getIn(node.data, path);
  return {
    value,
    inherited: value === undefined && node !== undefined ? getIn(node.effective, path) : undefined,
    findings: isMapValue(value) ? findings.at(whole) : findings.under(whole),
    set: (next, label) =>
      onEdit(
        node === undefined
          ? setInDocument(rooted, next, label)
          : path[0] === "variableName" && typeof next === "string" && next !== ""
            ? renameVariable(node.id, next)
            : setInNode(node.id, path, next, label),
      ),
    path: whole,
  };
}

/** Applies a fix that changes more than its field. */
export function useFix(path: readonly (string | number)[]) {
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
    const field = { ...(own ? { own } : {}), ...(inside ? { inside } : {}) };
    const names =
      mode === "template" ? scopeAt(graph, node?.id ?? "", field) : expressionNames(graph, node?.id ?? "", field);
    const lookUp = (name: { name: string }) => {
      const found = names.find((one) => one.name === name.name) as ScopeName | undefined;
      return found?.node === undefined || found.kind === "loop" ? undefined : last.of(found.node)?.text;
    };
    return { mode, names, last: lookUp, lenient };
  }, [graph, node?.id, last, own, inside, mode, lenient]);
}
