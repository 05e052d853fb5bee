// running: how an editor of code stands in a component: made once, ahead of what it is given while somebody types (the fields of the panel and
// the source view share it).
//   U1. It tells what it holds shortly after the last key, when it is asked to, and before it goes away: no key is lost.
//   U2. What comes from outside is taken only when nothing is on its way out.

import type { EditorView } from "@codemirror/view";
import { type RefObject, useEffect } from "react";

export interface Running {
  view: EditorView;
  /** U1. */
  tell(): void;
  /** U2. */
  take(text: string): void;
}

/** `start` is called once, with where it stands. */
export function useRunning<Kind extends Running>(
  host: RefObject<HTMLElement | null>,
  editor: RefObject<Kind | undefined>,
  text: string,
  start: (parent: HTMLElement) => Kind,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor is made once; what changes is dispatched to it.
  useEffect(() => {
    const running = start(host.current as HTMLElement);
    editor.current = running;
    return () => {
      running.tell();
      running.view.destroy();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same editor all along.
  useEffect(() => editor.current?.take(text), [text]);
}

/** How long typing pauses before the document is told, which checks and draws it again. */
export const PAUSE_MS = 200;

/** Something that is done once, `ms` after the last call of `later`. */
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
