// The same lines were changed here and elsewhere: you can keep both files.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { told } from "./waits.ts";

const BASE = `curlew: 1
name: Base
nodes:
  - id: a
    type: text
    data: { title: First, content: one }
`;

if (has("chromium")) {
  const web = inBrowser({ "files.flow.yaml": BASE });

  /** `change` is done here while `theirs` comes into the file unheard. */
  async function clash(name: string, theirs: string, change: (view: View) => Promise<void>): Promise<View> {
    const view = await web.open();
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.locator('.react-flow__node[data-id="a"]').waitFor();
    // The panel comes in a file of its own, which cannot come any more when the network is away.
    await view.page.getByRole("complementary", { name: "Inspector" }).getByRole("heading", { level: 2 }).waitFor();
    await view.context.setOffline(true);
    view.server.write(`${name}.flow.yaml`, theirs);
    await change(view);
    await view.page.getByText("not saved yet").waitFor();
    await view.context.setOffline(false);
    await view.page.getByRole("dialog", { name: "Changed here and elsewhere" }).waitFor();
    view.wrong.length = 0; // That the network was away.
    return view;
  }
  const dialogOf = ({ page }: View) => page.getByRole("dialog", { name: "Changed here and elsewhere" });

  test("both files can be kept: theirs stays here, mine stands beside it", async () => {
    const theirs = BASE.replace("First", "Theirs");
    const view = await clash("files", theirs, async ({ page }) => {
      await page.locator('.react-flow__node[data-id="a"]').click();
      await page.getByLabel("Title").fill("Mine");
    });
    await accessible(view.page, "a conflict");
    // Later: it says so above the drawing, and nothing of the bar is lost to it.
    await view.page.keyboard.press("Escape");
    await view.page.getByRole("alert").getByText("Nothing is saved until you choose.").waitFor();
    await view.page.getByRole("button", { name: "Design", exact: true }).click();
    await accessible(view.page, "a conflict that waits");
    await view.page.getByRole("button", { name: "Choose…" }).click();
    view.server.write("files-mine.flow.yaml", "taken: already\n");
    await dialogOf(view).getByRole("button", { name: "Keep both files" }).click();
    await told(view.page, "Yours is in files-mine-2.flow.yaml.").waitFor();
    await view.page.locator('.react-flow__node[data-id="a"]').getByText("Theirs").waitFor();
    expect(view.server.read("files.flow.yaml")).toBe(theirs);
    expect(view.server.read("files-mine-2.flow.yaml")).toBe(BASE.replace("First", "Mine"));
    expect(view.server.read("files-mine.flow.yaml")).toBe("taken: already\n");
    await view.page.getByRole("button", { name: "Open it" }).click();
    // The browser tells that the first name was taken.
    expect(view.wrong.splice(0)).toEqual([expect.stringContaining("412")]);
    await view.page.getByRole("region", { name: "Canvas of files-mine-2.flow.yaml" }).waitFor();
    await view.page.locator('.react-flow__node[data-id="a"]').getByText("Mine").waitFor();
  });
}
