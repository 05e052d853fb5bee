// The menu of what lies under the pointer: by the right button, by a long press of a finger, by the keyboard; what it offers is what keys do.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser } from "./browser.ts";
import { focused } from "./waits.ts";

const FLOW = `curlew: 1
name: Menu
nodes:
  - { id: a, type: text, data: { title: First, content: one } }
  - { id: b, type: text, data: { title: Second, content: two } }
edges:
  - a -> b
`;

if (has("chromium")) {
  const web = inBrowser({ "right.flow.yaml": FLOW });
  const node = (page: Page, title: string) => page.locator(".react-flow__node", { hasText: title });
  const item = (page: Page, name: string) => page.getByRole("menuitem", { name });

  test("the right button offers what can be done with a node, an edge and the ground, and gives the focus back", async () => {
    const { page, server, go } = await web.open();
    const file = () => server.read("right.flow.yaml");
    await go("/w/right.flow.yaml");
    await node(page, "Second").click({ button: "right" });
    const menu = page.getByRole("menu", { name: "Node" });
    await menu.waitFor();
    await accessible(page, "the menu of a node", "[role=menu]");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await focused(node(page, "Second"));

    // What it opens keeps the keys.
    await node(page, "Second").click({ button: "right" });
    await item(page, "Rename the id").click();
    await focused(page.getByRole("dialog", { name: "Rename b" }));
    await page.keyboard.press("Escape");
    await focused(node(page, "Second"));

    await page.keyboard.press("Shift+F10");
    await menu.waitFor();
    await item(page, "Duplicate").click();
    await expect.poll(file).toContain("- { id: b_2, type: text");
    await focused(page.locator('.react-flow__node[data-id="b_2"]'));

    await page.locator(".react-flow__edge").first().click({ button: "right", force: true });
    await page.getByRole("menu", { name: "Edge" }).getByRole("menuitem", { name: "Delete" }).click();
    await expect.poll(file).not.toContain("edges:");

    await page.locator(".react-flow__pane").click({ button: "right", position: { x: 300, y: 120 } });
    await item(page, "Add a node").click();
    const box = page.getByRole("dialog", { name: "Add a node" });
    await focused(box);
    expect((await box.boundingBox())!.x, "where it was pressed").toBeLessThan(500);
  });
}
