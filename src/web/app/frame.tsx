// Frame: arranges the parts of the editor and of a run: outline left, details right, bottom panel below (spec ui.md
// 6.1). It remembers sizes and what was open. In narrow windows the details are a drawer, and the outline replaces the
// canvas.
//   F1. Beside a canvas, the drawer and the bottom panel take at most half of the space, whatever sizes are remembered.
//   F2. The drawer covers only the canvas, never command output.

import { type ReactNode, useCallback, useState } from "react";
import { classes } from "../ui/classes.ts";
import { type SplitSize, Splitter, useSplit } from "../ui/splitter.tsx";
import { CANVAS, useMedia, WIDE } from "../ui/use-media.ts";

export interface FrameState {
  outline: boolean;
  inspector: boolean;
  dock: boolean;
}

export interface FrameControl extends FrameState {
  panel: SplitSize;
  hasCanvas: boolean;
  isWide: boolean;
  /** Width in pixels of the canvas that the details cover as a drawer. */
  covered: number;
  set: (change: Partial<FrameState>) => void;
}

const KEY = "curlew.frame";
const PANEL = { initial: 400, min: 280, max: 640 };
const DOCK = { initial: 260, min: 96, max: 640 };

/** `opened`: what is open at first, whatever was remembered. */
export function useFrame(opened: Partial<FrameState> = {}): FrameControl {
  const isWide = useMedia(WIDE);
  const hasCanvas = useMedia(CANVAS);
  const [state, setState] = useState(() => ({ ...read(isWide), ...opened }));
  const set = useCallback((change: Partial<FrameState>) => {
    setState((before) => {
      const next = { ...before, ...change };
      localStorage.setItem(KEY, JSON.stringify(next));
      return next;
    });
  }, []);
  const panel = useSplit("panel", PANEL.initial, PANEL.min, PANEL.max);
  const isDrawer = hasCanvas && !isWide;
  const covered = isDrawer && state.inspector ? Math.min(panel.size, innerWidth / 2) : 0;
  return { ...state, set, panel, hasCanvas, isWide, covered };
}

/** A drawer and the bottom panel open only when the user opens them, so they are not restored. */
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
  dock: ReactNode;
  /** Whether the text is shown, which fits into any window. */
  isText?: boolean;
  foot?: ReactNode;
  children: ReactNode;
}

export function Frame({ frame, outline, inspector, dock: content, isText = false, foot, children }: FrameProps) {
  const { panel, isWide, hasCanvas: canvas } = frame;
  const dock = useSplit("dock", DOCK.initial, DOCK.min, DOCK.max);
  const aside = frame.inspector && (
    <div
      style={{ width: isWide || canvas ? panel.size : PANEL.initial }}
      className={classes(
        isWide
          ? "relative max-w-1/2 shrink-0 bg-panel"
          : "absolute inset-y-0 right-0 z-20 border-l border-line bg-panel shadow-2xl",
        !isWide && (canvas ? "max-w-1/2" : "max-w-full"),
      )}
    >
      {inspector}
    </div>
  );
  return (
    <div className="relative flex min-h-0 flex-1">
      {(canvas ? frame.outline : !isText) && (
        <div className={canvas ? "w-64 shrink-0 border-r border-line" : "min-w-0 flex-1"}>{outline}</div>
      )}
      <div className={canvas || isText ? "flex min-w-0 flex-1 flex-col" : "contents"}>
        {(canvas || isText) && (
          <div className={classes("min-h-0 flex-1", canvas && "relative")}>
            {children}
            {canvas && !isWide && aside}
          </div>
        )}
        {foot}
        {frame.dock && (
          <>
            {canvas && (
              <Splitter label="Height of the bottom panel" grows="up" {...dock} min={DOCK.min} max={DOCK.max} />
            )}
            <div
              style={{ height: dock.size }}
              className={
                canvas
                  ? "max-h-1/2 shrink-0 bg-panel"
                  : "absolute inset-x-0 bottom-0 z-20 border-t border-line bg-panel"
              }
            >
              {content}
            </div>
          </>
        )}
      </div>
      {isWide && frame.inspector && (
        <Splitter label="Width of the details" grows="left" {...panel} min={PANEL.min} max={PANEL.max} />
      )}
      {(isWide || !canvas) && aside}
    </div>
  );
}
