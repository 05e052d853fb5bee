// The run view over real runs of real commands: live and complete, even when the page reloads or the server restarts.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { BROKEN, FLOWS } from "./run-flows.ts";
import type { Server } from "./server.ts";

if (has("chromium")) {
  const web = inBrowser(FLOWS);

  test("a run is followed live from its first event to its end, and the branch not taken is dimmed with the reason", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "tour");
    await go(`/runs/${id}`);
    await page.getByRole("button", { name: "Everything in view" }).click();
    await stateOf(page, "Summarise", "succeeded");
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await page.getByText("8/8 nodes").waitFor();
    await stateOf(page, "Single page", "skipped");
    await card(page, "Single page").getByTitle("branch not taken").waitFor();
    await accessible(page, "a run");
  });

  test("the cards show one iteration of a loop, the arrows choose another, and the URL names a node in it", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "tour", 20);
    await go(`/runs/${id}?node=fetch`);
    await page.getByText("iteration 4 of 4").waitFor();
    await details(page).getByText("fetch[3]").waitFor();
    await inView(page, card(page, "Fetch"));
    await page.getByRole("button", { name: "Everything in view" }).click();
    await page.getByRole("button", { name: "Previous iteration" }).click();
    await details(page).getByText("fetch[2]").waitFor();
    // Its value, and what its edges carried.
    await details(page).getByText("page 3", { exact: true }).first().waitFor();
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page
      .getByRole("region", { name: "Timeline" })
      .getByRole("button", { name: "Fetch", exact: true })
      .first()
      .click();
    await details(page).getByText("fetch[0]").waitFor();
    await page.getByRole("button", { name: "iteration 2", exact: true }).click();
    await page.getByText("iteration 2 of 4").waitFor();
    await accessible(page, "a timeline");
    await page.getByRole("tab", { name: "Variables" }).click();
    await page.getByText("accumulator, 4 values").waitFor();
  });

  test("you can drag the time of a finished run, and everything shows the run as it was then", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "tour", 20);
    await go(`/runs/${id}?node=sum`);
    await page.getByRole("button", { name: "Everything in view" }).click();
    const moment = page.getByRole("slider", { name: "Moment of the run" });
    await moment.focus();
    await page.keyboard.press("Home");
    await stateOf(page, "Get page", "queued");
    await details(page).getByText("not reached yet").waitFor();
    // Actions apply to the run as it is now.
    await page.getByRole("button", { name: "Run again", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    await page.getByRole("button", { name: "Back to the end" }).click();
    await stateOf(page, "Get page", "succeeded");
    await details(page).getByText("Exit code").waitFor();
  });

  test("a failure says what happened and quotes the evidence; a retry runs the fixed file and keeps what succeeded", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "broken", 20);
    await go(`/runs/${id}?node=first&tab=value`);
    await page.getByRole("button", { name: /^failed ?Check it: The command exited/ }).click();
    await page.getByRole("heading", { name: "Check it: The command exited with code 1." }).waitFor();
    await page.getByRole("tab", { name: "Output · Check it", selected: true }).waitFor();
    await page.getByLabel("Last lines of standard error").getByText("looking for ready").waitFor();
    await page.getByRole("tab", { name: "Problems 1" }).waitFor();
    await accessible(page, "a failed run");
    // The whole failure has room beside the button that hides it.
    const panel = page.getByRole("complementary", { name: "What happened to this node" });
    const hides = (await panel.getByRole("button", { name: "Hide the details" }).boundingBox())!;
    const told = await panel
      .locator("article header")
      .first()
      .evaluate((it) => it.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(it).paddingRight));
    expect(told).toBeLessThanOrEqual(hides.x);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy report" }).click();
    await page.getByText("Report copied").first().waitFor();
    const field = page.getByRole("searchbox", { name: "Search the output" });
    await field.press("Control+V");
    await expect.poll(() => field.inputValue()).toContain("### Broken: Check it failed");
    // The file is fixed elsewhere: the page names what changed, and runs that.
    expect(await page.getByRole("button", { name: "Retry", exact: true }).count()).toBe(1);
    server.write("broken.flow.yaml", BROKEN.replace("test -f ready", "true"));
    server.write("never.flow.yaml", BROKEN);
    await page.getByRole("button", { name: "Retry with the current file" }).waitFor();
    await page.getByRole("button", { name: "Other ways to retry" }).click();
    await page.getByRole("menuitem", { name: "Changed: Check it" }).waitFor();
    await page.getByRole("menuitem", { name: "Retry as recorded" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+R");
    await stateOf(page, "Check it", "succeeded");
    expect(page.url()).not.toContain(id);
    expect(readFileSync(join(server.folder, "first-runs.txt"), "utf8")).toBe("ran\n");
  });

  test("a subflow's request is decided in the outer run, and its own run is a link away", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "outer", 20);
    await go(`/runs/${id}`);
    await page.getByRole("heading", { name: "Approve “Delete stale”?" }).waitFor();
    await page.getByRole("button", { name: /^Approve/ }).click();
    await stateOf(page, "Inner part", "succeeded");
    await page.getByText("A subflow is a separate run, which has the output of its nodes.").waitFor();
    await details(page).getByRole("heading", { name: "Ran this workflow" }).waitFor();
    await details(page).getByRole("link").click();
    await card(page, "Delete stale").waitFor();
    expect(page.url()).not.toContain(id);
    await page
      .locator("[data-part=bar]")
      .getByText(/^Subflow/i)
      .waitFor();
  });

  test("on a phone the nodes are a list, and nothing is wider than the window", async () => {
    const { page, server, go } = await web.open({ size: { width: 390, height: 844 } });
    const id = await start(server, "tour", 20);
    await go(`/runs/${id}`);
    await page.getByRole("treeitem", { name: /Summarise/ }).waitFor();
    await page.getByRole("treeitem", { name: /Pages/ }).getByRole("button", { name: "Previous iteration" }).click();
    await page.getByRole("treeitem", { name: /Fetch/ }).click();
    await page.getByText("fetch[2]").waitFor();
    // The node's panel is below the list: it comes into view.
    await expect.poll(() => isSeen(page.getByRole("heading", { name: "Fetch" }))).toBe(true);
    await fits(page);
    await accessible(page, "a run on a phone");
  });

  test("on a phone, failed nodes come first, and one tap shows the hints", async () => {
    const { page, server, go } = await web.open({ size: { width: 390, height: 420 } });
    server.write("never.flow.yaml", BROKEN.replaceAll("ready", "never"));
    await go(`/runs/${await start(server, "never", 20)}`);
    server.write("never.flow.yaml", BROKEN);
    await page.getByRole("button", { name: "Retry with the current file" }).waitFor();
    const isWhole = (it: Element) => it.scrollWidth <= it.clientWidth;
    expect(await page.getByRole("heading", { level: 1 }).evaluate(isWhole), "the run's name is not cut off").toBe(true);
    await page.getByRole("button", { name: /^failed Check it/ }).click();
    await expect.poll(() => isSeen(page.getByRole("button", { name: "Retry from here" }))).toBe(true);
    await accessible(page, "a failed run on a phone");
  });
}

async function start(server: Server, name: string, wait?: number): Promise<string> {
  const query = wait === undefined ? "" : `?wait=${wait}`;
  const answer = await server.api("POST", `/workflows/${name}.flow.yaml/runs${query}`, {});
  const { id } = (await answer.json()) as { id: string };
  return id;
}

async function isSeen(what: Locator): Promise<boolean> {
  const [box, size] = [await what.boundingBox(), what.page().viewportSize()];
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height;
}

function card(page: Page, title: string) {
  return page.locator(".react-flow__node").filter({ hasText: title }).first();
}

function stateOf(page: Page, title: string, word: string): Promise<void> {
  return card(page, title).getByText(word).first().waitFor();
}

function details(page: Page) {
  return page.getByRole("complementary", { name: "What happened to this node" });
}

/** Nothing covers a part of the canvas, and it is not cut off. */
async function inView(page: Page, part: Locator): Promise<void> {
  const canvas = (await page.getByRole("region", { name: /^Run of / }).boundingBox())!;
  await part.waitFor();
  await expect
    .poll(async () => {
      const { x, width } = (await part.boundingBox())!;
      return x >= canvas.x && x + width <= canvas.x + canvas.width;
    })
    .toBe(true);
}
