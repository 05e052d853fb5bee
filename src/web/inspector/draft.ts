// draft: what a person is typing into a plain field, told shortly after the last key, when the focus leaves, and before it goes away.

import { useEffect, useRef, useState } from "react";

const TELL_AFTER_MS = 300;

export interface Draft {
  text: string;
  type: (text: string) => void;
  tell: () => void;
}

/** `commit` gets what was typed, as text, when it differs from `value`. */
export function useDraft(value: string, commit: (text: string) => void): Draft {
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

  // What comes from outside counts while nothing is on its way out.
  useEffect(() => {
    if (timer.current !== undefined || state.current.told === value) return;
    state.current.told = value;
    state.current.text = value;
    setText(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the field goes away.
  useEffect(() => tell, []);

  return {
    text,
    type: (next) => {
      state.current.text = next;
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(tell, TELL_AFTER_MS);
    },
    tell,
  };
}
