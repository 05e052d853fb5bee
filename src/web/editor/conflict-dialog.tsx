// ConflictDialog: shows both texts when the same lines were changed here and elsewhere (spec 2.3). The user decides
// each conflict, and nothing is lost until then.

import { useState } from "react";
import type { Conflict as ConflictingLines } from "../document/index.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Clash, mergedText, type Session, type SessionState, type Side } from "./session.ts";

/** The dialog, if there is a clash. A newer version of the file starts a new dialog. */
export function Conflict({ session, state: { clash, base, doc } }: { session: Session; state: SessionState }) {
  if (clash === undefined) return null;
  return (
    <ConflictDialog
      key={clash.theirs.etag}
      clash={clash}
      onSettle={(sides) => session.settle(mergedText(base.text, doc.text, clash, sides))}
    />
  );
}

interface ConflictDialogProps {
  clash: Clash;
  onSettle: (sides: readonly Side[]) => void;
}

function ConflictDialog({ clash, onSettle }: ConflictDialogProps) {
  const { conflicts } = clash;
  const [sides, setSides] = useState<Side[]>(() => conflicts.map(() => "ours"));
  const [open, setOpen] = useState(true);
  if (!open) return <Waiting onChoose={() => setOpen(true)} />;
  return (
    <Dialog
      open
      wide
      onClose={() => setOpen(false)}
      title="Changed here and elsewhere"
      description="The same lines of this file were changed in two places. All other changes were merged. Choose which lines to keep."
      actions={
        <Button kind="primary" onClick={() => onSettle(sides)}>
          Use these
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {conflicts.map((conflict, at) => (
          <Choice
            // biome-ignore lint/suspicious/noArrayIndexKey: the conflicts of a clash never change their order.
            key={at}
            conflict={conflict}
            chosen={sides[at]}
            onChoose={(side) => setSides(sides.with(at, side))}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Waiting({ onChoose }: { onChoose: () => void }) {
  return (
    <div className="flex items-center gap-3 border-b border-waiting bg-panel px-4 py-1.5">
      <span role="alert" className="flex-1">
        This file was changed elsewhere in the same lines. Nothing is saved until you choose.
      </span>
      <Button size="small" onClick={onChoose}>
        Choose…
      </Button>
    </div>
  );
}

interface ChoiceProps {
  conflict: ConflictingLines;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}

function Choice({ conflict, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="mb-1 text-sm text-muted">Line {conflict.line + 1}</legend>
      {(["ours", "theirs"] as const).map((side) => (
        <label
          key={side}
          className={classes(
            "block cursor-pointer rounded-md border p-2",
            chosen === side ? "border-accent bg-selected" : "border-line",
          )}
        >
          <span className="mb-1 flex items-center gap-2 text-sm font-semibold">
            <input
              type="radio"
              name={`conflict-${conflict.line}`}
              checked={chosen === side}
              onChange={() => onChoose(side)}
            />
            {side === "ours" ? "Mine" : "Theirs"}
          </span>
          <pre className="max-h-48 overflow-auto whitespace-pre-wrap">{conflict[side] || "(removed)"}</pre>
        </label>
      ))}
    </fieldset>
  );
}
