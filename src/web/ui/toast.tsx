// Toast: a short word about what has just happened, and the live regions through which screen readers hear it (spec ui 6.7).
//   O1. Polite words are said at most once a second, summed; `assertive` at once: approvals and failures of what a person has just done.
//   O2. A toast with something to do stays until it is left; others go after 5 s.

import { X } from "lucide-react";
import { create } from "zustand";
import { visibleLine } from "../../base/visible.ts";

interface Note {
  id: number;
  text: string;
  action?: { label: string; onPress: () => void };
}

const useNotes = create<{ notes: Note[]; polite: string; assertive: string }>(() => ({
  notes: [],
  polite: "",
  assertive: "",
}));
let last = 0;
let gathered: string[] = [];

/** Shown and said. */
export function toast(text: string, action?: Note["action"]): void {
  last += 1;
  const note = { id: last, text: visibleLine(text), ...(action === undefined ? {} : { action }) };
  useNotes.setState(({ notes }) => ({ notes: [...notes.slice(-2), note] }));
  say(note.text);
  if (action === undefined) setTimeout(() => leave(note.id), 5000);
}

/** O1. Said, not shown. */
export function say(text: string, how: "polite" | "assertive" = "polite"): void {
  if (how === "assertive") {
    useNotes.setState({ assertive: text });
    return;
  }
  gathered.push(text);
  if (gathered.length > 1) return;
  setTimeout(() => {
    useNotes.setState({ polite: gathered.join(". ") });
    gathered = [];
  }, 1000);
}

function leave(id: number): void {
  useNotes.setState(({ notes }) => ({ notes: notes.filter((note) => note.id !== id) }));
}

function act({ id, action }: Note): void {
  leave(id);
  action?.onPress();
}

/** Once in the shell. */
export function Toasts() {
  const { notes, polite, assertive } = useNotes();
  return (
    <>
      <div aria-live="polite" className="sr-only">
        {polite}
      </div>
      <div aria-live="assertive" className="sr-only">
        {assertive}
      </div>
      <div
        data-part="toasts"
        className="pointer-events-none fixed right-4 bottom-10 z-50 flex max-w-[calc(100vw-2rem)] flex-col gap-2"
      >
        {notes.map((note) => (
          <div
            key={note.id}
            className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line bg-node py-2 pr-2 pl-4 shadow-xl"
          >
            <span className="line-clamp-4 min-w-0 break-words">{note.text}</span>
            {note.action !== undefined && (
              <button type="button" className="font-semibold text-accent" onClick={() => act(note)}>
                {note.action.label}
              </button>
            )}
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => leave(note.id)}
              className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover"
            >
              <X size={14} aria-hidden="true" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
