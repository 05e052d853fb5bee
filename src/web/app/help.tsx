// Help: the shortcuts of this screen and of every screen (spec ui 6.2.10). Selecting one changes its keys.

import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import { type Action, keysOf, setKeys, useActionTable } from "./actions.ts";
import { chordOf } from "./chords.ts";
import { closeOverlay } from "./overlays.ts";

export function Help() {
  const { places, own } = useActionTable();
  const [asking, setAsking] = useState<string>();
  // Several components add actions to one place.
  const byName = Map.groupBy(places.toReversed(), ({ name }) => name);
  const shown = [...byName]
    .map(([name, parts]) => ({
      name,
      actions: parts.flatMap(({ actions }) => actions).filter((action) => keysOf(action, own) !== undefined),
    }))
    .filter(({ actions }) => actions.length > 0);
  return (
    <Dialog
      open
      wide
      onClose={closeOverlay}
      title="Keys"
      description="Single keys work while no field has the focus. Press a shortcut here to give it other keys."
    >
      <div className="gap-x-10 pb-4 sm:columns-2">
        {shown.map(({ name, actions }) => (
          <section key={name} aria-label={name} className="mb-4">
            <h3 className="break-after-avoid pb-1 text-sm font-semibold text-muted">{name}</h3>
            <ul>
              {actions.map((action) => (
                <li
                  key={action.id}
                  className="flex min-h-8 break-inside-avoid items-center justify-between gap-3 border-b border-line"
                >
                  <span>{action.title}</span>
                  {asking === action.id ? (
                    <Ask action={action} onDone={() => setAsking(undefined)} />
                  ) : (
                    <Button
                      kind="quiet"
                      size="small"
                      className="max-sm:h-auto max-sm:min-h-6 max-sm:shrink max-sm:flex-wrap max-sm:justify-end"
                      onClick={() => setAsking(action.id)}
                    >
                      <span className="sr-only">{`${action.title}: ${keysOf(action, own)}. Change`}</span>
                      {(keysOf(action, own) || "none").split(" or ").map((keys) => (
                        <Keys key={keys} keys={keys} />
                      ))}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** The next chord becomes the action's shortcut. Escape cancels. */
function Ask({ action, onDone }: { action: Action; onDone: () => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const chord = chordOf(event);
      if (chord === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (chord !== "Escape") setKeys(action.id, chord);
      onDone();
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [action.id, onDone]);
  return (
    <span className="flex items-center gap-2">
      <span role="status" className="text-accent">
        Press keys…
      </span>
      <Button
        kind="quiet"
        size="small"
        onClick={() => {
          setKeys(action.id, undefined);
          onDone();
        }}
      >
        Reset
      </Button>
    </span>
  );
}
