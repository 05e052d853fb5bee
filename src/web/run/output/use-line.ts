// use-line: the line of an output that the keyboard stands on (spec ui 6.7): J and K walk, what can be done with a line is beside it.
//   L1. One line at a time takes the Tab: the one walked to, else the one that the address names, else the first in sight.
//   L2. What is not loaded is stepped over, and so are lines that have no number yet.

import { type RefObject, useState } from "react";
import { useActions } from "../../app/actions.ts";
import { focusSoon } from "../../ui/focus.ts";
import type { OutputSource } from "./source.ts";

export interface LineGround {
  log: OutputSource["log"];
  scroller: RefObject<HTMLDivElement | null>;
  /** Of the address. */
  line: number | undefined;
  /** The row of `log` that stands at the top of what is seen. */
  top: () => number;
  /** Scrolls no further than it must. */
  reveal: (row: number) => void;
}

export function useLine({ log, scroller, line, top, reveal }: LineGround) {
  const [walked, setWalked] = useState<number>();
  const named = walked ?? line;
  const at = (named !== undefined && log.rowOf(named) !== undefined ? named : undefined) ?? numberAt(log, top());
  const walk = (by: 1 | -1): void => {
    const from = log.rowOf(at ?? -1);
    const isThere = scroller.current?.contains(document.activeElement) === true && walked !== undefined;
    // The first press stands on the line, the next ones leave it.
    for (let row = (from ?? top()) + (isThere ? by : 0); row >= 0 && row < log.rowCount; row += by) {
      const number = numberAt(log, row);
      if (number === undefined) continue;
      setWalked(number);
      reveal(row);
      focusSoon(() => scroller.current?.querySelector<HTMLElement>(`[data-line="${number}"]`));
      return;
    }
  };
  useActions("Output", [
    { id: "output.line", title: "Next line", keys: "J", keysOnly: true, held: true, run: () => walk(1) },
    { id: "output.line-before", title: "Line before", keys: "K", keysOnly: true, held: true, run: () => walk(-1) },
  ]);
  return { at, setAt: setWalked };
}

function numberAt(log: OutputSource["log"], at: number): number | undefined {
  const row = log.row(at);
  return row?.kind === "line" ? row.number : undefined;
}
