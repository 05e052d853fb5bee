// Focus: finds out where typed keys go, and moves the focus to elements that are about to be rendered.
//   F1. If the user has moved to another field by then, the focus stays there.
//   F2. If several elements are requested, the last one gets the focus.
//   F3. When the focused element disappears, the screen's main element (`data-focus-first`) or `main` gets the focus.
//       Otherwise a screen reader would start at the top. A closing dialog restores its own focus first.

const FRAMES_MOST = 300;

let asked = 0;

/** Checks once per frame, for `FRAMES_MOST` frames. */
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

/** F1. An element other than `from` receives typed keys. */
export function hasGoneOn(from: Element | null): boolean {
  const { activeElement } = document;
  return activeElement !== from && canType(activeElement);
}

/** The element handles letters itself: a field, a dialog, a menu. */
export function canType(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[role=dialog],[role=menu],[role=listbox]") !== null) return true;
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button|submit|range)$/.test(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** F3. Called once, by the shell. Returns a function that stops it. */
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
