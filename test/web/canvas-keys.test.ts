// The canvas by keyboard alone (spec ui.md 6.7): Tab goes along the flow, through nodes and through what connects them, also where nothing is
// drawn yet; what has the focus is what is selected; an edge is read, deleted and brought back.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { focused } from "./where.ts";

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
/** Two thousand pixels between them: never both in view. */
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

if (has("chromium")) {
  const web = inBrowser({ "keys.flow.yaml": FLOW, "far.flow.yaml": FAR });

  async function opened(name: string, how: Parameters<typeof web.open>[0] = {}): Promise<View> {
    const view = await web.open(how);
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return view;
  }
  const node = ({ page }: View, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const edge = ({ page }: View, name: string) => page.getByRole("group", { name, exact: true });

  test("Tab goes along the flow: each node, behind it what leads on, which tells what went along; Shift+Tab comes back", async () => {
    const view = await opened("keys");
    const { page } = view;
    await node(view, "said").focus();
    const stops = [
      /^from Said to Last, by its name$/,
      /^Again, Loop, /,
      // The loop's end is a button of the box.
      /^Done$/,
      /^from Again to Body$/,
      /^Body, Text, /,
      /^from Body to Done$/,
      /^from Done to Ask$/,
      /^Ask, IF, /,
      /^from Ask \(true\) to Last$/,
      /^Last, Text, /,
    ];
    for (const stop of stops) {
      await page.keyboard.press("Tab");
      await focused(view, stop);
    }
    await page.keyboard.press("Tab");
    await focused(view, /^Zoom in/);
    await page.keyboard.press("Shift+Tab");
    for (const stop of stops.toReversed().slice(1)) {
      await focused(view, /./);
      await page.keyboard.press("Shift+Tab");
      await focused(view, stop);
    }
    await page.getByRole("tooltip").getByText("Said → Last, by its name").waitFor();
    await accessible(page, "an edge that has the focus");
  });

  test("Escape lets go of what is selected; what is pressed then means the node that has the focus still", async () => {
    const view = await opened("keys");
    const { page } = view;
    await node(view, "said").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    const panel = page.getByRole("complementary", { name: "Inspector" });
    await panel.getByRole("heading", { name: "Said" }).waitFor();
    await page.keyboard.press("Escape");
    await panel.getByRole("heading", { name: "Workflow" }).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("combobox").waitFor();
    await panel.getByRole("heading", { name: "Said" }).waitFor();
  });

  test("an edge that has the focus is deleted by Delete: the node before it has the focus then, and undo brings the edge back", async () => {
    const view = await opened("keys");
    const { page } = view;
    const before = view.server.read("keys.flow.yaml");
    await node(view, "ask").focus();
    await page.keyboard.press("Tab");
    await focused(view, /^from Ask \(true\) to Last$/);
    await page.keyboard.press("Delete");
    await edge(view, "from Ask (true) to Last").waitFor({ state: "detached" });
    await focused(view, /^Ask, IF, /);
    await expect.poll(() => view.server.read("keys.flow.yaml")).not.toContain("ask:true");
    await page.keyboard.press("Control+z");
    await edge(view, "from Ask (true) to Last").waitFor();
    await expect.poll(() => view.server.read("keys.flow.yaml")).toBe(before);
    await page.keyboard.press("Tab");
    await focused(view, /^from Ask \(true\) to Last$/);
    await page.keyboard.press("Alt+ArrowRight");
    await focused(view, /^Last, Text, /);
  });

  test("what lies outside of the view has its turn, and comes into view", async () => {
    const view = await opened("far");
    const { page } = view;
    await node(view, "a").focus();
    await page.keyboard.press("Shift+2");
    await node(view, "c").waitFor({ state: "detached" });
    for (const stop of [/^from Far a/, /^Far b/, /^from Far b/, /^Far c/]) {
      await page.keyboard.press("Tab");
      await focused(view, stop);
    }
    const box = (await node(view, "c").boundingBox())!;
    expect(box.x).toBeGreaterThan(0);
    expect(box.x + box.width).toBeLessThan(1280);
    for (const stop of [/^from Far b/, /^Far b/, /^from Far a/, /^Far a/]) {
      await page.keyboard.press("Shift+Tab");
      await focused(view, stop);
    }
  });

  test("Escape leads out of the source: to the drawing beside it, else to the choice of views", async () => {
    const view = await web.open();
    const { page, go } = view;
    const source = page.getByRole("textbox", { name: "Source of the workflow" });
    await go("/w/keys.flow.yaml?view=split");
    await page.locator('.react-flow__node[data-id="body"]').waitFor();
    await node(view, "body").focus();
    await source.focus();
    await page.keyboard.press("Escape");
    await focused(view, /^Body/);
    await page.keyboard.press("3");
    await page.locator(".react-flow").waitFor({ state: "detached" });
    await source.click();
    await page.keyboard.press("Escape");
    await focused(view, /^Source$/);
    await page.keyboard.press("1");
    await page.locator('.react-flow__node[data-id="body"]').waitFor();
  });
}
