// waits: what you would see before you press a key. A test is faster than a user, and on a fast machine faster than the
// page: a visible field may not have the focus yet.

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { View } from "./browser.ts";

/** It, or something in it, has the focus. */
export async function focused(where: Locator): Promise<void> {
  await expect.poll(() => hasFocus(where), { message: `the focus is in ${where}` }).toBe(true);
}

export function hasFocus(where: Locator): Promise<boolean> {
  return where.evaluateAll((all) => all.some((one) => one.contains(document.activeElement)));
}

/** Enter chooses this option of the list. */
export async function chosen(option: Locator): Promise<void> {
  await expect
    .poll(() => option.first().getAttribute("aria-selected"), { message: `${option} is chosen` })
    .toBe("true");
}

/** The visible request has been shown long enough to be approved. */
export async function approvable(page: Page): Promise<void> {
  await page.locator("article button:not([aria-disabled])", { hasText: /^Approve/ }).waitFor();
}

/**
 * A short message about what has just happened: it is shown for a while, and announced to screen readers a second
 * later.
 */
export function told(page: Page, text: string | RegExp): Locator {
  return page.getByText(text).first();
}

/** The focused element: its label, otherwise its text, otherwise its element: `BODY` is nowhere. */
function where({ page }: Pick<View, "page">): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || /^(?:BODY|MAIN)$/.test(element.tagName)) return element?.tagName ?? "nothing";
    return element.getAttribute("aria-label") ?? element.textContent?.trim() ?? element.tagName;
  });
}

/** The focused element reads like this. */
export function focusReads(view: Pick<View, "page">, what: RegExp): Promise<void> {
  return expect.poll(() => where(view), { timeout: 10_000 }).toMatch(what);
}
