// "Run from here" of a node in the editor: it and what follows run again by the file as it is now, what stands before keeps its values
// (spec 2.3).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { told } from "./waits.ts";

const FLOW = `curlew: 1
name: Three
nodes:
  - id: a
    type: cli
    data: { title: First, content: "echo ran >> ran.txt; echo one" }
  - id: b
    type: cli
    data: { title: Second, content: 'printf "%s and two" "\${1}"' }
  - id: c
    type: text
    data: { title: Third, content: "\${1} and three" }
edges:
  - a -> b -> c
`;

if (has("chromium")) {
  const web = inBrowser({ "three.flow.yaml": FLOW });

  test("run from here: refused in words without a run before, then it runs on with the values that were kept", async () => {
    const { page, go, server } = await web.open();
    await go("/w/three.flow.yaml");
    await page.locator('.react-flow__node[data-id="b"]').click();
    await page.getByRole("tab", { name: "Test" }).waitFor();
    await page.keyboard.press("Control+Alt+Enter");
    await told(page, "There is no run yet from which the nodes before it could be kept.").waitFor();
    const whole = await server.api("POST", "/workflows/three.flow.yaml/runs?wait=20", {});
    expect(((await whole.json()) as { status: string }).status).toBe("succeeded");
    // The page knows of the run.
    await page.getByText("Last value", { exact: false }).waitFor();
    await page.getByRole("tab", { name: "Command" }).click();
    await page.getByRole("textbox", { name: "Command" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type('printf "%s then two" "$');
    await page.keyboard.type('{1}"');
    await page.keyboard.press("Control+Alt+Enter");
    const result = page.getByRole("region", { name: "Result of the test" });
    await result.getByText("one then two").waitFor();
    await result.getByRole("link", { name: "Open the run" }).click();
    await page.locator('.react-flow__node[data-id="c"]').getByText("succeeded").first().waitFor();
    await page.locator('.react-flow__node[data-id="c"]').click();
    await page.getByText("one then two and three").first().waitFor();
    expect(server.read("ran.txt")).toBe("ran\n");
  });
}
