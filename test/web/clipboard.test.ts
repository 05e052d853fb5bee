// Copying and pasting on the canvas (ui 6.5): a whole loop, here and from one workflow to another.

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
    ...{ "from.flow.yaml": LOOP, "to.flow.yaml": EMPTY, "twice.flow.yaml": LOOP },
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

  test("a loop is copied whole, together with the inputs that it names", async () => {
    const view = await opened("from");
    await head(view, "again").click();
    await view.page.keyboard.press("Control+c");
    await view.go("/w/to.flow.yaml");
    await view.page.getByText("What should happen first?").waitFor();
    await view.page.keyboard.press("Control+v");
    await node(view, "call").waitFor();
    await written(view, "to").toMatch(
      /inputs:\n {2}api: [\s\S]*id: again[\s\S]*id: call\n {4}after: again[\s\S]*id: done[\s\S]*after: call\n$/,
    );
    expect(view.server.read("to.flow.yaml")).not.toContain("other:");
  });

  test("a loop is duplicated whole; Delete removes all of it, Ctrl+Delete only the loop", async () => {
    const view = await opened("twice");
    // Pasting brings back what was cut, so no message mentions keys that would keep a part.
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
}
