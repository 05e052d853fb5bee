// The editor in a real browser over a real server: drawing by mouse and by keyboard alone, pasting, undo across a
// reload, other tabs, and files that change on disk. Tests wait for what a user would see, and at the end check the
// file.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { BROKEN } from "./run-flows.ts";
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

const BASE = `curlew: 1
name: Base
nodes:
  - id: a
    type: text
    data: { title: First, content: one }
`;

const VALUES = `curlew: 1
name: Values
state: { last_id: 0 }
nodes:
  - { id: posts, run: "printf '[{\\"title\\": \\"One\\"}]'" }
  - { id: count, run: jq length, stdin: posts }
  - { id: many, if: $count(nodes.posts) > 1 }
  - { id: say, text: "\${posts[0].title} of \${count}" } # says it
output: say
`;

if (has("chromium")) {
  const names = ["mouse", "keys", "curl", "undo", "tabs", "disk", "clash", "source", "offline", "copy", "loop"];
  const web = inBrowser({
    "files.flow.yaml": BASE,
    "values.flow.yaml": VALUES,
    ...Object.fromEntries(names.map((name) => [`${name}.flow.yaml`, name === "keys" || name === "curl" ? EMPTY : TWO])),
  });

  async function opened(name: string, options: Parameters<typeof web.open>[0] = {}): Promise<View & { file: string }> {
    const view = await web.open(options);
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return { ...view, file: `${name}.flow.yaml` };
  }
  const node = ({ page }: Pick<View, "page">, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  /** The file's text, once it contains what the test expects. */
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
    await chosen(box.getByRole("option", { name: /^Command/ }));
    await page.keyboard.press("Enter");
    await written(view, /- a -> b -> run_a_command\n/);
    await page.getByRole("button", { name: "Everything in view" }).click();
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
    await page.keyboard.type("command");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => node(view, "run_a_command").evaluate((element) => element === document.activeElement))
      .toBe(true);
    await page.keyboard.press("a");
    await page.keyboard.type("collect");
    await page.keyboard.press("Enter");
    await expect.poll(() => node(view, "collect").evaluate((element) => element === document.activeElement)).toBe(true);
    // The last one is not connected yet: the keys go back and connect it.
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Shift+z");
    await node(view, "collect").waitFor();
    await node(view, "run_a_command").focus();
    await page.keyboard.press("c");
    await page.keyboard.type("coll");
    await page.keyboard.press("Enter");
    await written(view, /after: text\n[\s\S]*after: run_a_command\n/);
    await page.keyboard.press("F2");
    const dialog = page.getByRole("dialog", { name: /^Rename the id of/ });
    await dialog.getByLabel("Id").fill("collect");
    await page.keyboard.press("Enter");
    await dialog.getByText('Another node has the id "collect".').waitFor();
    await dialog.getByLabel("Id").fill("call");
    await dialog.getByText('Another node has the id "collect".').waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await written(view, /after: text\n[\s\S]*after: call\n/);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("schedule");
    await chosen(page.getByRole("option", { name: /^Add a schedule…/ }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("dialog", { name: "Add a schedule" }).getByLabel("When"));
    await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await written(view, /^on:\n {2}- schedule:/m);
    expect(view.server.read(view.file)).toMatch(/^# My own words\.\n/);
    await accessible(page, "the editor");
  });

  test("values by name: an id is renamed everywhere, a data edge is removed, and names are completed", async () => {
    const view = await opened("values");
    const { page } = view;
    await node(view, "posts").click();
    await page.keyboard.press("F2");
    await page.getByRole("dialog").getByRole("textbox", { name: "Id" }).fill("articles");
    await page.keyboard.press("Enter");
    const renamed = VALUES.replaceAll("posts", "articles");
    await expect.poll(() => view.server.read(view.file)).toBe(renamed);
    await page.getByRole("group", { name: "from Articles to Say, by its name" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Remove ${articles} from Say" }).click();
    await expect.poll(() => view.server.read(view.file)).toBe(renamed.replace("${articles[0].title} of", " of"));
    await node(view, "say").click();
    const content = page.getByRole("textbox", { name: "Content" });
    for (const [typed, offered] of [
      ["${state.", /^state\.last_id/],
      ["${run.", /^run\.startedAt/],
      ["${count|", /^default\(""\)/],
    ] as const) {
      await content.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(typed);
      await page.getByRole("option", { name: offered }).waitFor();
    }
    await page.keyboard.type("d");
    await page.getByRole("option", { name: /^default/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await written(view, 'text: "${count|default(\\"\\")}"');
  });

  test("undo and redo continue after a reload, to the byte", async () => {
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
    await view.page.getByLabel("Title").press("Enter");
    await other.getByLabel("Title").fill("From the other");
    await other.getByLabel("Title").press("Enter");
    await view.page.getByText("From the other").first().waitFor();
    await other.getByText("From one tab").first().waitFor();
    await written(view, /From the other[\s\S]*From one tab/);
    // A tab whose text is out of date gets 412, and merges: the browser logs that answer as an error.
    view.wrong.splice(0, view.wrong.length, ...view.wrong.filter((one) => !one.includes("status of 412")));
  });

  test("a file that changes on disk is merged, and a conflict in one line is shown", async () => {
    const view = await opened("disk");
    view.server.write("disk.flow.yaml", TWO.replace("title: Second", "title: From an editor"));
    await view.page.getByText("From an editor").first().waitFor();
    const clash = await opened("clash");
    await node(clash, "a").click();
    await clash.page.getByLabel("Title").waitFor();
    // Written while this page cannot hear of it: its next save is out of date.
    await clash.context.setOffline(true);
    clash.server.write("clash.flow.yaml", TWO.replace("title: First", "title: Theirs"));
    await clash.page.getByLabel("Title").fill("Mine");
    await clash.page.getByLabel("Title").press("Enter");
    await clash.page.getByText("not saved yet").waitFor();
    await clash.context.setOffline(false);
    const dialog = clash.page.getByRole("dialog", { name: "Changed here and elsewhere" });
    await dialog.getByText("title: Theirs").waitFor();
    await dialog.getByText("title: Mine").waitFor();
    await dialog.getByRole("radio", { name: "Theirs" }).check();
    await dialog.getByRole("button", { name: "Use these" }).click();
    await node(clash, "a").getByText("Theirs").waitFor();
    // The focus leaves the field first: there the key belongs to the field.
    await expect.poll(() => clash.page.getByLabel("Title").inputValue()).toBe("Theirs");
    await clash.page.keyboard.press("Escape");
    await clash.page.keyboard.press("Control+z");
    await node(clash, "a").getByText("Mine").waitFor();
    // Both pages share the context that was offline.
    for (const one of [view, clash]) one.wrong.length = 0;
  });

  test("a selection becomes a loop, drawn as one box; copied text is YAML and is pasted with new ids", async () => {
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

  test("in the source, typing draws, the cursor selects, the canvas shows where, and problems lead to their line", async () => {
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
    await page.getByRole("list", { name: "Problems" }).getByText("textx").waitFor();
    await source.press("Control+z");
    await page.getByText("Nothing is wrong with this file.").waitFor();
    await page.getByRole("button", { name: "Everything in view" }).click();
    await node(view, "b").click();
    await expect.poll(() => source.locator(".cm-activeLine").textContent()).toContain("id: b");
  });

  test("a failed run is fixed and retried in the editor, which shows its states and what was edited", async () => {
    const { page, server, go } = await web.open();
    server.write("fix.flow.yaml", BROKEN.replace("echo looking", "seq 12 >&2; echo looking"));
    const answer = await server.api("POST", "/workflows/fix.flow.yaml/runs?wait=20", {});
    await go(`/runs/${((await answer.json()) as { id: string }).id}`);
    await page.getByRole("button", { name: "Edit command" }).click();
    const bar = page.getByRole("region", { name: "Fixing a run" });
    await bar.getByText(/Check it\s*failed/).waitFor();
    const panel = page.getByRole("complementary", { name: "Inspector" });
    const words = page.getByRole("region", { name: "Last lines of standard error" });
    expect((await words.boundingBox())!.height, "has room for its lines").toBeGreaterThan(100);
    expect(await words.evaluate((one) => one.scrollTop), "shows its end").toBeGreaterThan(0);
    await page.getByRole("heading", { name: "Check it: The command exited with code 1." }).waitFor();
    await panel.getByRole("textbox", { name: "Command", exact: true }).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("echo fixed");
    await bar.getByText(/Check it\s*changed/).waitFor();
    const card = page.locator("[data-id=check]");
    await card.getByText("edited").waitFor();
    await accessible(page, "a run that is fixed");
    await bar.getByRole("button", { name: "Retry from here" }).click();
    await card.getByText("succeeded").first().waitFor();
    await page.getByRole("log").getByText("fixed", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/w/fix.flow.yaml");
    expect(server.read("first-runs.txt")).toBe("ran\n");
    await page.setViewportSize({ width: 390, height: 844 });
    const rows = page.getByRole("treeitem");
    await rows.filter({ hasText: "Check it" }).getByText("succeeded").first().waitFor();
    const [above, below] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()];
    expect(below!.y - above!.y, "rows have room for their states").toBeGreaterThan(40);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Remove the states of this run" }).click();
    await card.getByText("succeeded").first().waitFor({ state: "detached" });
  });

  test("without a server edits stay, even after a reload, and are written when it is back", async () => {
    const view = await opened("offline", { server: web.server() });
    const { page, server } = view;
    await page.clock.install();
    await node(view, "a").click();
    await page.getByLabel("Title").waitFor();
    await server.kill();
    await page.getByLabel("Title").fill("Written while away");
    await page.getByLabel("Title").press("Enter");
    await page.getByText("not saved yet, kept in this tab").waitFor();
    expect(server.read(view.file)).toContain("title: First\n");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("tabpanel").getByText("The server is not responding").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Two did not start: The server is not responding").first().waitFor();
    await server.startAgain();
    await page.getByRole("dialog", { name: "Sign in to continue" }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.fastForward(30_000);
    expect(asked, "requests of a page without a session").toEqual([]);
    view.wrong.length = 0; // The server was away.
    await view.signIn();
    await view.go(`/w/${view.file}`);
    await node(view, "a").getByText("Written while away").waitFor();
    await written(view, /title: Written while away\n/);
    view.wrong.length = 0;
  });

  test("everything can be done from the outline, which is a tree of nodes", async () => {
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

  /** Runs `change` here, while `theirs` is written to the file unnoticed. */
  async function clash(name: string, theirs: string, change: (view: View) => Promise<void>): Promise<View> {
    const view = await web.open();
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.locator('.react-flow__node[data-id="a"]').waitFor();
    // The panel is in its own script, which must be loaded before the network goes away.
    await view.page.getByRole("complementary", { name: "Inspector" }).getByRole("heading", { level: 2 }).waitFor();
    await view.context.setOffline(true);
    view.server.write(`${name}.flow.yaml`, theirs);
    await change(view);
    await view.page.getByText("not saved yet").waitFor();
    await view.context.setOffline(false);
    await view.page.getByRole("dialog", { name: "Changed here and elsewhere" }).waitFor();
    view.wrong.length = 0; // The network was away.
    return view;
  }
  const dialogOf = ({ page }: View) => page.getByRole("dialog", { name: "Changed here and elsewhere" });

  test("a conflict waits until the user chooses, and nothing is saved before", async () => {
    const theirs = BASE.replace("First", "Theirs");
    const view = await clash("files", theirs, async ({ page }) => {
      await page.locator('.react-flow__node[data-id="a"]').click();
      await page.getByLabel("Title").fill("Mine");
      await page.getByLabel("Title").press("Enter");
    });
    await accessible(view.page, "a conflict");
    // With Later the bar above the canvas says so, and keeps all its buttons.
    await view.page.keyboard.press("Escape");
    await view.page.getByRole("alert").getByText("Nothing is saved until you choose.").waitFor();
    await view.page.getByRole("button", { name: "Design", exact: true }).click();
    await accessible(view.page, "a conflict that waits");
    await view.page.getByRole("button", { name: "Choose…" }).click();
    expect(view.server.read("files.flow.yaml")).toBe(theirs);
    await dialogOf(view).getByRole("button", { name: "Use these" }).click();
    await expect.poll(() => view.server.read("files.flow.yaml")).toBe(BASE.replace("First", "Mine"));
  });
}

/** In the page: holds back frames, as on a machine that is slower than the typing. */
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

/** Waits until the held frames, and those that they requested, are drawn. */
async function goOn(): Promise<void> {
  (window as unknown as { goOn: () => void }).goOn();
  for (let frames = 0; frames < 4; frames += 1) await new Promise(requestAnimationFrame);
}
