// DesignArea: the canvas in the editor, with the palette and the context menu. A kind can be dropped on it.

import { type ReactNode, useMemo, useRef } from "react";
import { CARD, type Point } from "../../workflow/drawing/layout.ts";
import { Canvas, type CanvasEditing } from "../canvas/canvas.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { toast } from "../ui/toast.tsx";
import type { Bench } from "./bench.ts";
import { CanvasMenu } from "./canvas-menu.tsx";
import { FirstTiles } from "./first-tiles.tsx";
import { KINDS } from "./kinds.ts";
import { addKind } from "./moves.ts";
import { KIND_DRAG, NodePalette } from "./palette.tsx";
import { whyNot } from "./rules.ts";
import { useOverlay } from "./run-over.tsx";

export function DesignArea({ bench, empty }: { bench: Bench; empty: ReactNode }) {
  const { session, state, model, operations, canvas, frame, drawn, setBox } = bench;
  const over = useOverlay(bench);
  const editing = useMemo(
    (): CanvasEditing => ({
      onMove: operations.move,
      onConnect: operations.connect,
      whyNot: (link) => whyNot(drawn.current, link),
      onRefused: toast,
      onDropEmpty: (after, { x, y }, screen) =>
        setBox({ kind: "add", screen, where: { after, at: { x, y: y - CARD.height / 2 } } }),
      onReconnect: operations.reconnect,
      onAddAt: (at, screen) => setBox({ kind: "add", screen, where: { at } }),
    }),
    [operations, drawn, setBox],
  );
  const palette = useRef<HTMLDivElement>(null);
  const toFlow = (screen: Point): Point => canvas.current?.toFlow(screen) ?? screen;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a drop target. The palette's buttons do the same.
    <div
      className="relative min-w-0 flex-1"
      onDragOver={(event) => event.dataTransfer.types.includes(KIND_DRAG) && event.preventDefault()}
      onDrop={(event) => {
        const kind = KINDS.find(({ id }) => id === event.dataTransfer.getData(KIND_DRAG));
        const { x, y } = toFlow({ x: event.clientX, y: event.clientY });
        const over = (event.target as Element).closest(".react-flow__edge")?.getAttribute("data-id");
        const on = model.edges.find(({ key, kind }) => key === over && kind === "edge");
        const at = { x: x - CARD.width / 2, y: y - CARD.height / 2 };
        if (kind !== undefined) addKind(bench, kind, { at, on });
      }}
    >
      <CanvasMenu
        selected={state.selected}
        selectedEdges={state.selectedEdges}
        onSelect={session.select}
        onAddAt={(screen) => editing.onAddAt(toFlow(screen), screen)}
      >
        <Canvas
          ref={canvas}
          model={model}
          label={`Canvas of ${state.path}`}
          selected={state.selected}
          selectedEdges={state.selectedEdges}
          onSelect={session.select}
          onOpen={bench.openInspector}
          badges={bench.badges}
          overlay={over?.overlay}
          carried={over?.carried ?? bench.last.carried}
          editing={editing}
          covered={frame.covered}
          above={palette}
        />
      </CanvasMenu>
      <NodePalette bench={bench} ref={palette} />
      {empty && (
        <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
          <div className="pointer-events-auto">{empty}</div>
        </div>
      )}
    </div>
  );
}

/** Says how to start, or that the file cannot be shown. Its problems are in the bar and in the source. */
export function EmptyDrawing({ bench }: { bench: Bench }) {
  const { doc } = bench.state;
  const isEmpty = doc.plain !== undefined && Object.keys(doc.plain).length === 0;
  if (isEmpty || doc.parsed.draft !== undefined) return <FirstTiles bench={bench} />;
  return (
    <Empty
      title="This file can't be shown on the canvas"
      action={
        <Button kind="primary" shortcut="3" onClick={() => bench.show("source")}>
          Show the source
        </Button>
      }
    >
      Curlew can't read part of it. Fix the part that the source marks.
    </Empty>
  );
}
