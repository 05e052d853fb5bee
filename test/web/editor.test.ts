// The editor in a real browser over a real server: drawing by mouse and by keyboard alone, pasting, undo across a reload, other tabs, and
// files that change on disk. What a person would see is waited for; what is in the file is what counts at the end.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { chosen, focused } from "./waits.ts";

const EMPTY = "# My own words.\ncurlew: 1\nname: Empty\nnodes: []\n";
const TWO = `curlew: 1
name: Two
nodes:
  - id: a
    type: text
    data:
      title: First
      content: one
  # Keep me.
  - id: b
    type: text
    data:
      title: Second
      content: two
layout:
  a: [0, 0]
  b: [0, 200]
`;

if (has("chromium")) {
  const names = ["mouse", "keys", "curl", "undo", "tabs", "disk", "clash", "source", "offline", "copy", "loop"];
  const web = inBrowser({
    ...Object.fromEntries(names.map((name) => [`${name}.flow.yaml`, name === "keys" || name === "curl" ? EMPTY : TWO])),
  });

  async function opened(name: string, options: Parameters<typeof web.open>[0] = {}): Promise<View & { file: string }> {
    const view = await web.open(options);
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return { ...view, file: `${name}.flow.yaml` };
  }
  const node = ({ page }: Pick<View, "page">, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  /** What is in the file, once it is what was meant. */
  const written = (view: View & { file: string }, wanted: RegExp | string) =>
    expect.poll(() => view.server.read(view.file)).toMatch(wanted);
  const saved = ({ page }: View) => page.getByText(/^saved/).waitFor();

  test("drawing by mouse: drag from port to port, drop on nothing to add, move, delete", async () => {
    const view = await opened("mouse");
    const { page } = view;
    const out = node(view, "a").locator(".react-flow__handle.source").first();
    const into = node(view, "b").locator(".react-flow__handle.target");
    await out.dragTo(into);
    await written(view, /edges:\n {2}- a -> b\n/);
    const port = (await node(view, "b").locator('[data-handleid="out"]').boundingBox())!;
    await page.mouse.move(port.x + 5, port.y + 5);
    await page.mouse.down();
    await page.mouse.move(port.x + 150, port.y + 60, { steps: 4 });
    await page.mouse.up();
    const box = page.getByRole("dialog", { name: "Add a node" });
    await box.getByRole("combobox").fill("comm");
    await chosen(box.getByRole("option", { name: /CLI/ }));
    await page.keyboard.press("Enter");
    await written(view, /- a -> b -> run_a_command\n/);
    const before = (await node(view, "a").boundingBox())!;
    await page.mouse.move(before.x + 100, before.y + 20);
    await page.mouse.down();
    await page.mouse.move(before.x + 160, before.y - 30, { steps: 4 });
    await page.mouse.up();
    await written(view, /\n {2}a: \[(?!0, 0\])/);
    await page.keyboard.press("Control+Delete");
    await written(view, /edges:\n {2}- b -> run_a_command\n/);
    expect(view.server.read(view.file)).toContain("  # Keep me.\n  - id: b\n");
    await saved(view);
  });

  test("by keyboard alone: from an empty document to three connected nodes", async () => {
    const view = await opened("keys");
    const { page } = view;
    await page.keyboard.press("a");
    await page.keyboard.type("text");
    await page.keyboard.press("Enter");
    await expect.poll(() => node(view, "text").evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.type("cli");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => node(view, "run_a_command").evaluate((element) => element === document.activeElement))
      .toBe(true);
    await page.keyboard.press("a");
    await page.keyboard.type("collect");
    await page.keyboard.press("Enter");
    await expect.poll(() => node(view, "collect").evaluate((element) => element === document.activeElement)).toBe(true);
    // The last one is not connected yet: walk back and connect by typing.
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Shift+z");
    await node(view, "collect").waitFor();
    await node(view, "run_a_command").focus();
    await page.keyboard.press("c");
    await page.keyboard.type("coll");
    await page.keyboard.press("Enter");
    await written(view, /edges:\n {2}- text -> run_a_command -> collect\n/);
    await page.keyboard.press("F2");
    const dialog = page.getByRole("dialog", { name: "Rename run_a_command" });
    await dialog.getByLabel("Id").fill("collect");
    await page.keyboard.press("Enter");
    await dialog.getByText('Another node has the id "collect".').waitFor();
    await dialog.getByLabel("Id").fill("call");
    await page.keyboard.press("Enter");
    await written(view, /edges:\n {2}- text -> call -> collect\n/);
    expect(view.server.read(view.file)).toMatch(/^# My own words\.\n/);
    await accessible(page, "the editor");
  });

  test("a pasted curl command is a node called by method and path, its token lifted out", async () => {
    const view = await opened("curl");
    await view.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, "curl -X POST -H 'Authorization: Bearer abcdefghijklmnop1234' https://api.example.test/v1/orders -d '{}'");
    await view.page.getByText("POST /v1/orders").first().waitFor();
    await written(view, /title: POST \/v1\/orders/);
    expect(view.server.read(view.file)).not.toContain("abcdefghijklmnop1234");
    expect(view.server.read(view.file)).toMatch(/secrets:/);
    // One behind the other, out of the window: each comes into view and has the focus.
    for (const id of ["one", "two", "three"]) {
      await view.page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.activeElement?.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, `curl https://api.example.org/${id}`);
      await focused(node(view, `get_${id}`));
    }
  });

  test("undo and redo go on after a reload, to the byte", async () => {
    const view = await opened("undo");
    const { page } = view;
    await node(view, "a").click();
    await page.keyboard.press("Delete");
    await node(view, "a").waitFor({ state: "detached" });
    await node(view, "b").click();
    await page.keyboard.press("Control+d");
    await written(view, /id: b_2/);
    await page.reload();
    await node(view, "b_2").waitFor();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await expect.poll(() => view.server.read(view.file)).toBe(TWO);
    await page.keyboard.press("Control+Shift+z");
    await written(view, /^(?![\s\S]*id: a\b)/);
  });

  test("two tabs show each other's edits, and keep both", async () => {
    const view = await opened("tabs");
    const other = await view.another();
    await other.goto(`${view.server.url}/w/tabs.flow.yaml`);
    await node({ page: other }, "a").click();
    await node(view, "b").click();
    await view.page.getByLabel("Title").fill("From one tab");
    await other.getByLabel("Title").fill("From the other");
    await view.page.getByText("From the other").first().waitFor();
    await other.getByText("From one tab").first().waitFor();
    await written(view, /From the other[\s\S]*From one tab/);
    // Who writes a text that is out of date is told so, and merges: the browser notes that answer as an error.
    const { wrong } = view;
    wrong.splice(0, wrong.length, ...wrong.filter((one) => !one.includes("status of 412")));
  });

  test("a file that changes on disk is merged; an edit of the same line is asked about", async () => {
    const view = await opened("disk");
    view.server.write("disk.flow.yaml", TWO.replace("title: Second", "title: From an editor"));
    await view.page.getByText("From an editor").first().waitFor();
    const clash = await opened("clash");
    await node(clash, "a").click();
    await clash.page.getByLabel("Title").waitFor();
    // Written while this page cannot hear of it: what it saves then is out of date.
    await clash.context.setOffline(true);
    clash.server.write("clash.flow.yaml", TWO.replace("title: First", "title: Theirs"));
    await clash.page.getByLabel("Title").fill("Mine");
    await clash.page.getByText("not saved yet").waitFor();
    await clash.context.setOffline(false);
    const dialog = clash.page.getByRole("dialog", { name: "Changed here and elsewhere" });
    await dialog.getByText("title: Theirs").waitFor();
    await dialog.getByText("title: Mine").waitFor();
    await dialog.getByRole("radio", { name: "Theirs" }).check();
    await dialog.getByRole("button", { name: "Use these" }).click();
    await node(clash, "a").getByText("Theirs").waitFor();
    // Out of the field that was written in: there the key is the field's own.
    await expect.poll(() => clash.page.getByLabel("Title").inputValue()).toBe("Theirs");
    await clash.page.keyboard.press("Escape");
    await clash.page.keyboard.press("Control+z");
    await node(clash, "a").getByText("Mine").waitFor();
    // Both pages share the context that was offline.
    for (const one of [view, clash]) one.wrong.length = 0;
  });

  test("a selection becomes a loop, drawn as one box; copied text is YAML and pastes with ids of its own", async () => {
    const view = await opened("loop");
    const { page } = view;
    await node(view, "a").click();
    await page.keyboard.press("Control+g");
    await node(view, "loop").waitFor();
    await written(view, /- loop -> a -> loop_end\n/);
    await node(view, "b").click();
    const copied = await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      document.body.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData("text/plain");
    });
    expect(copied).toMatch(/^nodes:\n {2}# Keep me\.\n {2}- id: b\n {4}type: text\n/);
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, copied);
    await written(view, /- id: b_2\n {4}type: text\n/);
    await node(view, "loop")
      .locator(".loop-head")
      .click({ position: { x: 20, y: 10 } });
    await page.keyboard.press("Control+Delete");
    await written(view, /^(?![\s\S]*loop)/);
  });

  test("the source: typing draws, the cursor selects, the canvas shows where, problems lead to their line", async () => {
    const view = await opened("source");
    const { page } = view;
    await page.getByRole("button", { name: "Split" }).click();
    const source = page.getByRole("textbox", { name: "Source of the workflow" });
    await source.getByText("First").click();
    await expect.poll(() => node(view, "a").getAttribute("class")).toContain("selected");
    await page.keyboard.press("End");
    await page.keyboard.type(" step");
    await node(view, "a").getByText("First step").waitFor();
    await written(view, /title: First step\n/);
    await source.getByText("type: text").first().click();
    await page.keyboard.press("End");
    await page.keyboard.type("x");
    await page.getByRole("button", { name: "1 error" }).click();
    await page.getByRole("region", { name: "Problems" }).getByText("textx").waitFor();
    await source.press("Control+z");
    await page.getByText("Nothing is wrong with this file.").waitFor();
    await node(view, "b").click();
    await expect.poll(() => source.locator(".cm-activeLine").textContent()).toContain("id: b");
  });

  test("without a server edits stay, also over a reload, and are written when it is back", async () => {
    const view = await opened("offline");
    const { page, server } = view;
    await node(view, "a").click();
    await page.getByLabel("Title").waitFor();
    await server.kill();
    await page.getByLabel("Title").fill("Written while away");
    await page.getByText("not saved yet, kept in this tab").waitFor();
    expect(server.read(view.file)).toContain("title: First\n");
    await server.startAgain();
    view.wrong.length = 0; // That the server was away.
    await view.signIn();
    await view.go(`/w/${view.file}`);
    await node(view, "a").getByText("Written while away").waitFor();
    await written(view, /title: Written while away\n/);
    view.wrong.length = 0;
  });

  test("the outline is a tree of nodes from which everything can be done", async () => {
    const view = await opened("copy");
    const { page } = view;
    await page.keyboard.press("o");
    const tree = page.getByRole("tree", { name: "Nodes" });
    const first = tree.getByRole("treeitem", { name: "First, Text, 0 inputs, 0 outputs, leads nowhere" });
    await first.focus();
    await page.evaluate(holdFrames);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => tree.getByRole("treeitem", { name: /^Second/ }).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("c");
    await page.evaluate(goOn);
    await page.keyboard.type("first");
    await page.keyboard.press("Enter");
    await tree.getByRole("treeitem", { name: "Second, Text, 0 inputs, 1 output, leads to First" }).waitFor();
    await written(view, /- b -> a\n/);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("region", { name: "Canvas of copy.flow.yaml" }).waitFor({ state: "detached" });
    await first.waitFor({ state: "detached" });
    await accessible(page, "the outline on a phone");
  });
}

/** In the page: no frame is drawn from here on, as on a machine that is slower than who types. */
function holdFrames(): void {
  const real = window.requestAnimationFrame;
  const held: FrameRequestCallback[] = [];
  window.requestAnimationFrame = (call) => held.push(call);
  Object.assign(window, {
    goOn() {
      window.requestAnimationFrame = real;
      for (const call of held) real(call);
    },
  });
}

/** Until those that were held, and what they asked for, have been drawn. */
async function goOn(): Promise<void> {
  (window as unknown as { goOn: () => void }).goOn();
  for (let frames = 0; frames < 4; frames += 1) await new Promise(requestAnimationFrame);
}
