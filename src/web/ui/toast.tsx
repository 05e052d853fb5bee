// Toast: short messages about what has just happened, and the live regions for screen readers (spec ui 6.7).
//   O1. Polite messages are combined and announced at most once a second. `assertive` ones are immediate: approvals,
//       and failures of the user's own actions.
//   O2. A toast with an action stays until it is dismissed. Others disappear after 5 s.
//   O3. A repeated message is announced again, because each announcement is a separate element.

import { X } from "lucide-react";
import { create } from "zustand";
import { visibleLine } from "../../base/visible.ts";
import { count } from "./words.ts";

interface Note {
  id: number;
  text: string;
  action?: { label: string; onPress: () => void };
}

/** O3. */
interface ToastText {
  text: string;
  number: number;
}

/** Counts are added up: "5 nodes succeeded". */
export interface Counted {
  count: number;
  one: string;
  words: string;
}

const useNotes = create<{ notes: Note[]; polite: ToastText; assertive: ToastText }>(() => ({
  notes: [],
  polite: { text: "", number: 0 },
  assertive: { text: "", number: 0 },
}));
let last = 0;
let gathered: (string | Counted)[] = [];

/** Shown and announced. */
export function toast(text: string, action?: Note["action"]): void {
  last += 1;
  const note = { id: last, text: visibleLine(text), action };
  // Replaces a toast with the same text.
  useNotes.setState(({ notes }) => ({ notes: [...notes.filter(({ text }) => text !== note.text).slice(-2), note] }));
  say(note.text);
  if (action === undefined) setTimeout(() => leave(note.id), 5000);
}

/** O1. Announced, not shown. */
export function say(text: string | Counted, how: "polite" | "assertive" = "polite"): void {
  last += 1;
  if (how === "assertive" && typeof text === "string") {
    useNotes.setState({ assertive: { text, number: last } });
    return;
  }
  gathered.push(text);
  if (gathered.length > 1) return;
  setTimeout(() => {
    last += 1;
    useNotes.setState({ polite: { text: summed(gathered), number: last } });
    gathered = [];
  }, 1000);
}

/** Each total is at the position of its first message. */
function summed(all: readonly (string | Counted)[]): string {
  const sums = new Map<string, string | Counted>();
  for (const [at, said] of all.entries()) {
    const key = typeof said === "string" ? `${at}` : `${said.one} ${said.words}`;
    const before = sums.get(key);
    const add = typeof before === "object" ? before.count : 0;
    sums.set(key, typeof said === "string" ? said : { ...said, count: said.count + add });
  }
  return [...sums.values()]
    .map((said) => (typeof said === "string" ? said : `${count(said.count, said.one)} ${said.words}`))
    .join(". ");
}

function leave(id: number): void {
  useNotes.setState(({ notes }) => ({ notes: notes.filter((note) => note.id !== id) }));
}

function act({ id, action }: Note): void {
  leave(id);
  action?.onPress();
}

/** Mounted once, in the shell. */
export function Toasts() {
  const { notes, polite, assertive } = useNotes();
  return (
    <>
      <div aria-live="polite" className="sr-only">
        <span key={polite.number}>{polite.text}</span>
      </div>
      <div aria-live="assertive" className="sr-only">
        <span key={assertive.number}>{assertive.text}</span>
      </div>
      <div
        data-part="toasts"
        className="pointer-events-none fixed right-4 bottom-10 z-50 flex max-sm:bottom-22 max-w-[calc(100vw-2rem)] flex-col gap-2"
      >
        {notes.map((note) => (
          <div
            key={note.id}
            className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line bg-node py-2 pr-2 pl-4 shadow-xl"
          >
            <span className="line-clamp-4 min-w-0 flex-1 break-words">{note.text}</span>
            {note.action !== undefined && (
              <button type="button" className="shrink-0 font-semibold text-accent" onClick={() => act(note)}>
                {note.action.label}
              </button>
            )}
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => leave(note.id)}
              className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover"
            >
              <X />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
