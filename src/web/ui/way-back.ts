// way-back: where the focus was before a dialog opened, also in a field: it returns there when the dialog is closed. Radix knows only the
// button that opened it.

import { useRef } from "react";

export function useWayBack(open: boolean) {
  const before = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // While it is drawn: a field of the dialog may take the focus as soon as it is there.
  if (open && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = open;
  /** If the focus has moved elsewhere meanwhile, it stays there. */
  return (event: Event): void => {
    const { current } = before;
    if (document.activeElement !== document.body || !(current instanceof HTMLElement)) return;
    if (current === document.body || !current.isConnected || current.getClientRects().length === 0) return;
    event.preventDefault();
    current.focus();
  };
}
