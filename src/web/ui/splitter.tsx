// Splitter: a border between two panels that can be dragged or moved with the arrow keys. The size is stored in this
// browser (spec ui 5, 6.1).

import { type PointerEvent, useState } from "react";
import { classes } from "./classes.ts";

export interface SplitSize {
  size: number;
  setSize: (size: number) => void;
}

export function useSplit(name: string, initial: number, min: number, max: number): SplitSize {
  const key = `curlew.size.${name}`;
  const [size, setSize] = useState(() => bounded(Number(localStorage.getItem(key) ?? initial) || initial));
  return {
    size,
    setSize: (next) => {
      setSize(bounded(next));
      localStorage.setItem(key, String(bounded(next)));
    },
  };
  function bounded(wanted: number): number {
    return Math.round(Math.min(max, Math.max(min, wanted)));
  }
}

export interface SplitterProps extends SplitSize {
  label: string;
  /** The direction in which the sized panel grows. */
  grows: "up" | "left";
  min: number;
  max: number;
}

const STEP = 16;

export function Splitter({ label, grows, size, setSize, min, max }: SplitterProps) {
  const vertical = grows === "left";
  const drag = (down: PointerEvent<HTMLDivElement>) => {
    const from = vertical ? down.clientX : down.clientY;
    const element = down.currentTarget;
    // The panel may have less room now than its stored size.
    const { width, height } = element.nextElementSibling?.getBoundingClientRect() ?? { width: size, height: size };
    const start = vertical ? width : height;
    element.setPointerCapture(down.pointerId);
    const move = (event: globalThis.PointerEvent) => setSize(start + from - (vertical ? event.clientX : event.clientY));
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", () => element.removeEventListener("pointermove", move), { once: true });
    element.addEventListener("pointercancel", () => element.removeEventListener("pointermove", move), { once: true });
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={vertical ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const grow = vertical ? "ArrowLeft" : "ArrowUp";
        const shrink = vertical ? "ArrowRight" : "ArrowDown";
        if (event.key !== grow && event.key !== shrink) return;
        event.preventDefault();
        setSize(size + (event.key === grow ? STEP : -STEP));
      }}
      className={classes(
        "relative z-10 shrink-0 touch-none bg-line transition-colors duration-120 hover:bg-accent focus-visible:outline-offset-0",
        // A visible grip of 24 pixels in the middle. The rest lets presses through to the content beside it.
        "before:absolute before:content-[''] after:absolute after:rounded-full after:bg-edge after:content-['']",
        vertical
          ? "-mx-0.5 w-1 cursor-col-resize before:top-1/2 before:-inset-x-2.5 before:h-12 before:-translate-y-1/2 after:top-1/2 after:inset-x-0 after:h-8 after:-translate-y-1/2"
          : "-my-0.5 h-1 cursor-row-resize before:-top-5 before:bottom-0 before:left-1/2 before:w-12 before:-translate-x-1/2 after:inset-y-0 after:left-1/2 after:w-8 after:-translate-x-1/2",
      )}
    />
  );
}
