// where: what has the focus, as somebody who goes by keys is told it.

import { expect } from "vitest";
import type { View } from "./browser.ts";

/** Its label, else its text, else its element: `BODY` is nowhere. */
export function where({ page }: Pick<View, "page">): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || /^(?:BODY|MAIN)$/.test(element.tagName)) return element?.tagName ?? "nothing";
    return element.getAttribute("aria-label") ?? element.textContent?.trim() ?? element.tagName;
  });
}

export function focused(view: Pick<View, "page">, what: RegExp): Promise<void> {
  return expect.poll(() => where(view), { timeout: 10_000 }).toMatch(what);
}

/** Two drawings on: whoever gives the focus away has done so. */
export function settled({ page }: Pick<View, "page">): Promise<unknown> {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
}
