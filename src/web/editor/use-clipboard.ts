// useClipboard: copy, cut, and paste with the browser's own events, so that the clipboard has YAML text for any editor
// (spec ui.md 6.5).
//   P1. In a text field, or with selected text, copy and paste work on the text.
//   P2. If the user changed the keys, the clipboard is read through its API, which the browser may reject.

import { useCallback, useEffect, useRef } from "react";
import { unfenced } from "../../workflow/import/pasted.ts";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { canType } from "../ui/focus.ts";
import { say, toast } from "../ui/toast.tsx";
import { canBeCommand, isScript, notPasted } from "./curl.ts";
import type { Operations } from "./operations.ts";

interface Screen {
  x: number;
  y: number;
}

export interface Clipboard {
  /** Called for a key that the user chose. */
  onPaste(): void;
  /** Called for text dropped on the canvas. */
  onDropText(text: string, screen: Screen): void;
}

export function useClipboard(operations: Operations, canvas: () => CanvasHandle | null): Clipboard {
  const pointer = useRef<Screen>(undefined);
  const open = useRef<Operations>(undefined);
  const paste = useCallback(
    async (given: string, screen = pointer.current): Promise<void> => {
      const text = unfenced(given);
      if (text.trim() === "") return;
      const at = screen === undefined ? undefined : canvas()?.toFlow(screen);
      if (isScript(text)) operations.pasteCommand(text, at);
      else if (!(await operations.paste(text, at)))
        // The message stays visible, so another document may be open when the user clicks.
        toast(
          notPasted(text),
          canBeCommand(text)
            ? {
                label: "Add it as a command",
                onPress: () => open.current === operations && operations.pasteCommand(text, at),
              }
            : undefined,
        );
    },
    [operations, canvas],
  );
  useEffect(() => {
    open.current = operations;
    return () => {
      open.current = undefined;
    };
  }, [operations]);
  useEffect(() => {
    const onMove = (event: PointerEvent): void => {
      const over = event.target instanceof Element && event.target.closest(".curlew-canvas") !== null;
      pointer.current = over ? { x: event.clientX, y: event.clientY } : undefined;
    };
    const isOurs = (event: Event): boolean => !event.defaultPrevented && !canType(event.target);
    const onCopy = (event: ClipboardEvent): void => {
      const text = isOurs(event) && String(getSelection()) === "" ? operations.piece() : "";
      if (text === "") return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      // No message, because pasting restores everything.
      if (event.type === "cut") operations.remove(false, false);
      else say("Copied");
    };
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!isOurs(event) || text.trim() === "") return;
      event.preventDefault();
      void paste(text);
    };
    addEventListener("pointermove", onMove);
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      removeEventListener("pointermove", onMove);
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [operations, paste]);
  return {
    // Reads the clipboard through its API (P2).
    onPaste: () =>
      navigator.clipboard === undefined
        ? toast("This browser pastes by Ctrl+V alone.")
        : void navigator.clipboard.readText().then(
            (text) => paste(text),
            () => toast("The browser keeps its clipboard to itself."),
          ),
    onDropText: (text, screen) => void paste(text, screen),
  };
}
