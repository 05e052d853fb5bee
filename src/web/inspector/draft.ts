// draft: text that the user is typing in a plain field. It is committed after a short pause, when the field loses the
// focus, and when the field is removed.

import { useEffect, useRef, useState } from "react";

const TELL_AFTER_MS = 300;

export interface Draft {
  text: string;
  type: (text: string) => void;
  tell: () => void;
}

/** `commit` is called with the typed text if it differs from `value`. `atEnd`: not after a pause. */
export function useDraft(value: string, commit: (text: string) => void, atEnd = false): Draft {
  const [text, setText] = useState(value);
  const state = useRef({ text: value, told: value, commit });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  state.current.commit = commit;

  const tell = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { text: typed, told } = state.current;
    if (typed === told) return;
    state.current.told = typed;
    state.current.commit(typed);
  };

  // A new value replaces the text only while no typed text is waiting to be committed.
  useEffect(() => {
    if (state.current.text !== state.current.told || state.current.told === value) return;
    state.current.told = value;
    state.current.text = value;
    setText(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: commits only when the field is removed.
  useEffect(() => tell, []);

  return {
    text,
    type: (next) => {
      state.current.text = next;
      setText(next);
      clearTimeout(timer.current);
      if (!atEnd) timer.current = setTimeout(tell, TELL_AFTER_MS);
    },
    tell,
  };
}
