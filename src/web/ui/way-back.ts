// way-back: restores the focus after a dialog closes, even if it was in a field. Radix knows only the button that
// opened the dialog.

import { useRef } from "react";

export function useWayBack(open: boolean) {
  const before = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // During rendering, because a field of the dialog may take the focus as soon as it is mounted.
  if (open && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = open;
  /** If the focus has moved elsewhere in the meantime, it stays there. */
  return (event: Event): void => {
    const { current } = before;
    if (document.activeElement !== document.body || !(current instanceof HTMLElement)) return;
    if (current === document.body || !current.isConnected || current.getClientRects().length === 0) return;
    event.preventDefault();
    current.focus();
  };
}
