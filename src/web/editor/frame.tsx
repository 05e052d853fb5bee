// Frame: arranges the parts of the workbench: outline left, inspector right, problems below (spec ui.md 6.1). It
// remembers which parts are open, and their sizes. In narrow windows the inspector is a drawer and the outline replaces
// the canvas.
//   F1. Next to a canvas, the drawer and the problems take at most half of the space, whatever sizes are remembered.

import { X } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { type SplitSize, Splitter, useSplit } from "../ui/splitter.tsx";
import { CANVAS, useMedia, WIDE } from "../ui/use-media.ts";

export interface FrameState {
  outline: boolean;
  inspector: boolean;
  dock: boolean;
}

export interface FrameControl extends FrameState {
  panel: SplitSize;
  /** Width in pixels of the canvas that the inspector covers as a drawer. */
  covered: number;
  set: (change: Partial<FrameState>) => void;
}

const KEY = "curlew.editor.frame";
const PANEL = { initial: 400, min: 280, max: 640 };
const DOCK = { initial: 200, min: 96, max: 480 };

export function useFrame(): FrameControl {
  const wide = useMedia(WIDE);
  const [state, setState] = useState(() => read(wide));
  const set = useCallback((change: Partial<FrameState>) => {
    setState((before) => {
      const next = { ...before, ...change };
      localStorage.setItem(KEY, JSON.stringify(next));
      return next;
    });
  }, []);
  const panel = useSplit("inspector", PANEL.initial, PANEL.min, PANEL.max);
  const isDrawer = useMedia(CANVAS) && !wide;
  return { ...state, set, panel, covered: isDrawer && state.inspector ? Math.min(panel.size, innerWidth / 2) : 0 };
}

/** A drawer over the canvas opens only when the user opens it, so its state is not restored. */
function read(wide: boolean): FrameState {
  const usual = { outline: false, inspector: wide, dock: false };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<FrameState>;
    return { ...usual, ...kept, dock: false, ...(wide ? {} : { inspector: false }) };
  } catch {
    return usual;
  }
}

export interface FrameProps {
  frame: FrameControl;
  outline: ReactNode;
  inspector: ReactNode;
  problems: ReactNode;
  problemCount: number;
  /** Whether the text is shown, which fits into any window. */
  isText: boolean;
  children: ReactNode;
}

export function Frame({ frame, outline, inspector, problems, problemCount, isText, children }: FrameProps) {
  const wide = useMedia(WIDE);
  const canvas = useMedia(CANVAS);
  const { panel } = frame;
  const dock = useSplit("editor-dock", DOCK.initial, DOCK.min, DOCK.max);
  return (
    <div className="relative flex min-h-0 flex-1">
      {(canvas ? frame.outline : !isText) && (
        <div className={canvas ? "w-64 shrink-0 border-r border-line" : "min-w-0 flex-1"}>{outline}</div>
      )}
      <div className={canvas || isText ? "flex min-w-0 flex-1 flex-col" : "contents"}>
        {(canvas || isText) && <div className="min-h-0 flex-1">{children}</div>}
        {frame.dock && (
          <>
            {canvas && <Splitter label="Height of the problems" grows="up" {...dock} min={DOCK.min} max={DOCK.max} />}
            <section
              aria-label="Problems"
              style={{ height: dock.size }}
              className={
                canvas
                  ? "flex max-h-1/2 shrink-0 flex-col bg-panel"
                  : "absolute inset-x-0 bottom-0 z-20 flex flex-col border-t border-line bg-panel"
              }
            >
              <header className="flex h-9 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
                <h2 className="flex-1 font-semibold">Problems {problemCount > 0 && problemCount}</h2>
                <IconButton
                  label="Close the problems"
                  shortcut="Ctrl+J"
                  size="small"
                  icon={<X size={15} aria-hidden="true" />}
                  onClick={() => frame.set({ dock: false })}
                />
              </header>
              <div className="min-h-0 flex-1 overflow-y-auto">{problems}</div>
            </section>
          </>
        )}
      </div>
      {frame.inspector && (
        <>
          {wide && <Splitter label="Width of the inspector" grows="left" {...panel} min={PANEL.min} max={PANEL.max} />}
          <div
            style={{ width: wide || canvas ? panel.size : PANEL.initial }}
            className={classes(
              wide
                ? "relative max-w-1/2 shrink-0 bg-panel"
                : "absolute inset-y-0 right-0 z-20 border-l border-line bg-panel shadow-2xl",
              !wide && (canvas ? "max-w-1/2" : "max-w-full"),
            )}
          >
            {inspector}
          </div>
        </>
      )}
    </div>
  );
}
