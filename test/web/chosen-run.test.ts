// The panel works with the values of a past run that a person chose, not only with the last one's: previews, what can be inserted, tests of a
// node, running on from it (ui 6.3).

import { expect, test } from "vitest";
import { shortRunId } from "../../src/base/ids.ts";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";

const FLOW = `curlew: 1
name: Two
inputs: { word: { type: string, default: none } }
nodes:
  - id: make
    type: cli
    data: { title: Make, content: 'printf x >> made; printf ''{"word":"%s"}'' "\${word}"' }
  - id: use
    type: cli
    data: { title: Use, content: cat, stdin: { source: parent-index, parentIndex: 0 }, output: { format: json, select: word } }
edges: [make -> use]
`;

if (has("chromium")) {
  const web = inBrowser({ "two.flow.yaml": FLOW });

  test("a past run is chosen: what it handed on is shown, inserted and given to a test, until the last one is chosen again", async () => {
    const { page, go, server } = await web.open();
    const run = async (word: string): Promise<string> => {
      const answer = await server.api("POST", "/workflows/two.flow.yaml/runs?wait=20", { inputs: { word } });
      const made = (await answer.json()) as { id: string; status: string };
      expect(made.status).toBe("succeeded");
      return made.id;
    };
    const early = await run("early");
    await run("late");
    await go("/w/two.flow.yaml?node=use");
    const panel = page.getByRole("complementary", { name: "Inspector" });
    const choice = panel.getByRole("combobox", { name: /^Values of/ });
    const tab = (name: string) => panel.getByRole("tab", { name }).click();
    const result = panel.getByRole("region", { name: "Result of the test" });
    await tab("Test");
    await panel.getByText('{"word":"late"}').waitFor();
    await choice.selectOption(early);
    await panel.getByText('{"word":"early"}').waitFor();
    await panel.getByText(`Value in run ${shortRunId(early)}`).waitFor();
    expect(await panel.getByLabel("word").inputValue()).toBe("early");
    await accessible(page, "inspector, values of a chosen run");
    await fits(page);
    await page.keyboard.press("Control+Enter");
    await result.getByText("early", { exact: true }).waitFor();
    await tab("Command");
    await panel.getByText(`Insert a value of run ${shortRunId(early)}`).click();
    await panel.getByRole("button", { name: "word early" }).waitFor();
    await tab("Output");
    await panel.getByText(`Output of run ${shortRunId(early)}`).waitFor();
    // What it made runs on: the file as it is, the values of that run.
    await tab("Test");
    const alone = await result.getByRole("link", { name: "Open the run" }).getAttribute("href");
    await page.keyboard.press("Control+Alt+Enter");
    await result.locator(`a:not([href="${alone}"])`).waitFor();
    await result.getByText("early", { exact: true }).waitFor();
    // A run of one node alone holds what it was given, and nothing can run on from it.
    await choice.selectOption(alone!.split("/").at(-1)!);
    await page.keyboard.press("Control+Alt+Enter");
    await panel
      .getByRole("alert")
      .getByText(/not everything ran/)
      .waitFor();
    // It outlives a reload, and is the run that the view of the run leads to.
    await choice.selectOption(early);
    await page.reload();
    await tab("Test");
    await panel.getByText(`Value in run ${shortRunId(early)}`).waitFor();
    await panel.getByRole("heading", { name: "Use" }).click();
    await page.keyboard.press("2");
    await page.waitForURL(`**/runs/${early}**`);
    await page.goBack();
    await tab("Test");
    await choice.selectOption("The last run");
    await panel.getByText("Last value", { exact: false }).waitFor();
    expect(server.read("made")).toBe("xx");
  });
}
