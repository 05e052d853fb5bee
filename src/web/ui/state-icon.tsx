// StateIcon: a status as shape, colour and, unless `bare`, text (spec ui 6.6). SVG only, because some machines lack the
// glyphs.

import { Check, CircleSlash2, Clock3, LoaderCircle, type LucideIcon, Pause, RedoDot, Square, X } from "lucide-react";
import { classes } from "./classes.ts";
import { type AnyStatus, LOOKS, type Look, lookOf, wordOf } from "./state.ts";

const ICONS: Record<Look, LucideIcon> = {
  queued: Clock3,
  running: LoaderCircle,
  waiting: Pause,
  succeeded: Check,
  failed: X,
  skipped: RedoDot,
  cancelled: Square,
};

export interface StateIconProps {
  status: AnyStatus;
  waitingFor?: string | undefined;
  /**
   * Only screen readers get the text, because it is shown nearby or there is no room. `narrow`: only in narrow
   * containers.
   */
  bare?: boolean | "narrow";
  size?: number;
  className?: string;
}

export function StateIcon({ status, waitingFor, bare, size = 14, className }: StateIconProps) {
  const look = lookOf(status, waitingFor);
  const Icon = status === "timed-out" ? CircleSlash2 : ICONS[look];
  const word = wordOf(status, waitingFor);
  return (
    <span
      data-state={look}
      className={classes("inline-flex items-center gap-1.5 whitespace-nowrap", LOOKS[look].text, className)}
    >
      <Icon size={size} strokeWidth={2.25} className={look === "running" ? "pulse-slowly" : ""} />
      <span className={bare === "narrow" ? "@max-[8rem]:sr-only" : bare ? "sr-only" : ""}>{word}</span>
    </span>
  );
}
