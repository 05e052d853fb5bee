// Addresses with nonsense in them (spec ui 6.2: filters stand in the address, which anybody can write): each place says something, is no wider
// than the window, asks nobody else, and nothing of the address runs or changes the order of what stands beside it.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { fits, inBrowser } from "./browser.ts";
import { FAILS } from "./flows.ts";

const ODD = [
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "<img src=x onerror=\"globalThis.ran='img'\">",
  "javascript:globalThis.ran='script'",
  "a\u202Eb\u2066c\u0000\u001B]8;;http://other.example\u0007",
  "x".repeat(1000),
  "99999999999999999999999",
];

if (has("chromium")) {
  const web = inBrowser({ "fails.flow.yaml": FAILS });
  /** Each of them alone for the first of the values; what one of them shows, the others show too. */
  const filters = ["workflow", "status", "trigger", "text", "since", "until", "failed"];

  for (const [at, odd] of ODD.entries())
    test(`nonsense in every address, ${at + 1}: ${odd.slice(0, 24).replace(/[^ -~]/g, "?")}`, async () => {
      const { page, server, go } = await web.open({ refusals: true });
      const answer = await server.api("POST", "/workflows/fails.flow.yaml/runs?wait=20", {});
      const { id } = (await answer.json()) as { id: string };
      const text = encodeURIComponent(odd);
      const places: [path: string, title: RegExp, role?: "dialog"][] = [
        [`/runs?${filters.map((name) => `${name}=${text}`).join("&")}`, /^Runs$/],
        ...(at === 0 ? filters : []).map((name): [string, RegExp] => [`/runs?${name}=${text}`, /^Runs$/]),
        [`/runs/compare?a=${text}&b=${text}`, /Compare/],
        [`/runs/compare?a=${id}&b=${text}`, /Compare/],
        [`/runs/${text}`, /./],
        [`/runs/${id}?node=${text}&tab=${text}&attempt=${text}&line=${text}`, /^Fails$/],
        [`/inbox?id=${text}`, /^Inbox$/],
        [`/triggers?text=${text}&delivery=${text}`, /^Delivery$/, "dialog"],
        [`/w/${text}?view=${text}&node=${text}`, /./],
      ];
      for (const [path, title, role] of places) {
        await go(path);
        const where =
          role === undefined
            ? page.getByRole("heading", { level: 1, name: title })
            : page.getByRole(role, { name: title });
        await where.waitFor();
        await expect.poll(() => page.getByLabel("Loading").count(), { message: path.slice(0, 90) }).toBe(0);
        await fits(page);
        expect(await page.evaluate(() => (globalThis as { ran?: string }).ran), path).toBeUndefined();
        const said = await page.evaluate(() => document.body.textContent ?? "");
        expect(said, path.slice(0, 90)).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0000\u001B\u0007]/);
        // Of a dialog of one place nothing stays for the next.
        await page.keyboard.press("Escape");
      }
    });
}
