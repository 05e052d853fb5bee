// PassList: the iterations of a loop with their states and times. Selecting one shows it (spec 2.3).

import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Section } from "../ui/facts.tsx";
import { inputClass } from "../ui/field.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { count, duration, elapsed } from "../ui/words.ts";
import { type LoopPasses, shownPass } from "./loops.ts";
import type { Chosen } from "./overlay.ts";

/** Iterations listed around the one that is shown. The timeline has all of them. */
const SHOWN_MAX = 200;
/** From this number on, a field finds an iteration by its number. */
const TYPED_MIN = 20;

export interface PassListProps {
  loop: LoopPasses;
  chosen: Chosen;
  nowMs: number;
  onPass: (pass: number) => void;
}

export function PassList({ loop, chosen, nowMs, onPass }: PassListProps) {
  const shown = shownPass(loop, chosen);
  const from = Math.max(0, Math.min(loop.cells.size - SHOWN_MAX, (shown ?? 0) - SHOWN_MAX / 2));
  const cells = [...loop.cells.values()].slice(from, from + SHOWN_MAX);
  const of = loop.total === undefined || loop.total === loop.cells.size ? "" : ` of ${loop.total}`;
  return (
    <Section title={`${count(loop.cells.size, "iteration")}${of}`}>
      {loop.cells.size > TYPED_MIN && (
        <form
          className="mb-1 flex items-center gap-2 px-2"
          onSubmit={(event) => {
            event.preventDefault();
            const index = Number(new FormData(event.currentTarget).get("pass")) - 1;
            if (loop.cells.has(index)) onPass(index);
          }}
        >
          <label className="flex items-center gap-2">
            Show iteration
            <input
              name="pass"
              type="number"
              min={1}
              max={loop.newest + 1}
              required
              className={classes(inputClass, "h-8 !w-24 tabular-nums")}
            />
          </label>
          <Button type="submit" size="small">
            Show
          </Button>
        </form>
      )}
      <ul className="flex flex-col">
        {cells.map((cell) => (
          <li key={cell.index}>
            <button
              type="button"
              aria-pressed={cell.index === shown}
              onClick={() => onPass(cell.index)}
              className={classes(
                "flex h-7 w-full items-center gap-2 rounded-md px-2 text-left",
                cell.index === shown ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className="w-24 tabular-nums">iteration {cell.index + 1}</span>
              <StateIcon status={cell.status} size={12} />
              <span className="ml-auto text-muted tabular-nums">{duration(elapsed(cell, nowMs))}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
