// way-back: where the focus was before a dialog opened, also in a field: there it goes when the dialog is closed. Radix knows only the button
// that opened it, keep-focus.ts never gives it to a field of its own accord.

import { useRef } from "react";

export function useWayBack() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (): void => {
      before.current = document.activeElement;
    },
    /** Whoever has been led elsewhere meanwhile stays there. */
    onCloseAutoFocus: (event: Event): void => {
      const { current } = before;
      if (document.activeElement !== document.body || !(current instanceof HTMLElement)) return;
      if (current === document.body || !current.isConnected || current.getClientRects().length === 0) return;
      event.preventDefault();
      current.focus();
    },
  };
}
