// CanvasPlace: the area of the canvas in the editor. It accepts dropped kinds, files, and text.

import type { ReactNode } from "react";
import { limits } from "../../base/limits.ts";
import { toast } from "../ui/toast.tsx";
import { KINDS, type Kind } from "./kinds.ts";
import { KIND_DRAG } from "./palette.tsx";

const DROPPED = [KIND_DRAG, "Files", "text/plain"];

export interface CanvasPlaceProps {
  /** `screen` is in window coordinates. */
  onDropKind(kind: Kind, screen: { x: number; y: number }): void;
  /** `text` is the content of a file, or text that was selected elsewhere. */
  onDropText(text: string, screen: { x: number; y: number }): void;
  children: ReactNode;
}

export function CanvasPlace({ onDropKind, onDropText, children }: CanvasPlaceProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a drop target. The palette's buttons do the same.
    <div
      className="relative min-w-0 flex-1"
      onDragOver={(event) => DROPPED.some((type) => event.dataTransfer.types.includes(type)) && event.preventDefault()}
      onDrop={(event) => {
        const screen = { x: event.clientX, y: event.clientY };
        const [file] = event.dataTransfer.files;
        const text = event.dataTransfer.getData("text/plain");
        if (file !== undefined || text !== "") {
          event.preventDefault();
          if (file === undefined) onDropText(text, screen);
          else if (file.size > limits.documentBytesMax) toast(`${file.name} is larger than a workflow may be.`);
          else
            void file.text().then(
              (all) => onDropText(all, screen),
              () => toast(`${file.name} cannot be read.`),
            );
          return;
        }
        const kind = KINDS.find(({ id }) => id === event.dataTransfer.getData(KIND_DRAG));
        if (kind === undefined) return;
        event.preventDefault();
        onDropKind(kind, screen);
      }}
    >
      {children}
    </div>
  );
}
