// running: an editor of code inside a component. It is made once, and is ahead of its text while the user types. The
// inspector's fields and the source view share it.
//   U1. The editor reports its text shortly after the last key, on demand, and before it is removed, so no key is lost.
//   U2. Text from outside is accepted only if no typed text is waiting to be reported. Cursors outside the changed
//       lines stay in place.

import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect } from "react";
import { lineEdits } from "../document/merge.ts";

export interface Running {
  view: EditorView;
  /** Reports the text now (U1). */
  tell(): void;
  /** Whether typed text is waiting to be reported. */
  isAhead(): boolean;
  /** Accepts text from outside (U2). */
  take(text: string): void;
}

export interface Start {
  text: string;
  extensions: Extension;
  onText(text: string): void;
}

/** Marks a transaction that the user did not make. */
export const fromOutside = Annotation.define<boolean>();

/** Milliseconds without a key before the document is updated, which checks and redraws it. */
const PAUSE_MS = 200;

export function startEditor(parent: HTMLElement, { text, extensions, onText }: Start): Running {
  let told = text;
  const telling = delayed(PAUSE_MS, () => {
    const now = view.state.sliceDoc();
    if (now === told) return;
    told = now;
    onText(now);
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      // In an empty object, the next text is its content.
      selection: text === "{}" ? { anchor: 1 } : undefined,
      extensions: [
        extensions,
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) telling.later();
        }),
        EditorView.domEventHandlers({ blur: () => void telling.now() }),
      ],
    }),
  });
  return {
    view,
    tell: telling.now,
    isAhead: telling.isOn,
    take(next) {
      const now = view.state.sliceDoc();
      if (next === now || telling.isOn()) return;
      told = next;
      const whole = { from: 0, to: view.state.doc.length, insert: next };
      // Offsets of lines count a line break as one character, so CRLF replaces the whole text.
      const changes = view.state.lineBreak === "\n" ? lineEdits(now, next) : whole;
      view.dispatch({ changes, annotations: fromOutside.of(true) });
    },
  };
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

/** Calls `act` once, `ms` after the last call of `later`. */
export function delayed(ms: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    timer = undefined;
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
