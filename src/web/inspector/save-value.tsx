// SaveValue: saves a node's output under a name, by adding a Variable after the node (ui 6.3: save to variable).

import { Braces } from "lucide-react";
import { addNode } from "../document/edits.ts";
import { titleOf } from "../document/plain.ts";
import { dataFor, KINDS } from "../editor/kinds.ts";
import { variableNames } from "../editor/read.ts";
import { Button } from "../ui/button.tsx";
import { usePanel } from "./context.ts";

const VARIABLE = KINDS.find(({ id }) => id === "variable")!;

export function SaveValue() {
  const { doc, graph, node, onEdit } = usePanel();
  if (node === undefined) return null;
  const saved = (graph.nodes[graph.indexOf.get(node.id) ?? -1]?.children ?? []).flatMap((index) => {
    const child = graph.nodes[index]!.node;
    return child.type === "variable" ? [child.data.variableName] : [];
  });
  const add = (): void => {
    const data = { ...dataFor(VARIABLE, true, variableNames(doc)), title: `Save ${titleOf({ ...node })}`.slice(0, 80) };
    const { initialValue: _, ...named } = data as Record<string, unknown>;
    onEdit(addNode({ type: "variable", data: named, after: { source: node.id } }));
  };
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button icon={<Braces size={14} aria-hidden="true" />} onClick={add}>
        Save to a variable
      </Button>
      {saved.length > 0 && (
        <p className="text-sm text-muted">
          Saved as <code>{saved.map((name) => `\${${name}}`).join(", ")}</code>
        </p>
      )}
    </div>
  );
}
