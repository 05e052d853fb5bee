// useClipboard: copy, cut and paste by the browser's own events, so that the clipboard holds YAML text for any editor (ui.md 6.5).
//   P1. Whoever types in a field, or marked some text, copies and pastes that.
//   P2. By keys of a person's own the clipboard is asked for, which the browser may refuse.

import { useCallback, useEffect, useRef } from "react";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { canType } from "../ui/focus.ts";
import { say, toast } from "../ui/toast.tsx";
import { notPasted } from "./curl.ts";
import type { Operations } from "./operations.ts";

/** Gives what pastes by a key of a person's own. */
export function useClipboard(operations: Operations, canvas: () => CanvasHandle | null): () => void {
  const pointer = useRef<{ x: number; y: number }>(undefined);
  const paste = useCallback(
    async (text: string): Promise<void> => {
      if (text.trim() === "") return;
      const at = pointer.current === undefined ? undefined : canvas()?.toFlow(pointer.current);
      if (!(await operations.paste(text, at))) toast(notPasted(text));
    },
    [operations, canvas],
  );
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
      // All of it comes back by pasting.
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
  // P2.
  return () =>
    navigator.clipboard === undefined
      ? toast("This browser pastes by Ctrl+V alone.")
      : void navigator.clipboard.readText().then(paste, () => toast("The browser keeps its clipboard to itself."));
}
