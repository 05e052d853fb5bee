// ConflictDialog: the same lines were changed here and elsewhere. Both are shown; each place is decided; nothing is lost until then
// (spec 2.3).

import { useState } from "react";
import { mergeTexts } from "../document/index.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import type { Clash } from "./session.ts";

export interface ConflictDialogProps {
  clash: Clash;
  base: string;
  mine: string;
  onSettle: (text: string) => void;
}

type Side = "ours" | "theirs" | "both";

export function ConflictDialog({ clash, base, mine, onSettle }: ConflictDialogProps) {
  const [sides, setSides] = useState<Side[]>(() => clash.conflicts.map(() => "ours"));
  const [open, setOpen] = useState(true);
  if (!open)
    return (
      <div className="absolute inset-x-0 top-0 z-20 flex items-center gap-3 border-b border-waiting bg-panel px-4 py-2">
        <span className="flex-1">
          This file was changed elsewhere in the same lines. Nothing is saved until you choose.
        </span>
        <Button size="small" onClick={() => setOpen(true)}>
          Choose…
        </Button>
      </div>
    );
  const all = (side: Side) => () => setSides(clash.conflicts.map(() => side));
  return (
    <Dialog
      open
      wide
      onClose={() => setOpen(false)}
      title="Changed here and elsewhere"
      description="The same lines of this file were changed in two places. Everything else was put together. Choose what should stand here."
      actions={
        <>
          <Button kind="quiet" onClick={all("ours")}>
            All mine
          </Button>
          <Button kind="quiet" onClick={all("theirs")}>
            All theirs
          </Button>
          <Button kind="primary" onClick={() => onSettle(settled(base, mine, clash, sides))}>
            Use these
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {clash.conflicts.map((conflict, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the conflicts of a clash never change their order.
          <fieldset key={at} className="grid grid-cols-2 gap-2">
            <legend className="mb-1 text-sm text-muted">Line {conflict.line + 1}</legend>
            {(["ours", "theirs"] as const).map((side) => (
              <label
                key={side}
                className={classes(
                  "block cursor-pointer rounded-md border p-2",
                  sides[at] === side ? "border-accent bg-selected" : "border-line",
                )}
              >
                <span className="mb-1 flex items-center gap-2 text-sm font-semibold">
                  <input
                    type="radio"
                    name={`conflict-${at}`}
                    checked={sides[at] === side}
                    onChange={() => setSides(sides.map((one, index) => (index === at ? side : one)))}
                  />
                  {side === "ours" ? "Mine" : "Theirs"}
                </span>
                <pre className="max-h-48 overflow-auto whitespace-pre-wrap">{conflict[side] || "(removed)"}</pre>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </Dialog>
  );
}

/** The merged text with the chosen side of each conflict. */
export function settled(base: string, mine: string, clash: Clash, sides: readonly Side[]): string {
  const lines = mergeTexts(base, mine, clash.theirs.text).text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const [at, conflict] of [...clash.conflicts.entries()].reverse()) {
    if (sides[at] === "ours") continue;
    const count = (conflict.ours.match(/[^\n]*\n|[^\n]+$/g) ?? []).length;
    const taken = sides[at] === "both" ? conflict.ours + conflict.theirs : conflict.theirs;
    lines.splice(conflict.line, count, taken);
  }
  return lines.join("");
}
