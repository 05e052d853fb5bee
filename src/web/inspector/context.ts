// context: what every field of the panel works with: the node, the document, what was found, how to change it.

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
  /** The findings are about the text as it is now: what they would mend stands where they say. */
  isChecked: boolean;
  last: LastValues;
  onEdit: (edit: Edit) => void;
  /** The node; absent: the document's own panel. */
  node?: ShownNode;
  /** The fields are those of the document's `defaults`. */
  inDefaults?: true;
}

export interface ShownNode {
  id: string;
  /** Place in the document's list. */
  index: number;
  type: NodeType;
  /** As written. */
  data: Record<string, unknown>;
  /** As it counts: with what the document's `defaults` say. */
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
  /** What the document's defaults say, where the node says nothing. */
  inherited: unknown;
  findings: readonly Finding[];
  set: (value: unknown, label?: string) => void;
  /** In the document. */
  path: (string | number)[];
}

/** A field of the node, or of the document where there is none. */
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

/** A fix that reaches beyond its field. */
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

/** What is known at a field: names, and what they held last. */
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
