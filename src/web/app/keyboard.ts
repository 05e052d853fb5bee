// keyboard: listens for key presses in the window and starts the matching action (chords.ts finds it).
//   B1. A key already handled by an editor or menu (preventDefault) is ignored.
//   B2. In a dialog or menu, only its own keys and actions with `inFields` work.
//   B3. Enter and Space on a button or link press it.
//   B4. A held key acts once unless the action repeats (`held`), so that no run starts twice and nothing is approved
//       unread.

import { canType } from "../ui/focus.ts";
import { type Action, keysOf, useActionTable } from "./actions.ts";
import { type Bound, chordOf, meaningOf } from "./chords.ts";

const sequenceMs = 1000;

/** Called once, by the shell. Returns a function that stops it. */
export function listenToKeys(): () => void {
  let before: { chord: string; at: number } | undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const chord = chordOf(event);
    if (chord === undefined || ((chord === "Enter" || chord === "Space") && pressable(event.target))) return;
    const known = before !== undefined && event.timeStamp - before.at < sequenceMs ? before.chord : undefined;
    before = { chord, at: event.timeStamp };
    const { actions, bound } = boundNow();
    const meaning = meaningOf(chord, bound, { field: canType(event.target), before: known });
    if (meaning === undefined || "wait" in meaning) return;
    before = undefined;
    event.preventDefault();
    const action = actions.get(meaning.action);
    if (!event.repeat || action?.held) action?.run();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

function boundNow(): { actions: Map<string, Action>; bound: Bound[] } {
  const { places, own } = useActionTable.getState();
  const actions = new Map<string, Action>();
  const bound: Bound[] = [];
  for (const action of places.flatMap((place) => place.actions)) {
    const keys = keysOf(action, own);
    if (action.byBrowser && own[action.id] === undefined) continue;
    if (action.disabled || keys === undefined || keys === "") continue;
    actions.set(action.id, action);
    bound.push({ id: action.id, keys, inFields: action.inFields });
  }
  return { actions, bound };
}

/** B3. */
function pressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a,button,summary,[role=button]") !== null;
}
