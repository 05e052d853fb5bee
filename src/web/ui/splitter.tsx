// Splitter: an edge between two parts that is dragged, or moved by arrow keys; the size is remembered on this machine (spec ui 5, 6.1).

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
  /** Which way the part grows whose size this is. */
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
    // What stands behind it may have less room than it was given once.
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
        "relative z-10 shrink-0 touch-none bg-line transition-colors duration-100 hover:bg-accent focus-visible:outline-offset-0",
        // Its middle is a grip of 24 pixels that is seen; elsewhere it takes no press of what lies beside it.
        "before:absolute before:content-[''] after:absolute after:rounded-full after:bg-edge after:content-['']",
        vertical
          ? "-mx-0.5 w-1 cursor-col-resize before:top-1/2 before:-inset-x-2.5 before:h-12 before:-translate-y-1/2 after:top-1/2 after:inset-x-0 after:h-8 after:-translate-y-1/2"
          : "-my-0.5 h-1 cursor-row-resize before:-top-5 before:bottom-0 before:left-1/2 before:w-12 before:-translate-x-1/2 after:inset-y-0 after:left-1/2 after:w-8 after:-translate-x-1/2",
      )}
    />
  );
}
