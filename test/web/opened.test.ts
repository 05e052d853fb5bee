// Everything of the web that opens, opened in turn and looked at by axe in both themes (spec ui 6.7). Which files have a dialog, a menu, tabs,
// something that unfolds, a tooltip or a short word is read from the sources: a new one without a row fails.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { GREETING, HELLO } from "./flows.ts";

const WEB = join(import.meta.dirname, "../../src/web");
/** What a source file says where it draws something that opens. */
const OPENS =
  /<(?:Dialog|Menu|Tabs|Radix|DropdownMenu)(?:\.Root)?\b|<details\b|role="(?:dialog|menu|listbox)"|export function (?:Toasts|Tooltip)\b/;
/** The parts that the others are made of: each is looked at wherever it is used. */
const PARTS = ["ui/dialog.tsx", "ui/menu.tsx", "ui/tabs.tsx"];

/** Stories elsewhere that look at it: the file of the test, and what it calls it. */
const ELSEWHERE: Record<string, [file: string, called: string]> = {
  "app/help.tsx": ["shell.test.ts", "help"],
  "app/palette.tsx": ["shell.test.ts", "palette"],
  "app/signed-out.tsx": ["shell.test.ts", "signed out again"],
  "app/start-run.tsx": ["home.test.ts", "inputs of a run"],
  "editor/conflict-dialog.tsx": ["conflict.test.ts", "a conflict"],
  "editor/pick-box.tsx": ["add-box.test.ts", "the box that adds"],
  "editor/snippets-dialog.tsx": ["add-box.test.ts", "the snippets"],
  "home/new-workflow.tsx": ["home.test.ts", "new workflow"],
  "inspector/defaults-part.tsx": ["defaults.test.ts", "the defaults"],
  "inspector/inspector.tsx": ["inspector.test.ts", "inspector, policy"],
  "inspector/value-picker.tsx": ["inspector.test.ts", "inspector, values to insert"],
  "runs/runs-screen.tsx": ["runs.test.ts", "delete"],
  "secrets/secret-dialog.tsx": ["keeping.test.ts", "the dialog of a secret"],
  "settings/provider-dialog.tsx": ["keeping.test.ts", "the dialog of a provider"],
  "triggers/delivery-dialog.tsx": ["triggers.test.ts", "a delivery"],
  "triggers/tunnel-dialog.tsx": ["triggers.test.ts", "tunnel help"],
};

/** Looked at here, each by the story that names it. */
const HERE = new Map<string, (view: View, run: string) => Promise<void>>();

HERE.set("home/paste-curl.tsx", async ({ page, go }) => {
  await go("/");
  await page.getByRole("button", { name: "Paste curl" }).click();
  await page.getByRole("dialog", { name: /curl/ }).waitFor();
  await accessible(page, "a curl to paste");
  await page.keyboard.press("Escape");
});

HERE.set("editor/rename-dialog.tsx", async ({ page, go }) => {
  await go("/w/all.flow.yaml");
  await page.locator('.react-flow__node[data-id="get"]').click();
  await page.keyboard.press("F2");
  await page.getByRole("dialog", { name: "Rename get" }).waitFor();
  await accessible(page, "renaming a node");
  await page.getByRole("dialog").getByRole("textbox").fill("");
  await accessible(page, "renaming a node to nothing");
  await page.keyboard.press("Escape");
});

HERE.set("secrets/remove-dialog.tsx", async ({ page, go, server }) => {
  await server.api("PUT", "/secrets/API_KEY", { value: "a-value-of-some-length" });
  await go("/secrets");
  await page.getByRole("button", { name: "Remove API_KEY" }).click();
  await page.getByText("will not start without it").waitFor();
  await accessible(page, "removing a secret");
  await page.keyboard.press("Escape");
});

HERE.set("runs/run-row.tsx", async ({ page, go }, run) => {
  await go("/runs");
  await page.locator(`#run-${run}`).getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Copy the id" }).waitFor();
  await accessible(page, "the menu of a run in the list");
  await page.keyboard.press("Escape");
});

HERE.set("run/run-top.tsx", async ({ page, go }, run) => {
  await go(`/runs/${run}`);
  await page.getByRole("button", { name: "More that can be done with this run" }).click();
  await page.getByRole("menuitem", { name: "Open in the editor" }).waitFor();
  await accessible(page, "the menu of a run");
  await page.keyboard.press("Escape");
});

HERE.set("run/output/output-bar.tsx", async ({ page, go }, run) => {
  await go(`/runs/${run}?node=get`);
  await page.getByRole("button", { name: "Download the output" }).click();
  await page.getByRole("menuitem", { name: "both, as they came" }).waitFor();
  await accessible(page, "the downloads of an output");
  await page.keyboard.press("Escape");
});

HERE.set("run/dock.tsx", async ({ page, go }, run) => {
  await go(`/runs/${run}?node=get`);
  const tabs = page.getByRole("tablist", { name: "Details of the run" }).getByRole("tab");
  await tabs.nth(4).waitFor();
  expect(await tabs.count()).toBe(5);
  for (const tab of await tabs.all()) {
    await tab.click();
    await page.getByRole("tabpanel", { name: (await tab.textContent()) ?? "" }).waitFor();
    await expect.poll(() => page.getByLabel("Loading").count()).toBe(0);
    if (/Events/.test((await tab.textContent()) ?? ""))
      await page.getByRole("button", { name: /run\.started/ }).click();
    await accessible(page, `the dock, ${await tab.textContent()}`, "[role=tabpanel]:not([hidden])");
  }
});

HERE.set("run/http-table.tsx", async ({ page, go }, run) => {
  await go(`/runs/${run}?node=get`);
  await page.getByRole("list", { name: "HTTP exchanges" }).locator("summary").click();
  await page.getByText("content-type", { exact: false }).first().waitFor();
  await accessible(page, "an HTTP exchange");
});

HERE.set("ui/tooltip.tsx", async ({ page, go }, run) => {
  await go(`/runs/${run}?node=get`);
  await page.getByRole("button", { name: "Wrap long lines" }).hover();
  await page.getByRole("tooltip", { name: "Wrap long lines" }).waitFor();
  await accessible(page, "a tooltip");
});

HERE.set("ui/toast.tsx", async ({ page, go, context }, run) => {
  await context.grantPermissions(["clipboard-write"]);
  await go("/runs");
  await page.locator(`#run-${run}`).getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Copy the id" }).click();
  await page.getByRole("button", { name: "Dismiss" }).waitFor();
  await accessible(page, "a short word", "[data-part=toasts]");
});

/** Kinds of node whose fields are not those of a command, with all that folds unfolded. */
HERE.set("inspector/section-view.tsx", async ({ page, go }) => {
  await go("/w/all.flow.yaml");
  for (const id of ["get", "more", "pages", "ask", "sub"]) {
    await page.locator(`.react-flow__node[data-id="${id}"]`).press("Enter");
    await page.getByLabel("Inspector").getByText(id, { exact: true }).first().waitFor();
    await expect.poll(() => page.getByLabel("Loading").count()).toBe(0);
    await page.evaluate(() => {
      for (const one of document.querySelectorAll("details")) one.open = true;
    });
    await accessible(page, `the fields of ${id}`, "[aria-label=Inspector]");
  }
});

HERE.set("inspector/fields/inputs.tsx", async ({ page, go }) => {
  await go("/w/greeting.flow.yaml");
  await page.getByLabel("Inspector").getByText("Rules", { exact: false }).first().waitFor();
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
  });
  await accessible(page, "the inputs of a workflow", "[aria-label=Inspector]");
});

test("each file that draws something that opens has a story in which axe looks at it", () => {
  const files = globSync("**/*.tsx", { cwd: WEB }).filter((file) => OPENS.test(readFileSync(join(WEB, file), "utf8")));
  expect(files.filter((file) => !PARTS.includes(file)).sort()).toEqual(
    [...Object.keys(ELSEWHERE), ...HERE.keys()].sort(),
  );
  for (const [file, called] of Object.values(ELSEWHERE))
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).toMatch(
      new RegExp(`await accessible\\((?:view\\.)?page, "${called}"`),
    );
});

const ALL = `curlew: 1
name: All kinds
secrets: [API_KEY]
inputs:
  api: { type: string, required: true }
nodes:
  - { id: begin, type: start, data: { title: Begin } }
  - { id: get, type: cli, data: { title: Get, content: 'curl -sS "\${api}/api/items"' } }
  - { id: more, type: if, data: { title: More?, content: "1 > 0" } }
  - { id: note, type: text, data: { title: Note, content: done } }
  - { id: keep, type: variable, data: { title: Keep, variableName: kept, content: one } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 2 } }
  - { id: sum, type: accumulator, data: { title: Sum, variableName: all, content: "\${1}" } }
  - { id: end, type: loop-end, data: { title: End } }
  - { id: ask, type: llm, data: { title: Ask, content: "What is it?", model: ollama/tiny } }
  - { id: sub, type: subflow, data: { title: Inner, workflow: hello.flow.yaml } }
edges: [begin -> get, get -> more, "more:true -> keep", "more:false -> ask", "more:false -> sub", keep -> pages, pages -> sum, sum -> end, end -> note]
`;

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO, "greeting.flow.yaml": GREETING, "all.flow.yaml": ALL });

  for (const [file, story] of HERE)
    test(`axe: ${file}`, async () => {
      const view = await web.open({ size: { width: 1440, height: 900 } });
      await story(view, await ran(view));
    });
}

let once: Promise<string> | undefined;
/** A run with a call to look at, of the server's own address: it answers 404 there. */
function ran({ server }: View): Promise<string> {
  once ??= server
    .api("POST", "/workflows/all.flow.yaml/runs?wait=20", { inputs: { api: server.url } })
    .then(async (answer) => ((await answer.json()) as { id: string }).id);
  return once;
}
