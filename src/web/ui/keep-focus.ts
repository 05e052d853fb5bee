// KeepFocus: where the focus goes when what had it is taken away (spec ui 6.7): to a neighbour, never to the page as a whole, where a screen
// reader would begin at the top again.
//   K1. Who leaves something by themselves (a press on nothing, Escape in a field) is left alone: only what is no longer drawn is followed.
//   K2. A dialog or menu puts the focus back itself. Where that is gone too, the place before the dialog counts.
//   K3. The neighbour stands in the nearest surrounding part that is still drawn: the element marked `data-focus-first`, else that part itself
//       where it takes the focus, else the control behind, else the one before.
//   K4. It is never a field: what is pressed next would become text there.
//   K5. Where a whole place went, or something of the bar above (where Retry takes the place of Cancel), it is `main` itself, on which no key
//       presses anything.

import { canType } from "./focus.ts";

const PLACES_MAX = 8;
const CONTROLS = "a[href],button,input,select,textarea,summary,[tabindex]";

interface Place {
  element: Element;
  /** From the inside out: each part around it, and the how-n-th child of that part it stood in. */
  around: { part: Element; at: number }[];
}

/** Called once, by the shell. Returns what ends it. */
export function keepFocus(): () => void {
  let places: Place[] = [];
  let looking = false;
  const onFocus = (event: FocusEvent): void => {
    if (!(event.target instanceof Element) || event.target === document.body) return;
    places = [placeOf(event.target), ...places.filter(({ element }) => element !== event.target)].slice(0, PLACES_MAX);
  };
  /** K1. Told apart once it is known what became of it. */
  const onLeft = (event: FocusEvent): void => {
    if (event.relatedTarget !== null) return;
    const left = event.target;
    setTimeout(() => {
      if (!hasFocus() && left instanceof Element && isDrawn(left) && document.hasFocus()) places = [];
    });
  };
  const look = (): void => {
    if (looking || hasFocus() || places[0] === undefined || isDrawn(places[0].element)) return;
    looking = true;
    // K2: a dialog does it after the next drawing.
    requestAnimationFrame(() =>
      setTimeout(() => {
        looking = false;
        if (!hasFocus() && places[0] !== undefined && !isDrawn(places[0].element)) giveFocus(places);
      }),
    );
  };
  const changes = new MutationObserver(look);
  addEventListener("focusin", onFocus);
  addEventListener("focusout", onLeft);
  changes.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener("focusin", onFocus);
    removeEventListener("focusout", onLeft);
    changes.disconnect();
  };
}

function placeOf(element: Element): Place {
  const around: Place["around"] = [];
  for (let inner = element; inner.parentElement !== null && inner.parentElement !== document.body; ) {
    const part = inner.parentElement;
    around.push({ part, at: Array.prototype.indexOf.call(part.children, inner) });
    inner = part;
  }
  return { element, around };
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

function isDrawn(element: Element): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}

/** K2: the latest place of which something is left. */
function giveFocus(places: readonly Place[]): void {
  for (const { element, around } of places) {
    if (takes(element)) {
      element.focus();
      return;
    }
    for (const { part, at } of around) {
      if (!isDrawn(part)) continue;
      const main = document.querySelector("main");
      if (main !== null && (part === main || part.closest("[data-part=bar]") !== null)) {
        focusMain(main);
        return;
      }
      if (main !== null && part.contains(main)) break;
      const next = neighbourIn(part, at);
      if (next !== undefined) {
        next.focus();
        return;
      }
    }
  }
  const main = document.querySelector("main");
  if (main !== null) focusMain(main);
}

/** K3. */
function neighbourIn(part: Element, at: number): HTMLElement | undefined {
  const marked = part.querySelector<HTMLElement>("[data-focus-first]");
  if (marked !== null && isDrawn(marked)) return marked;
  if (takes(part)) return part;
  const controls = [...part.querySelectorAll(CONTROLS)].filter(takes);
  const from = part.children[at];
  const behind =
    from &&
    controls.find(
      (one) => from.contains(one) || (from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
  return behind ?? controls.at(-1);
}

/** K4. */
function takes(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.tabIndex >= 0 &&
    element.matches(`${CONTROLS}:not(:disabled)`) &&
    !canType(element) &&
    isDrawn(element)
  );
}

/** K5. It takes the focus only now: else each press on nothing would give it. */
function focusMain(main: HTMLElement): void {
  main.tabIndex = -1;
  main.style.outline = "none";
  main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  main.focus({ preventScroll: true });
}
