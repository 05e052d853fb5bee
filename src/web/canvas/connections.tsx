// Connections: lists the edges of a node and the data that passed along them, for keyboard and screen reader users. The
// canvas shows the same under the pointer (spec ui.md 6.2, 6.7).

import type { Graph } from "../../workflow/graph.ts";
import type { EdgeData } from "./edge-data.ts";
import { usesParent } from "./fed.ts";

export interface ConnectionsProps {
  graph: Graph;
  id: string;
  /** The data that passed along an edge. */
  carried: (edge: { source: string; target: string; handle?: string }) => EdgeData;
}

const ORDER: EdgeData = { says: "order only, its output is not used" };

export function Connections({ graph, id, carried }: ConnectionsProps) {
  const node = graph.nodes[graph.indexOf.get(id) ?? -1];
  if (node === undefined) return null;
  const titleOf = (index: number): string => graph.nodes[index]!.node.data.title;
  const came = node.parents.map(({ source, handle }, at) => {
    const isUsed = usesParent(node, at);
    const data = isUsed ? carried({ source: graph.nodes[source]!.id, target: id, handle }) : ORDER;
    return { word: isUsed ? "From" : "After", title: titleOf(source), handle, data };
  });
  const goes = node.outgoing.map(({ target: index, handle }) => {
    const target = graph.nodes[index]!;
    const at = target.parents.findIndex((parent) => parent.source === node.index && parent.handle === handle);
    const isUsed = usesParent(target, at);
    const data = isUsed ? carried({ source: id, target: target.id, handle }) : ORDER;
    return { word: isUsed ? "To" : "Before", title: titleOf(index), handle, data };
  });
  const all = [...came, ...goes];
  if (all.length === 0) return null;
  return (
    <section aria-label="Connections" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold text-muted">Connections</h3>
      <ul className="flex flex-col gap-1.5 text-sm">
        {all.map(({ word, title, handle, data }) => (
          <li key={`${word} ${title} ${handle}`} className="min-w-0">
            <span className="block truncate">
              <span className="text-muted">{word}</span> {title}
              {handle !== undefined && <span className="text-muted"> ({handle})</span>}
              <span className="text-muted"> · {data.says}</span>
            </span>
            {data.line !== undefined && <code className="block truncate text-muted">{data.line}</code>}
          </li>
        ))}
      </ul>
    </section>
  );
}
