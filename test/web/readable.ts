// readable: what the Tab key reaches on a page, and whether each stop is seen.

import type { Page } from "playwright-core";

/** What the Tab key reaches, one round: each is seen to have the focus, and none is smaller than a finger (24 px, WCAG 2.5.8). */
export async function tabRound(page: Page, most = 80): Promise<{ stops: number; wrong: string[] }> {
  const wrong: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  let stops = 0;
  // A screen may have taken the focus to its middle: behind the end the round goes on at the beginning, once.
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
  // A field that is hidden behind its label shows the focus there; an editor of code in the frame around it.
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
