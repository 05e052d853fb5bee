// Announcements of screen readers (ui 6.7): changes of a run are summed up politely, a repeated message is announced
// twice, and a log announces only whether it is followed. The test records each change of the page's live regions, as a
// screen reader would.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser, type View } from "./browser.ts";
import { ASKS } from "./flows.ts";
import { LINES } from "./run-flows.ts";

const FIVE = `curlew: 1
name: Five
nodes:
  - { id: gate, type: cli, data: { title: Gate, content: ":", needsUserApproval: true } }
  - { id: a, type: text, data: { title: A, content: a } }
  - { id: b, type: text, data: { title: B, content: b } }
  - { id: c, type: text, data: { title: C, content: c } }
  - { id: d, type: text, data: { title: D, content: d } }
edges: [gate -> a, a -> b, b -> c, c -> d]
`;

if (has("chromium")) {
  const web = inBrowser({ "five.flow.yaml": FIVE, "asks.flow.yaml": ASKS, "lines.flow.yaml": LINES });

  test("finished nodes and the end of a run are announced as one sum; requests at once, even two with the same words", async () => {
    const view = await web.open();
    const heard = await listened(view);
    const id = await run(view, "five");
    await view.go(`/runs/${id}`);
    await view.page.locator("article button:not([aria-disabled])", { hasText: /^Approve/ }).press("Enter");
    await expect
      .poll(async () => (await heard("polite")).join(" | "), { timeout: 20_000 })
      .toMatch(/\d nodes? succeeded/);
    await expect
      .poll(async () => (await heard("polite")).join(" | "), { timeout: 20_000 })
      .toContain("The run is succeeded");
    const sums = [...(await heard("polite")).join(" | ").matchAll(/(\d) nodes? succeeded/g)].map(([, sum]) =>
      Number(sum),
    );
    expect(sums.reduce((all, sum) => all + sum)).toBe(5);
    await run(view, "asks");
    await expect
      .poll(async () => (await heard("assertive")).filter((one) => one.startsWith("Asks waits")).length)
      .toBe(1);
    await run(view, "asks");
    await expect
      .poll(async () => (await heard("assertive")).filter((one) => one.startsWith("Asks waits")).length)
      .toBe(2);
  });

  test("a log announces whether it is followed, and none of its lines", async () => {
    const view = await web.open();
    const heard = await listened(view);
    await view.go(`/runs/${await run(view, "lines")}`);
    const log = view.page.getByRole("log");
    await log.getByText("line 100000 of many").waitFor();
    expect(await log.getAttribute("aria-live")).toBe("off");
    const follow = view.page.getByRole("button", { name: "Follow the output" });
    await follow.press("Enter");
    await expect.poll(() => heard("polite"), { timeout: 20_000 }).toContain("The output is not followed any more");
    await follow.press("Enter");
    await expect.poll(() => heard("polite"), { timeout: 20_000 }).toContain("The output is followed");
  });
}

async function run({ server }: View, name: string): Promise<string> {
  const answer = await server.api("POST", `/workflows/${name}.flow.yaml/runs?wait=20`, {});
  return ((await answer.json()) as { id: string }).id;
}

/** Everything that came into a live region of the shell, in order. */
async function listened({ page }: View): Promise<(how: "polite" | "assertive") => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: Record<string, string[]> = { polite: [], assertive: [] };
    Object.assign(globalThis, { heard });
    for (const how of ["polite", "assertive"] as const) {
      const region = document.querySelector(`.sr-only[aria-live=${how}]`)!;
      new MutationObserver(() => heard[how]!.push(region.textContent ?? "")).observe(region, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    }
  });
  return (how) =>
    page.evaluate((which) => (globalThis as never as { heard: Record<string, string[]> }).heard[which]!, how);
}
