// Focus: where typed keys go, and how what is about to be drawn gets them.
//   F1. Whoever has gone on by then, into a box or a field of their own accord, stays there: what they type is meant for it.
//   F2. Of several that are still to be drawn, the one asked for last gets it.
//   F3. When what had the focus is no longer drawn, the screen's main thing (`data-focus-first`) or `main` gets it, so that a screen reader
//       does not begin at the top of the page again. A dialog that closes puts it back first.

const FRAMES_MOST = 120;

let asked = 0;

/** Looks once a frame, for `FRAMES_MOST` frames. */
export function focusSoon(find: () => HTMLElement | null | undefined): void {
  const from = document.activeElement;
  asked += 1;
  const mine = asked;
  const look = (frames: number): void => {
    if (frames === 0 || mine !== asked || hasGoneOn(from)) return;
    const element = find();
    if (element) element.focus();
    else requestAnimationFrame(() => look(frames - 1));
  };
  requestAnimationFrame(() => look(FRAMES_MOST));
}

/** F1. Something other than `from` has the keys that are typed. */
export function hasGoneOn(from: Element | null): boolean {
  const { activeElement } = document;
  return activeElement !== from && canType(activeElement);
}

/** Letters are text there, or its own keys: a field, a dialog, a menu. */
export function canType(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[role=dialog],[role=menu],[role=listbox]") !== null) return true;
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button|submit|range)$/.test(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** F3. Called once, by the shell. Returns what ends it. */
export function keepFocus(): () => void {
  let last: Element | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    if (target instanceof Element) last = target;
  };
  const changes = new MutationObserver(() => {
    if (last === null || isDrawn(last)) return;
    last = null;
    requestAnimationFrame(() => setTimeout(focusPlace));
  });
  addEventListener("focusin", onFocus);
  changes.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener("focusin", onFocus);
    changes.disconnect();
  };
}

function focusPlace(): void {
  if (document.activeElement !== document.body) return;
  const main = document.querySelector("main");
  const place = [...document.querySelectorAll<HTMLElement>("main [data-focus-first]")].find(isDrawn) ?? main;
  if (place === main) main?.setAttribute("tabindex", "-1");
  place?.focus({ preventScroll: true });
}

function isDrawn(element: Element): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}
