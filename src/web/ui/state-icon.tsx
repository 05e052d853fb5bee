// StateIcon: a status as shape, colour and, unless `bare`, text (spec ui 6.6). SVG only, because some machines lack the
// glyphs.

import { Check, CircleSlash2, Clock3, LoaderCircle, type LucideIcon, Pause, RedoDot, Square, X } from "lucide-react";
import { classes } from "./classes.ts";
import { type AnyStatus, LOOKS, type Look, styleOfState, wordOf } from "./state.ts";

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
   * Only screen readers get the text, because there is no room. `narrow`: only in narrow containers. `silent`: they
   * don't get it either, because other text says it.
   */
  bare?: boolean | "narrow" | "silent";
  /** A filled circle with the icon. Only screen readers get the text. */
  filled?: boolean;
  size?: number | string;
  className?: string;
}

export function StateIcon({ status, waitingFor, bare, filled, size = 14, className }: StateIconProps) {
  const look = styleOfState(status, waitingFor);
  const Icon = status === "timed-out" ? CircleSlash2 : ICONS[look];
  const word = wordOf(status, waitingFor);
  if (filled)
    return (
      <span
        data-state={look}
        className={classes(
          "inline-flex shrink-0 items-center justify-center rounded-full text-node forced-color-adjust-none",
          "*:[svg]:size-[62%]",
          LOOKS[look].fill,
          look === "running" && "pulse-slowly",
          className,
        )}
        style={{ width: size, height: size }}
      >
        <Icon strokeWidth={3} aria-hidden="true" />
        <span className="sr-only">{word}</span>
      </span>
    );
  return (
    <span
      data-state={look}
      className={classes("inline-flex items-center gap-1.5 whitespace-nowrap", LOOKS[look].text, className)}
    >
      <Icon size={size} strokeWidth={2.25} className={look === "running" ? "pulse-slowly" : ""} aria-hidden="true" />
      {bare !== "silent" && (
        <span className={bare === "narrow" ? "@max-[8rem]:sr-only" : bare ? "sr-only" : ""}>{word}</span>
      )}
    </span>
  );
}
