// waits: what a person sees before they press a key. A test is quicker than every person, and on a quick machine quicker than the page:
// what is on the screen need not have the keys yet.

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** It has the keys: it, or what is in it. */
export async function focused(where: Locator): Promise<void> {
  await expect.poll(() => hasFocus(where), { message: `the focus is in ${where}` }).toBe(true);
}

export function hasFocus(where: Locator): Promise<boolean> {
  return where.evaluateAll((all) => all.some((one) => one.contains(document.activeElement)));
}

/** Enter means this one of the list. */
export async function chosen(option: Locator): Promise<void> {
  await expect
    .poll(() => option.first().getAttribute("aria-selected"), { message: `${option} is chosen` })
    .toBe("true");
}

/** The request in sight has stood there long enough to be approved. */
export async function approvable(page: Page): Promise<void> {
  await page.locator("article button:not([aria-disabled])", { hasText: /^Approve/ }).waitFor();
}

/** A short word about what has just happened: it is shown for a while, and said to screen readers a second later. */
export function told(page: Page, text: string | RegExp): Locator {
  return page.getByText(text).first();
}
