// The canvas by keyboard alone (ui 6.7): Tab follows the flow through nodes and edges, including those outside the
// view. The focused thing is the selected one. An edge can be read, deleted and brought
// back. And the context menu, which offers what keys do.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { chosen, focused, focusReads } from "./waits.ts";

const FLOW = `curlew: 1
name: Keys
nodes:
  - id: last
    type: text
    data: { title: Last, content: "\${said} \${1}" }
  - id: ask
    type: if
    data: { title: Ask, content: "true" }
  - id: said
    type: variable
    data: { title: Said, variableName: said, initialValue: hello }
  - id: body
    type: text
    data: { title: Body, content: one }
  - id: again
    type: loop-start
    data: { title: Again, iterations: 2 }
  - id: done
    type: loop-end
    data: { title: Done }
edges:
  - again -> body -> done -> ask
  - ask:true -> last
`;
/** They are 2,000 pixels apart, so that both are never in view. */
const FAR = `curlew: 1
name: Far
nodes:
${["a", "b", "c"].map((id) => `  - { id: ${id}, type: text, data: { title: Far ${id}, content: x } }`).join("\n")}
edges:
  - a -> b -> c
layout:
  a: [0, 0]
  b: [2000, 0]
  c: [4000, 0]
`;

const NAMED = `curlew: 1
name: Named
nodes:
  - { id: posts, type: text, data: { title: Posts, content: one } }
  - { id: count, type: cli, data: { title: Count, content: "echo \${posts}", stdin: posts } }
`;

const MENU = `curlew: 1
name: Menu
nodes:
  - { id: a, type: text, data: { title: First, content: one } }
  - { id: b, type: text, data: { title: Second, content: two } }
edges:
  - a -> b
`;

if (has("chromium")) {
  const files = {
    "keys.flow.yaml": FLOW,
    "far.flow.yaml": FAR,
    "named.flow.yaml": NAMED,
    "right.flow.yaml": MENU,
    "walk.flow.yaml": FLOW,
  };
  const web = inBrowser(files);

  async function opened(name: string, how: Parameters<typeof web.open>[0] = {}): Promise<View> {
    const view = await web.open(how);
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return view;
  }
  const node = ({ page }: View, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const edge = ({ page }: View, name: string) => page.getByRole("group", { name, exact: true });

  test("Alt+Right walks through a loop to its end, where a node is added behind it; W and Escape lead to the fields of the workflow and back", async () => {
    const view = await opened("walk");
    const { page, server } = view;
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await node(view, "again").focus();
    for (const title of ["Body", "Done"]) {
      await page.keyboard.press("Alt+ArrowRight");
      await inspector.getByRole("heading", { name: title, exact: true }).waitFor();
    }
    await page.keyboard.press("Control+ArrowRight");
    await focused(page.getByRole("dialog", { name: "Add a node" }));
    await page.keyboard.type("command");
    await chosen(page.getByRole("option", { name: /^Command/ }));
    await page.keyboard.press("Enter");
    await expect.poll(() => server.read("walk.flow.yaml")).toContain("  - done -> run_a_command\n");
    await focused(node(view, "run_a_command"));
    await page.keyboard.press("w");
    await focused(page.getByRole("textbox", { name: "Name", exact: true }));
    await page.keyboard.press("Escape");
    await focusReads(view, /^(?:Said|Again), /);
  });

  test("Tab follows the flow: each node, then its edge, which shows the value it carried; Shift+Tab goes back", async () => {
    const view = await opened("keys");
    const { page } = view;
    await node(view, "said").focus();
    const stops = [
      /^from Said to Last, by its name$/,
      /^Again, Loop start, /,
      // The loop's end is a button of the box.
      /^Done$/,
      /^from Again to Body$/,
      /^Body, Text, /,
      /^from Body to Done$/,
      /^from Done to Ask$/,
      /^Ask, Condition, /,
      /^from Ask \(true\) to Last$/,
      /^Last, Text, /,
    ];
    for (const stop of stops) {
      await page.keyboard.press("Tab");
      await focusReads(view, stop);
    }
    await page.keyboard.press("Tab");
    await focusReads(view, /^Zoom in/);
    await page.keyboard.press("Shift+Tab");
    for (const stop of stops.toReversed().slice(1)) {
      await focusReads(view, /./);
      await page.keyboard.press("Shift+Tab");
      await focusReads(view, stop);
    }
    await page.getByRole("tooltip").getByText("Said → Last, by its name").waitFor();
    await accessible(page, "an edge that has the focus");
  });

  test("Delete removes the focused edge and focuses the node before it, and undo brings the edge back", async () => {
    const view = await opened("keys");
    const { page } = view;
    const before = view.server.read("keys.flow.yaml");
    await node(view, "ask").focus();
    await page.keyboard.press("Tab");
    await focusReads(view, /^from Ask \(true\) to Last$/);
    await page.keyboard.press("Delete");
    await edge(view, "from Ask (true) to Last").waitFor({ state: "detached" });
    await focusReads(view, /^Ask, Condition, /);
    await expect.poll(() => view.server.read("keys.flow.yaml")).not.toContain("ask:true");
    await page.keyboard.press("Control+z");
    await edge(view, "from Ask (true) to Last").waitFor();
    await expect.poll(() => view.server.read("keys.flow.yaml")).toBe(before);
    await page.keyboard.press("Tab");
    await focusReads(view, /^from Ask \(true\) to Last$/);
    await page.keyboard.press("Alt+ArrowRight");
    await focusReads(view, /^Last, Text, /);
  });

  test("Delete on a reference says that the node names the value, and changes nothing", async () => {
    const view = await opened("named");
    const { page } = view;
    await node(view, "posts").focus();
    await page.keyboard.press("Tab");
    await focusReads(view, /^from Posts to Count, by its name$/);
    await page.keyboard.press("Delete");
    await page.getByText("names the value of").first().waitFor();
    expect(view.server.read("named.flow.yaml")).toBe(NAMED);
  });

  test("nodes outside the view get their turn and come into view", async () => {
    const view = await opened("far");
    const { page } = view;
    await node(view, "a").focus();
    await page.keyboard.press("Shift+2");
    await node(view, "c").waitFor({ state: "detached" });
    for (const stop of [/^from Far a/, /^Far b/, /^from Far b/, /^Far c/]) {
      await page.keyboard.press("Tab");
      await focusReads(view, stop);
    }
    const box = (await node(view, "c").boundingBox())!;
    expect(box.x).toBeGreaterThan(0);
    expect(box.x + box.width).toBeLessThan(1280);
    for (const stop of [/^from Far b/, /^Far b/, /^from Far a/, /^Far a/]) {
      await page.keyboard.press("Shift+Tab");
      await focusReads(view, stop);
    }
  });

  const titled = (page: Page, title: string) => page.locator(".react-flow__node", { hasText: title });
  const item = (page: Page, name: string) => page.getByRole("menuitem", { name });

  test("the right button offers actions for a node, an edge and the canvas, and gives the focus back", async () => {
    const { page, server, go } = await web.open();
    const file = () => server.read("right.flow.yaml");
    await go("/w/right.flow.yaml");
    await titled(page, "Second").click({ button: "right" });
    const menu = page.getByRole("menu", { name: "Node" });
    await menu.waitFor();
    await accessible(page, "the menu of a node", "[role=menu]");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await focused(titled(page, "Second"));

    // A dialog that the menu opens keeps the focus.
    await titled(page, "Second").click({ button: "right" });
    await item(page, "Rename the id").click();
    await focused(page.getByRole("dialog", { name: /^Rename the id of/ }));
    await page.keyboard.press("Escape");
    await focused(titled(page, "Second"));

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
    expect((await box.boundingBox())!.x, "where it was pressed").toBeLessThan(640);
  });
}
