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

const MS_MOST = 600;
/** What takes less than a frame is not felt by who types on. */
const FRAME_MS = 16;

/**
 * Something that is done once, `ms` after the last call of `later`, or later: what is felt (in a document of a thousand nodes) waits for a longer
 * pause, so that the next key does not wait for it. What it costs is measured, with the drawing that it causes at once.
 */
export function delayed(ms: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let costMs = 0;
  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const now = (): void => {
    drop();
    const from = performance.now();
    act();
    // React draws what was changed in a microtask, before this one.
    queueMicrotask(() => {
      costMs = performance.now() - from;
    });
  };
  return {
    /** `least`: this time not before that. */
    later(least = ms): void {
      clearTimeout(timer);
      timer = setTimeout(now, Math.min(MS_MOST, Math.max(least, (costMs < FRAME_MS ? 1 : 4) * costMs)));
    },
    now,
    drop,
    isOn: (): boolean => timer !== undefined,
  };
}
