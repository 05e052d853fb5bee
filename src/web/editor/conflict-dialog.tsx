// ConflictDialog: shows both texts when the same lines were changed here and elsewhere (spec 2.3). The user decides
// each conflict, and nothing is lost until then. "Keep both files" leaves theirs in this file and writes mine to a new
// one.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { at } from "../../api/address.ts";
import type { WorkflowDocument } from "../../api/shapes.ts";
import { ask, Refusal } from "../client/api.ts";
import { sentence } from "../client/queries.ts";
import type { Conflict as ConflictingLines } from "../document/index.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { type Clash, type Session, type SessionState, type Side, settled } from "./session.ts";

/** The dialog, if there is a clash. A newer version of the file starts a new dialog. */
export function Conflict({ session, state: { path, clash, base, doc } }: { session: Session; state: SessionState }) {
  const navigate = useNavigate();
  if (clash === undefined) return null;
  const keepBoth = async (): Promise<void> => {
    try {
      const name = await writeBeside(path, doc.text);
      session.settle(clash.theirs.text);
      const onPress = () => void navigate({ to: "/w/$path", params: { path: name } });
      toast(`Yours is in ${name}.`, { label: "Open it", onPress });
    } catch (reason) {
      toast(sentence(reason));
    }
  };
  return (
    <ConflictDialog
      key={clash.theirs.etag}
      clash={clash}
      base={base.text}
      mine={doc.text}
      onSettle={(text) => session.settle(text)}
      onKeepBoth={() => void keepBoth()}
    />
  );
}

interface ConflictDialogProps {
  clash: Clash;
  base: string;
  mine: string;
  onSettle: (text: string) => void;
  /** Keeps theirs in this file and writes mine to a new file. */
  onKeepBoth: () => void;
}

function ConflictDialog({ clash, base, mine, onSettle, onKeepBoth }: ConflictDialogProps) {
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
        <>
          <Button kind="quiet" onClick={onKeepBoth}>
            Keep both files
          </Button>
          <Button kind="primary" onClick={() => onSettle(settled(base, mine, clash, sides))}>
            Use these
          </Button>
        </>
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

const NAMES_TRIED = 50;

/** Writes the text next to the file, under the first free name such as `orders-mine.flow.yaml`. Returns the name. */
async function writeBeside(path: string, text: string): Promise<string> {
  const [, stem = path, end = ""] = /^(.*?)(\.flow\.ya?ml|\.ya?ml)?$/.exec(path) ?? [];
  for (let n = 1; n <= NAMES_TRIED; n++) {
    const name = `${stem}-mine${n === 1 ? "" : `-${n}`}${end}`;
    try {
      await ask<WorkflowDocument>(at("workflows", name), {
        method: "PUT",
        body: { text },
        headers: { "if-none-match": "*" },
      });
      return name;
    } catch (reason) {
      if (!(reason instanceof Refusal) || reason.problem.status !== 412) throw reason;
    }
  }
  throw new Error(`There are ${NAMES_TRIED} files called ${stem}-mine${end} already.`);
}
