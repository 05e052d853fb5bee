// ManyPanel: sets the fields that several selected nodes share, for all of them at once.

import { Copy, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { NodeType } from "../../workflow/node-data.ts";
import { isSame } from "../document/equal.ts";
import { duplicateNodes, removeNodes, wrapInLoop } from "../document/index.ts";
import { nodesOf, titleOf, withBases } from "../document/plain.ts";
import { Button } from "../ui/button.tsx";
import { Panel, type PanelContext, usePanel } from "./context.ts";
import { VARIED } from "./fields/plain.tsx";
import { type FieldSpec, fieldOf } from "./form.ts";
import { SectionView } from "./section-view.tsx";

/** Fields with the same meaning in every kind of node. */
const SHARED = ["safetyLevel", "needsUserApproval", "timeout", "continueOnError", "onLost"];
const FIELDS: Partial<Record<NodeType, readonly string[]>> = {
  cli: SHARED,
  llm: SHARED.slice(1),
  subflow: SHARED.slice(2),
};

/** A limit, so that the actions stay visible below the names. */
const NAMED_MAX = 12;

export function ManyPanel({ selected }: { selected: readonly string[] }) {
  const panel = usePanel();
  const { doc, onEdit } = panel;
  const nodes = nodesOf(doc.plain ?? {}).filter(({ id }) => selected.includes(id));
  const many = useMemo(() => sharedPanel(panel, selected), [panel, selected]);
  return (
    <div className="@container flex flex-col gap-4 p-4">
      <ul className="flex flex-col gap-1 text-sm">
        {nodes.slice(0, NAMED_MAX).map((node) => (
          <li key={node.id} className="truncate">
            {titleOf(node)} <span className="text-muted">{node.type}</span>
          </li>
        ))}
        {nodes.length > NAMED_MAX && <li className="text-muted">and {nodes.length - NAMED_MAX} more</li>}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onEdit(wrapInLoop(selected))}>Wrap in a loop</Button>
        <Button icon={<Copy size={14} aria-hidden="true" />} onClick={() => onEdit(duplicateNodes(doc, selected))}>
          Duplicate
        </Button>
        <Button
          kind="danger"
          icon={<Trash2 size={14} aria-hidden="true" />}
          onClick={() => onEdit(removeNodes(selected))}
        >
          Delete
        </Button>
      </div>
      {many !== undefined && (
        <Panel value={many.panel}>
          <SectionView section={{ fields: many.fields }} />
        </Panel>
      )}
    </div>
  );
}

/** The fields that all nodes have, with the values in which they agree. */
function sharedPanel(panel: PanelContext, selected: readonly string[]) {
  const nodes = nodesOf(panel.doc.plain ?? {}).filter(({ id }) => selected.includes(id));
  const types = Object.values(NodeType).filter((type) => nodes.some((node) => node.type === type));
  const [id, type] = [nodes[0]?.id, types.at(-1)];
  const keys = SHARED.filter((key) => types.every((one) => FIELDS[one]?.includes(key)));
  if (id === undefined || type === undefined || keys.length === 0) return undefined;
  const values = nodes.map(({ data = {} }) => withBases(data));
  const data: Record<string, unknown> = {};
  const fields = keys.map((key): FieldSpec => {
    const [first, ...others] = values.map((one) => one[key]);
    const spec = fieldOf(type, key);
    if (others.some((other) => !isSame(other, first))) return { ...spec, usual: VARIED };
    data[key] = first;
    return spec;
  });
  const many = nodes.map((node) => node.id);
  return { fields, panel: { ...panel, many, node: { id, index: -1, type, data, effective: data } } };
}
