// Frame: the parts of the workbench around what is edited: outline left, inspector right, problems below; which of them are open is
// remembered (spec ui.md 6.1). Narrow windows show the inspector as a drawer, and the outline in the canvas's place.

import { X } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";

export interface FrameState {
  outline: boolean;
  inspector: boolean;
  dock: boolean;
}

export interface FrameControl extends FrameState {
  set: (change: Partial<FrameState>) => void;
}

const KEY = "curlew.editor.frame";
const USUAL: FrameState = { outline: false, inspector: true, dock: false };

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
  /** Brings its own frame and width. */
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
      {frame.inspector && inspector}
    </div>
  );
}
