// VersionsCanvas: two versions of a workflow on one canvas. A separate chunk, because it needs React Flow.

import { useEffect, useMemo, useRef } from "react";
import { Canvas, type CanvasHandle } from "../canvas/canvas.tsx";
import type { Comparison } from "./versions.ts";

export interface VersionsCanvasProps {
  drawn: NonNullable<Comparison["drawn"]>;
  label: string;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

export function VersionsCanvas({ drawn: { model, overlay }, label, chosen, onChoose }: VersionsCanvasProps) {
  const canvas = useRef<CanvasHandle>(null);
  const [, part, id = ""] = /^(node|edge):(.*)$/.exec(chosen ?? "") ?? [];
  const selected = useMemo(() => new Set(part === "node" ? [id] : []), [part, id]);
  const edges = useMemo(() => new Set(part === "edge" ? [id] : []), [part, id]);
  useEffect(() => {
    const edge = part === "edge" ? model.edges.find(({ key }) => key === id) : undefined;
    if (edge !== undefined) canvas.current?.show([edge.source, edge.target]);
    else if (part === "node" && model.byId.has(id)) canvas.current?.show([id]);
  }, [model, part, id]);
  return (
    <Canvas
      ref={canvas}
      model={model}
      label={label}
      selected={selected}
      selectedEdges={edges}
      overlay={overlay}
      whole
      onSelect={(nodes, links) => {
        const node = nodes.findLast((one) => !selected.has(one));
        const link = links.findLast((one) => !edges.has(one));
        if (node !== undefined) onChoose(`node:${node}`);
        else if (link !== undefined) onChoose(`edge:${link}`);
      }}
    />
  );
}
