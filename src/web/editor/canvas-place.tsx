// CanvasPlace: where the canvas stands in the editor: kinds are dropped on it.

import type { ReactNode } from "react";
import { KINDS, type Kind } from "./kinds.ts";
import { KIND_DRAG } from "./palette.tsx";

export interface CanvasPlaceProps {
  /** At a place of the window. */
  onDropKind(kind: Kind, screen: { x: number; y: number }): void;
  children: ReactNode;
}

export function CanvasPlace({ onDropKind, children }: CanvasPlaceProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only where things are dropped; the palette's buttons do the same.
    <div
      className="relative min-w-0 flex-1"
      onDragOver={(event) => event.dataTransfer.types.includes(KIND_DRAG) && event.preventDefault()}
      onDrop={(event) => {
        const kind = KINDS.find(({ id }) => id === event.dataTransfer.getData(KIND_DRAG));
        if (kind === undefined) return;
        event.preventDefault();
        onDropKind(kind, { x: event.clientX, y: event.clientY });
      }}
    >
      {children}
    </div>
  );
}
