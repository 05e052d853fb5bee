// readable: what the Tab key reaches on a page, whether each stop is seen, and which text of cards is too small.

import type { Page } from "playwright-core";

/**
 * One round of the Tab key: each stop shows that it has the focus, and is at least as large as a finger (24 px, WCAG
 * 2.5.8).
 */
export async function tabRound(page: Page, most = 80): Promise<{ stops: number; wrong: string[] }> {
  const wrong: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  let stops = 0;
  // A screen may have put the focus in its middle: after the end, the round continues at the start, once.
  for (let ends = 0; stops < most && ends < 2; ) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(focused);
    if (at === undefined) {
      ends += 1;
      continue;
    }
    if (at.again) break;
    stops += 1;
    if (at.problem !== "") wrong.push(`${at.name}: ${at.problem}`);
  }
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("[data-stopped]")) one.removeAttribute("data-stopped");
  });
  return { stops, wrong };
}

/** In the page. Undefined: the round left the page. */
function focused(): { name: string; problem: string; again: boolean } | undefined {
  const at = document.activeElement;
  if (at === null || at === document.body) return undefined;
  const name = `${at.tagName.toLowerCase()} ${at.getAttribute("aria-label") ?? at.textContent?.slice(0, 30) ?? ""}`;
  if (at.hasAttribute("data-stopped")) return { name, problem: "", again: true };
  at.setAttribute("data-stopped", "");
  const outlined = (one: Element | null): boolean => {
    if (one === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
  };
  // An edge has its ring along it.
  const line = at.matches(".react-flow__edge") ? at.querySelector(".react-flow__edge-path") : null;
  const drawn = line !== null && Number.parseFloat(getComputedStyle(line).strokeWidth) >= 4;
  // A field that is hidden behind its label shows the focus on the label, an editor of code on the frame around it.
  const code = at.closest(".cm-editor");
  const shown = at.classList.contains("sr-only") ? at.closest("label") : (code?.parentElement ?? at);
  const { width, height, bottom, right, top, left } = (shown ?? at).getBoundingClientRect();
  const unseen = bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth;
  const problem =
    !drawn && ![at, code, shown, code?.parentElement?.parentElement ?? null].some(outlined)
      ? "the focus is not seen"
      : unseen
        ? "is outside of the window"
        : !drawn && (width < 1 || height < 1)
          ? "has no size"
          : "";
  return { name, problem, again: false };
}

/** Text of cards that is smaller than 11 pixels on the screen. */
export function smallText(page: Page): Promise<string[]> {
  return page.locator(".react-flow__node").evaluateAll((nodes) =>
    nodes.flatMap((node) => {
      const zoom = new DOMMatrix(getComputedStyle(node.closest(".react-flow__viewport")!).transform).a;
      const texts = [...node.querySelectorAll("*")].filter((one) =>
        [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim()),
      );
      return texts
        .filter((one) => !one.closest(".sr-only") && Number.parseFloat(getComputedStyle(one).fontSize) * zoom < 11)
        .map((one) => `${one.textContent} at zoom ${zoom}`);
    }),
  );
}
