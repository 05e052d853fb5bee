// What went along the edges, in a real browser: under the pointer, by keyboard in the panel and the outline, while designing and in a run;
// secrets stay hidden (ui 6.2).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";

const FLOW = `curlew: 1
name: Flow
secrets: [TOKEN]
nodes:
  - id: get
    type: cli
    data: { title: Get users, content: 'printf ''[{"id":1,"token":"%s"},{"id":2}]'' "\${TOKEN}"' }
  - id: check
    type: if
    data: { title: Any?, content: "1 > 0" }
  - id: yes
    type: text
    data: { title: Some, content: "some\\nlines" }
  - id: no
    type: text
    data: { title: None, content: none }
edges:
  - get -> check
  - check:true -> yes
  - check:false -> no
`;

if (has("chromium")) {
  const web = inBrowser({ "flow.flow.yaml": FLOW });

  /** A path that runs straight has no height, which Playwright takes for invisible: the pointer is moved there by hand. */
  async function point({ page }: View, from: string, to: string): Promise<void> {
    const path = page.locator(`.react-flow__edge[data-id="${from}->${to}"] .react-flow__edge-interaction`);
    await path.waitFor({ state: "attached" });
    const { x, y } = await path.evaluate((element) => {
      const line = element as unknown as SVGPathElement;
      const { x, y } = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM()!);
      return { x, y };
    });
    await page.mouse.move(x, y);
  }

  /** What is told there, once the drawing rests. */
  const told = (view: View, from: string, to: string) =>
    expect.poll(async () => {
      await view.page.mouse.move(5, 5);
      await view.page.getByRole("tooltip").waitFor({ state: "detached" });
      await point(view, from, to);
      return view.page
        .getByRole("tooltip")
        .textContent({ timeout: 2_000 })
        .catch(() => "");
    });

  test("an edge tells what went along it: under the pointer, in the panel and the outline, in the design and in the run", async () => {
    const view = await web.open();
    const { page, server } = view;
    await server.api("PUT", "/secrets/TOKEN", { value: "hunter2-hunter2" });
    await view.go("/w/flow.flow.yaml");
    await page.locator('.react-flow__node[data-id="get"]').waitFor();
    await told(view, "get", "check").toContain("no data from a run yet");

    const run = (await (await server.api("POST", "/workflows/flow.flow.yaml/runs?wait=20", { inputs: {} })).json()) as {
      id: string;
      status: string;
    };
    expect(run.status).toBe("succeeded");
    await told(view, "get", "check").toMatch(
      /Get users → Any\?\d+ B · list of 2 objects\[\{"id":1,"token":"\*+"\},\{"id":2\}\]/,
    );
    expect(await page.content()).not.toContain("hunter2");
    await accessible(page, "an edge's data");
    await page.keyboard.press("Escape");
    await page.getByRole("tooltip").waitFor({ state: "detached" });

    await page.locator('.react-flow__node[data-id="check"]').focus();
    const connections = page.getByRole("region", { name: "Connections" });
    await connections.getByText(/From Get users · \d+ B · list of 2 objects/).waitFor();
    await page.keyboard.press("o");
    await page.getByRole("treeitem", { name: /^Get users, .*leads to Any\? with \d+ B · list of 2 objects/ }).waitFor();

    await view.go(`/runs/${run.id}`);
    await page.getByRole("region", { name: "Run of Flow" }).waitFor();
    await told(view, "get", "check").toContain("list of 2 objects");
    await told(view, "check:false", "no").toContain("Nothing went this way.");
    await page.locator('.react-flow__node[data-id="no"]').click();
    await connections.getByText("From Any? (false) · Nothing went this way.").waitFor();
    expect(await page.content()).not.toContain("hunter2");
  });
}
