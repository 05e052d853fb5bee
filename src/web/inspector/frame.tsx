// PanelFrame: the panel's place at the right: as wide as a person made it, 280 to 640 px, remembered; a drawer where the window is
// narrow (ui 6.1). The bar between is a separator that the arrow keys move.

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";

const KEY = "curlew.inspector";
const LEAST = 280;
const MOST = 640;
const USUAL = 400;
const STEP = 16;

export function PanelFrame({ label, children }: { label: string; children: ReactNode }) {
  const [width, setWidth] = useState(stored);
  const resize = (next: number) => {
    const kept = Math.round(Math.min(MOST, Math.max(LEAST, next)));
    setWidth(kept);
    try {
      localStorage.setItem(KEY, String(kept));
    } catch {
      // Storage is closed to us: it lasts as long as the page.
    }
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 1) resize(window.innerWidth - event.clientX);
  };
  const byKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP, Home: LEAST - width, End: MOST - width }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step);
  };
  return (
    <aside
      aria-label={label}
      className="relative flex h-full min-h-0 max-w-full shrink-0 flex-col border-l border-line bg-panel max-[1100px]:absolute max-[1100px]:inset-y-0 max-[1100px]:right-0 max-[1100px]:z-20 max-[1100px]:shadow-2xl"
      ref={(element) => void element?.style.setProperty("width", `${width}px`)}
    >
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label="Width of the inspector"
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        aria-valuenow={width}
        tabIndex={0}
        className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent/30 focus-visible:bg-accent/40"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={byKey}
      />
      {children}
    </aside>
  );
}

function stored(): number {
  try {
    const width = Number(localStorage.getItem(KEY));
    return width >= LEAST && width <= MOST ? width : USUAL;
  } catch {
    return USUAL;
  }
}
