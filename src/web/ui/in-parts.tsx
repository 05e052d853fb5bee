// InParts: shows a long list in parts, with a button for more, so that the content below stays reachable (spec ui 6.8).
//   N1. After asking for more by keyboard, the focus is on the first new row.

import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { focusSoon } from "./focus.ts";

export interface InPartsProps<Item> {
  label: string;
  items: readonly Item[];
  /** Number of rows shown at first. */
  first?: number;
  children: (item: Item) => ReactNode;
}

const further = 100;

export function InParts<Item>({ label, items, first = 25, children }: InPartsProps<Item>) {
  const [most, setMost] = useState(first);
  const list = useRef<HTMLUListElement>(null);
  const shown = Math.min(most, items.length);
  const more = Math.min(further, items.length - shown);
  return (
    <>
      <ul ref={list} aria-label={label}>
        {items.slice(0, shown).map(children)}
      </ul>
      {more > 0 && (
        <div className="flex items-center justify-center gap-3 border-t border-line p-2 text-sm text-muted">
          <span>
            {shown} of {items.length}
          </span>
          <Button
            kind="quiet"
            size="small"
            aria-label={`Show ${more} more ${label.toLowerCase()}`}
            onClick={() => {
              setMost(shown + more);
              focusSoon(() => list.current?.children[shown]?.querySelector<HTMLElement>("a, button"));
            }}
          >
            Show {more} more
          </Button>
        </div>
      )}
    </>
  );
}
