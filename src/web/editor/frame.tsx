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
  /** Whether the inspector is beside the canvas, not a drawer. */
  isWide: boolean;
  /** Width in pixels of the canvas that the inspector covers as a drawer. */
  covered: number;
  set: (change: Partial<FrameState>) => void;
}

const KEY = "curlew.editor.frame";
const PANEL = { initial: 400, min: 280, max: 640 };
const DOCK = { initial: 200, min: 96, max: 480 };

export function useFrame(): FrameControl {
  const isWide = useMedia(WIDE);
  const [state, setState] = useState(() => read(isWide));
  const set = useCallback((change: Partial<FrameState>) => {
    setState((before) => {
      const next = { ...before, ...change };
      localStorage.setItem(KEY, JSON.stringify(next));
      return next;
    });
  }, []);
  const panel = useSplit("inspector", PANEL.initial, PANEL.min, PANEL.max);
  const isDrawer = useMedia(CANVAS) && !isWide;
  const covered = isDrawer && state.inspector ? Math.min(panel.size, innerWidth / 2) : 0;
  return { ...state, set, panel, isWide, covered };
}

/** A drawer and the problems open only when the user opens them, so they are not restored. */
function read(isWide: boolean): FrameState {
  const usual = { outline: false, inspector: isWide, dock: false };
  try {
    const { outline = false, inspector = true } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<FrameState>;
    return { outline, inspector: inspector && isWide, dock: false };
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
  const canvas = useMedia(CANVAS);
  const { panel, isWide: wide } = frame;
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
