// VirtualRows: the visible rows of a long list, each at its place in the element that scrolls.

import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

interface Options {
  /** Identifies a row, so that it keeps its place when rows come before it. */
  keyOf?: (index: number) => string | number;
  /** Pixels at the top that a header covers. */
  header?: number;
}

/** `scroller` is the ref of the element that scrolls. */
export function useRows(count: number, rowPx: number, { keyOf, header }: Options = {}) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: keyOf,
    overscan: 20,
    scrollPaddingStart: header,
  });
  return { scroller, list };
}

interface VirtualRowsProps {
  list: Virtualizer<HTMLDivElement, Element>;
  /** Rows have other heights than estimated. */
  measured?: boolean;
  children: (index: number) => ReactNode;
}

export function VirtualRows({ list, measured, children }: VirtualRowsProps) {
  return (
    <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map(({ index, key, start, size }) => (
        <div
          key={key}
          role="presentation"
          ref={measured ? list.measureElement : undefined}
          data-index={index}
          style={{ transform: `translateY(${start}px)`, height: measured ? undefined : size }}
          className="absolute inset-x-0 top-0"
        >
          {children(index)}
        </div>
      ))}
    </div>
  );
}
