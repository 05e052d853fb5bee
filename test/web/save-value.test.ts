// What a command hands on is kept under a name with one press in the panel (ui 6.3: save to variable).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";

const FLOW = `curlew: 1
name: One
nodes:
  - id: a
    type: cli
    data: { title: First, content: echo one }
`;

if (has("chromium")) {
  const web = inBrowser({ "one.flow.yaml": FLOW });

  test("save to a variable: a Variable stands behind the command, and the run hands the value on", async () => {
    const { page, go, server } = await web.open();
    await go("/w/one.flow.yaml");
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.getByRole("tab", { name: "Output" }).click();
    await page.getByRole("button", { name: "Save to a variable" }).click();
    await page.locator(".react-flow__node", { hasText: "Keep a" }).waitFor();
    await expect.poll(() => server.read("one.flow.yaml")).toMatch(/variableName: value[\s\S]*- a -> keep_a\n/);
    const run = await server.api("POST", "/workflows/one.flow.yaml/runs?wait=20", {});
    expect(await run.json()).toMatchObject({ status: "succeeded", result: "one" });
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.getByText("Saved as ${value}").waitFor();
  });
}
