// Letters that are typed after the palette was asked for are its own: while it loads, and at the very moment in which it is drawn.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";

if (has("chromium")) {
  const web = inBrowser();

  test("what is typed while the palette comes up stands in its field, in its order", async () => {
    const { page } = await web.open();
    await page.evaluate(() => {
      // As soon as it is drawn.
      const drawn = new MutationObserver(() => {
        if (document.querySelector("[role=dialog]") === null) return;
        drawn.disconnect();
        document.execCommand("insertText", false, "work");
      });
      drawn.observe(document.body, { childList: true, subtree: true });
      const press = (key: string, ctrlKey = false) =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
      press("k", true);
      for (const key of "new ") press(key);
    });
    const field = page.getByRole("combobox", { name: "Command palette" });
    await expect.poll(() => field.inputValue(), { timeout: 15_000 }).toBe("new work");
  });
}
