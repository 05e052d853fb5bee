// useClipboard: copy, cut, and paste with the browser's own events, so that the clipboard has YAML text for any editor
// (spec ui.md 6.5).
//   P1. In a text field, or with selected text, copy and paste work on the text.
//   P2. If the user changed the keys, the clipboard is read through its API, which the browser may reject.

import { type RefObject, useEffect, useRef } from "react";
import { unfenced } from "../../workflow/import/pasted.ts";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { canType } from "../ui/focus.ts";
import { say, toast } from "../ui/toast.tsx";
import type { Operations } from "./operations.ts";

/** Returns a function that pastes for a key that the user chose. */
export function useClipboard(operations: Operations, canvas: RefObject<CanvasHandle | null>): () => void {
  const pointer = useRef<{ x: number; y: number }>(undefined);
  const paste = (given: string): void => {
    const text = unfenced(given);
    const at = pointer.current === undefined ? undefined : canvas.current?.toFlow(pointer.current);
    if (text.trim() !== "") void operations.paste(text, at);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `paste` reads only refs and `operations`.
  useEffect(() => {
    const own = new AbortController();
    const { signal } = own;
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
      paste(text);
    };
    const onMove = (event: PointerEvent): void => {
      const isOver = event.target instanceof Element && event.target.closest(".curlew-canvas") !== null;
      pointer.current = isOver ? { x: event.clientX, y: event.clientY } : undefined;
    };
    document.addEventListener("pointermove", onMove, { signal });
    document.addEventListener("copy", onCopy, { signal });
    document.addEventListener("cut", onCopy, { signal });
    document.addEventListener("paste", onPaste, { signal });
    return () => own.abort();
  }, [operations]);
  // Reads the clipboard through its API (P2).
  return () =>
    navigator.clipboard === undefined
      ? toast("This browser can only paste with Ctrl+V.")
      : void navigator.clipboard
          .readText()
          .then(paste, () => toast("The browser does not allow this page to read the clipboard."));
}
