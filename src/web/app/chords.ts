// chords: converts key presses to text such as `Ctrl+Shift+Enter`, `?` or `G H`. Pure (spec ui 6.5).
//   K1. Ctrl means ⌘ on a Mac. Letters are uppercase. A sign typed with Shift (`?`, `!`) is written alone, but Shift+1
//       is `Shift+1`.
//   K2. Two keys within a second are a sequence: `G H`.
//   K3. Keys without Ctrl work only outside text fields. Keys with Ctrl work in a field only if the action allows it.

export interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const NAMES: Record<string, string> = { " ": "Space", Esc: "Escape", Del: "Delete" };
const MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta", "AltGraph", "CapsLock", "Dead"]);

/** Undefined while only modifiers are down. */
export function chordOf(pressed: Pressed): string | undefined {
  if (MODIFIERS.has(pressed.key)) return undefined;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(pressed.code)?.[1];
  const key = NAMES[pressed.key] ?? (digit !== undefined ? digit : pressed.key.toUpperCase());
  const named = pressed.key.length > 1 || pressed.key === " " || digit !== undefined || /^\p{L}$/u.test(pressed.key);
  const one = named && pressed.key.length > 1 ? pressed.key : key;
  return [
    pressed.ctrlKey || pressed.metaKey ? "Ctrl" : undefined,
    pressed.altKey ? "Alt" : undefined,
    pressed.shiftKey && named ? "Shift" : undefined,
    NAMES[one] ?? one,
  ]
    .filter((part) => part !== undefined)
    .join("+");
}

export interface Bound {
  id: string;
  /** Alternatives are separated by ` or `. */
  keys: string;
  inFields?: boolean;
}

export interface Typing {
  /** The focus is in a text field. */
  field: boolean;
  /** The previous key, if pressed less than a second ago. */
  before: string | undefined;
}

export type Meaning = { action: string } | { wait: true } | undefined;

/** The action for a chord. The last binding wins, because it belongs to the innermost component. */
export function meaningOf(chord: string, bound: readonly Bound[], { field, before }: Typing): Meaning {
  const held = /^(?:Ctrl\+|Escape$|F\d)/.test(chord);
  const open = bound.filter((one) => !field || (held && one.inFields));
  const spelled = (one: Bound) => one.keys.split(" or ");
  const whole = before === undefined ? undefined : `${before} ${chord}`;
  const found =
    open.findLast((one) => whole !== undefined && spelled(one).includes(whole)) ??
    open.findLast((one) => spelled(one).includes(chord));
  if (found !== undefined) return { action: found.id };
  return open.some((one) => spelled(one).some((keys) => keys.startsWith(`${chord} `))) ? { wait: true } : undefined;
}
