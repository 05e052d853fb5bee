// PassList: the passes of a loop with their states and times; a press shows one of them (spec 2.3).

import { classes } from "../ui/classes.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { count, duration } from "../ui/words.ts";
import { Section } from "./fact-list.tsx";
import { type LoopPasses, shownPass } from "./loops.ts";
import type { Chosen } from "./overlay.ts";

/** The newest; the timeline has all. */
const SHOWN_MAX = 200;

export interface PassListProps {
  loop: LoopPasses;
  chosen: Chosen;
  nowMs: number;
  onPass: (pass: number) => void;
}

export function PassList({ loop, chosen, nowMs, onPass }: PassListProps) {
  const cells = [...loop.cells.values()].slice(-SHOWN_MAX);
  const shown = shownPass(loop, chosen);
  const of = loop.total === undefined || loop.total === loop.cells.size ? "" : ` of ${loop.total}`;
  return (
    <Section title={`${count(loop.cells.size, "pass", "passes")}${of}`}>
      <ul className="flex flex-col">
        {cells.map(({ index, status, startedAt, endedAt }) => (
          <li key={index}>
            <button
              type="button"
              aria-pressed={index === shown}
              onClick={() => onPass(index)}
              className={classes(
                "flex h-7 w-full items-center gap-2 rounded-md px-2 text-left",
                index === shown ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className="w-16 tabular-nums">pass {index + 1}</span>
              <StateIcon status={status} size={12} />
              <span className="ml-auto text-muted tabular-nums">
                {duration((endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
