// DeliveryState: what became of a delivery: a colour, a shape and a word.

import { CircleCheck, CircleX, Copy, Hourglass, Radio, ShieldX } from "lucide-react";
import type { DeliveryStatus } from "../../api/shapes.ts";
import { classes } from "../ui/classes.ts";

const STATES = {
  received: { word: "received", icon: Hourglass, text: "text-queued" },
  started: { word: "started", icon: CircleCheck, text: "text-succeeded" },
  failed: { word: "no run", icon: CircleX, text: "text-failed" },
  refused: { word: "refused", icon: ShieldX, text: "text-failed" },
  ping: { word: "ping", icon: Radio, text: "text-skipped" },
  duplicate: { word: "known already", icon: Copy, text: "text-skipped" },
} as const;

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  const { word, icon: Icon, text } = STATES[status];
  return (
    <span
      className={classes("inline-flex items-center gap-1.5 text-sm whitespace-nowrap", text)}
      data-delivery={status}
    >
      <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
      {word}
    </span>
  );
}
