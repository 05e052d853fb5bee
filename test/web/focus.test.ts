// Where the focus goes when what had it goes away (spec ui 6.7): to a neighbour, never to the page as a whole. By keys, as somebody who sees
// nothing of the page.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser, type View } from "./browser.ts";
import { ASKS, FAILS, HELD, HELLO } from "./flows.ts";
import { focused, settled, where } from "./where.ts";

if (has("chromium")) {
  const web = inBrowser({
    "hello.flow.yaml": HELLO,
    "fails.flow.yaml": FAILS,
    "asks.flow.yaml": ASKS,
    "held.flow.yaml": HELD,
  });

  test("a run that is deleted leaves the focus in the table, on the row that took its place", async () => {
    const view = await web.open();
    const { page } = view;
    const ids = [await run(view, "hello"), await run(view, "hello"), await run(view, "hello")];
    await view.go("/runs?text=hello");
    for (const id of ids) await row(view, id).waitFor();
    const [oldest, middle, newest] = ids as [string, string, string];
    for (const key of ["j", "j", "Delete"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Keep" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await row(view, middle).waitFor({ state: "detached" });
    await focused(view, /^Runs$/);
    expect(await row(view, oldest).getAttribute("data-current")).toBe("true");
    await page.keyboard.press("k");
    expect(await row(view, newest).getAttribute("data-current")).toBe("true");
    // By its own menu, from the mouse's way.
    await row(view, newest).getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).press("Enter");
    await page.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await row(view, newest).waitFor({ state: "detached" });
    await focused(view, /^Runs$/);
  });

  test("selected runs that are deleted take their toolbar along: the focus stands in the table", async () => {
    const view = await web.open();
    const { page } = view;
    const ids = [await run(view, "fails"), await run(view, "fails"), await run(view, "fails")];
    await view.go("/runs?text=fails");
    for (const id of ids) await row(view, id).waitFor();
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await row(view, ids[2]!).waitFor({ state: "detached" });
    await focused(view, /^Runs$/);
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Clear" }).press("Enter");
    await page.getByRole("toolbar").waitFor({ state: "detached" });
    expect(await where(view)).not.toBe("BODY");
  });

  test("a request that is answered leaves the focus on the next one, and the last one on the place", async () => {
    const view = await web.open();
    const { page } = view;
    await run(view, "asks");
    await run(view, "asks");
    await view.go("/inbox");
    const approve = page.locator("article button:not([aria-disabled])", { hasText: /^Approve/ });
    await approve.press("Enter");
    await page.getByText("1 waiting", { exact: true }).waitFor();
    await focused(view, /^Approve “Gate”/);
    await approve.press("Enter");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await focused(view, /^MAIN$/);
  });

  test("in a run, a request that is answered leaves the focus beside what it was about", async () => {
    const view = await web.open();
    const { page } = view;
    const id = await run(view, "asks");
    await view.go(`/runs/${id}`);
    await page.locator("article button:not([aria-disabled])", { hasText: /^Approve/ }).press("Enter");
    await page.getByRole("article").waitFor({ state: "detached" });
    await settled(view);
    expect(await where(view)).not.toBe("BODY");
    expect(await page.evaluate(() => document.activeElement?.closest("aside")?.ariaLabel)).toMatch(/What happened/);
  });

  test("a run that is cancelled takes the button along: no key presses what stands there then", async () => {
    const view = await web.open();
    const { page } = view;
    const id = await run(view, "held", 0);
    await view.go(`/runs/${id}`);
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await focused(view, /^MAIN$/);
  });
}

async function run({ server }: View, name: string, wait = 20): Promise<string> {
  const answer = await server.api("POST", `/workflows/${name}.flow.yaml/runs?wait=${wait}`, {});
  return ((await answer.json()) as { id: string }).id;
}

function row({ page }: View, id: string) {
  return page.locator(`#run-${id}`);
}
