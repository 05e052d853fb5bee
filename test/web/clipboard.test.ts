// Copying and pasting on the canvas (spec ui 6.5, 6.9): several curls at once, from one workflow to another with what it needs, a loop as a
// whole, what cannot be pasted, and by keys of a person's own.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser, type View } from "./browser.ts";
import { told } from "./waits.ts";

const EMPTY = "curlew: 1\nname: Empty\nnodes: []\n";
const LOOP = `curlew: 1
name: Loop
inputs:
  api: { type: string, default: "http://127.0.0.1:9" }
  other: { type: string, default: x }
nodes:
  - id: again
    type: loop-start
    data: { title: Again, iterations: 2 }
  - id: call
    type: cli
    data: { title: Call, content: "curl --fail-with-body \${api}/x" }
  - id: done
    type: loop-end
    data: { title: Done }
  - id: after
    type: text
    data: { title: After, content: all }
edges:
  - again -> call -> done -> after
`;

if (has("chromium")) {
  const web = inBrowser({
    ...{ "curls.flow.yaml": EMPTY, "from.flow.yaml": LOOP, "to.flow.yaml": EMPTY },
    ...{ "scripts.flow.yaml": EMPTY },
    ...{ "twice.flow.yaml": LOOP, "gone.flow.yaml": LOOP, "own.flow.yaml": LOOP },
  });

  async function opened(name: string): Promise<View> {
    const view = await web.open();
    await view.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return view;
  }
  const node = ({ page }: View, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const head = (view: View, id: string) => node(view, id).getByText("Again").first();
  const written = ({ server }: View, name: string) => expect.poll(() => server.read(`${name}.flow.yaml`));
  const pasted = async ({ page }: View, text: string) => {
    await page.evaluate((all) => navigator.clipboard.writeText(all), text);
    await page.keyboard.press("Control+v");
  };

  test("three curls at once are three nodes, one step of undo; what is neither a command nor nodes is told", async () => {
    const view = await opened("curls");
    const calls = ["curl https://a.test/orders", "curl -X POST https://a.test/orders \\\n  -d '{}'", "curl b.test/x"];
    await pasted(view, calls.join("\n"));
    for (const title of ["GET /orders", "POST /orders", "GET with curl"])
      await view.page.getByText(title).first().waitFor();
    await written(view, "curls").toMatch(/id: get_orders[\s\S]*id: post_orders[\s\S]*id: get_with_curl/);
    expect(view.server.read("curls.flow.yaml")).not.toContain("edges");
    // 60,000 nodes: reading them took the tab down.
    await pasted(
      view,
      `nodes:\n${'  - { id: a, type: text, data: { title: A, content: "many words for a node" } }\n'.repeat(60_000)}`,
    );
    await told(view.page, /a workflow has at most 5(?:\.0)? MB and 20,000 nodes/).waitFor();
    await pasted(view, "dear reader");
    await told(view.page, "neither a curl command nor nodes as YAML").waitFor();
    for (const [text, why] of [
      ['fetch("https://a.test/x", { "method": "PUT" });', "a call in JavaScript. Copy it as cURL (bash)."],
      ['Invoke-WebRequest -Uri "https://a.test/x"', "a call in PowerShell. Copy it as cURL (bash)."],
      ['curl "https://a.test/x" ^\n  -H ^"a: b^"', "it is written for another shell. Copy it as cURL (bash)."],
    ] as const) {
      await pasted(view, text);
      await told(view.page, why).waitFor();
    }
    await pasted(view, "dear reader");
    await pasted(view, "dear reader, once more");
    // Said twice, shown once.
    const shown = view.page.locator("[data-part=toasts]").getByText("neither a curl command");
    await expect.poll(() => shown.count()).toBe(1);
    await view.page.keyboard.press("Control+z");
    await written(view, "curls").toBe(EMPTY);
  });

  test("a script is a node, and so is a fenced command", async () => {
    const view = await opened("scripts");
    await pasted(view, "#!/usr/bin/env python3\nprint(1)\n");
    await written(view, "scripts").toMatch(
      /mode: script\n {6}content: \|\n {8}#!\/usr\/bin\/env python3\n {8}print\(1\)\n/,
    );
    await pasted(view, "```bash\ncurl https://a.test/fenced\n```\n");
    await written(view, "scripts").toContain("content: curl https://a.test/fenced\n");
    await written(view, "scripts").toMatch(/edges:\n {2}- run_a_script -> get_fenced\n/);
  });

  test("a loop is copied as a whole, and brings the inputs along that it names", async () => {
    const view = await opened("from");
    await head(view, "again").click();
    await view.page.keyboard.press("Control+c");
    await view.go("/w/to.flow.yaml");
    await view.page.getByText("Nothing here yet").waitFor();
    await view.page.keyboard.press("Control+v");
    await node(view, "call").waitFor();
    await written(view, "to").toMatch(
      /inputs:\n {2}api: [\s\S]*id: again[\s\S]*id: call[\s\S]*id: done[\s\S]*again -> call -> done\n$/,
    );
    expect(view.server.read("to.flow.yaml")).not.toContain("other:");
  });

  test("a loop is duplicated as a whole; Delete takes all of it, Ctrl+Delete the loop alone", async () => {
    const view = await opened("twice");
    // What is cut comes back by pasting: no word about keys that would leave some of it.
    await head(view, "again").click();
    await view.page.keyboard.press("Control+x");
    await written(view, "twice").not.toContain("loop-start");
    expect(await view.page.getByText(/Ctrl\+Delete deletes/).count()).toBe(0);
    await view.page.keyboard.press("Control+z");
    await written(view, "twice").toBe(LOOP);
    await head(view, "again").click();
    await view.page.keyboard.press("Control+d");
    await written(view, "twice").toMatch(/again_2 -> call_2 -> done_2\n/);
    await view.page.getByRole("button", { name: /error/ }).waitFor({ state: "detached" });
    await head(view, "again_2").click();
    await view.page.keyboard.press("Delete");
    await told(view.page, /Ctrl\+Delete deletes the loop alone/).waitFor();
    await written(view, "twice").toBe(LOOP);
    await head(view, "again").click();
    await view.page.keyboard.press("Control+Delete");
    await written(view, "twice").toMatch(/edges:\n {2}- call -> after\n/);
  });

  test("help lists copy, cut, paste and Enter; by a key of a person's own they do the same", async () => {
    const view = await opened("own");
    const { page } = view;
    const remap = async (title: string, key: string) => {
      await page.getByRole("button", { name: new RegExp(`^${title}: `) }).click();
      await page.getByText("Press keys…").waitFor();
      await page.keyboard.press(key);
      await page.getByRole("button", { name: `${title}: ${key.toUpperCase()}. Change` }).waitFor();
    };
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    for (const keys of ["Copy: Ctrl+C", "Cut: Ctrl+X", "Paste: Ctrl+V", "Edit its fields: Enter"])
      await page.getByRole("button", { name: `${keys}. Change` }).waitFor();
    await remap("Cut", "x");
    await remap("Paste", "v");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    await node(view, "after").click();
    await page.keyboard.press("x");
    await node(view, "after").waitFor({ state: "detached" });
    await page.keyboard.press("v");
    await node(view, "after").waitFor();
    await written(view, "own").toMatch(/id: after[\s\S]*again -> call -> done\nlayout:\n[\s\S]*again: /);
  });
}
