// Frame: the parts of the workbench around what is edited: outline left, inspector right, problems below; their sizes are remembered
// (spec ui.md 6.1). Narrow windows show the inspector as a drawer, and the outline in the canvas's place.

import { X } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";

export interface FrameState {
  outline: boolean;
  inspector: boolean;
  dock: boolean;
  /** Of the inspector, in pixels. */
  width: number;
}

export interface FrameControl extends FrameState {
  set: (change: Partial<FrameState>) => void;
}

const KEY = "curlew.editor.frame";
const WIDTH = { min: 280, max: 640, usual: 400 } as const;
const USUAL: FrameState = { outline: false, inspector: true, dock: false, width: WIDTH.usual };

export function useFrame(): FrameControl {
  const [state, setState] = useState(read);
  const set = useCallback((change: Partial<FrameState>) => {
    setState((before) => {
      const next = { ...before, ...change };
      localStorage.setItem(KEY, JSON.stringify(next));
      return next;
    });
  }, []);
  return { ...state, set };
}

function read(): FrameState {
  const narrow = typeof innerWidth === "number" && innerWidth < 1100;
  try {
    return { ...USUAL, inspector: !narrow, ...JSON.parse(localStorage.getItem(KEY) ?? "{}"), dock: false };
  } catch {
    return { ...USUAL, inspector: !narrow };
  }
}

export interface FrameProps {
  frame: FrameControl;
  outline: ReactNode;
  /** Nothing while there is none. */
  inspector: ReactNode;
  problems: ReactNode;
  problemCount: number;
  children: ReactNode;
}

export function Frame({ frame, outline, inspector, problems, problemCount, children }: FrameProps) {
  return (
    <div className="relative flex h-full min-h-0">
      {frame.outline && <div className="w-64 shrink-0 border-r border-line max-[720px]:w-full">{outline}</div>}
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="min-h-0 flex-1">{children}</div>
        {frame.dock && (
          <section aria-label="Problems" className="flex h-52 shrink-0 flex-col border-t border-line bg-panel">
            <header className="flex h-9 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
              <h2 className="flex-1 font-semibold">Problems {problemCount > 0 && problemCount}</h2>
              <IconButton
                label="Close"
                shortcut="Ctrl+J"
                size="small"
                icon={<X size={15} aria-hidden="true" />}
                onClick={() => frame.set({ dock: false })}
              />
            </header>
            <div className="min-h-0 flex-1 overflow-y-auto">{problems}</div>
          </section>
        )}
      </div>
      {inspector !== null && frame.inspector && (
        <div
          className={classes(
            "relative flex shrink-0 border-l border-line bg-panel",
            "max-[1100px]:absolute max-[1100px]:inset-y-0 max-[1100px]:right-0 max-[1100px]:z-20 max-[1100px]:shadow-2xl",
          )}
          style={{ width: Math.min(frame.width, typeof innerWidth === "number" ? innerWidth - 40 : WIDTH.max) }}
        >
          <Divider width={frame.width} onWidth={(width) => frame.set({ width })} />
          <div className="min-w-0 flex-1">{inspector}</div>
        </div>
      )}
    </div>
  );
}

/** Dragged, or moved by the arrow keys. */
function Divider({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
  const bounded = (wish: number): number => Math.max(WIDTH.min, Math.min(WIDTH.max, wish));
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label="Width of the inspector"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={WIDTH.min}
      aria-valuemax={WIDTH.max}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize hover:bg-accent/30"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const right = event.currentTarget.parentElement?.getBoundingClientRect().right ?? innerWidth;
        onWidth(bounded(right - event.clientX));
      }}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? 16 : event.key === "ArrowRight" ? -16 : 0;
        if (by === 0) return;
        event.preventDefault();
        onWidth(bounded(width + by));
      }}
    />
  );
}
