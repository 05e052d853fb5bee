// running: an editor of code inside a component. It is made once, and is ahead of its `text` while the user types. The
// panel's fields and the source view share it.
//   U1. The editor reports its text shortly after the last key, on demand, and before it is removed, so no key is lost.
//   U2. Text from outside is accepted only if no typed text is waiting to be reported.

import type { EditorView } from "@codemirror/view";
import { type RefObject, useEffect } from "react";

export interface Running {
  view: EditorView;
  /** Reports the text now (U1). */
  tell(): void;
  /** Accepts text from outside (U2). */
  take(text: string): void;
}

/** `start` is called once, with the element that contains the editor. */
export function useRunning<Kind extends Running>(
  host: RefObject<HTMLElement | null>,
  editor: RefObject<Kind | undefined>,
  text: string,
  start: (parent: HTMLElement) => Kind,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once and gets changes by dispatch.
  useEffect(() => {
    const running = start(host.current as HTMLElement);
    editor.current = running;
    return () => {
      running.tell();
      running.view.destroy();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor never changes.
  useEffect(() => editor.current?.take(text), [text]);
}

/** Milliseconds without a key before the document is updated, which checks and redraws it. */
export const PAUSE_MS = 200;

/** Calls `act` once, `ms` after the last call of `later`. */
export function delayed(ms: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const now = (): void => {
    drop();
    act();
  };
  return {
    later(): void {
      clearTimeout(timer);
      timer = setTimeout(now, ms);
    },
    now,
    isOn: (): boolean => timer !== undefined,
  };
}
