// Who types in a node waits for nothing else: no other node, edge, button or row of the problems is drawn anew (spec ui.md 6.8).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { focused } from "./waits.ts";

const TEXT = `curlew: 1
nodes:
  - { id: get, type: cli, data: { title: Get, content: curl --fail https://api.example.test/1 } }
  - { id: use, type: text, data: { title: Use, content: "\${somebody}" } }
edges: [get -> use]
`;

if (has("chromium")) {
  const web = inBrowser({ "one.flow.yaml": TEXT });

  test("while a command is typed, what stands beside it is not drawn anew", async () => {
    const { page, server, go } = await web.open();
    await go("/w/one.flow.yaml?node=get");
    const editor = page.getByRole("textbox", { name: "Command", exact: true });
    await editor.waitFor();
    await page.keyboard.press("ControlOrMeta+j");
    const list = page.getByRole("list", { name: "Problems" });
    await list.getByText("somebody").waitFor();
    await editor.click();
    await focused(editor);
    await page.keyboard.press("ControlOrMeta+End");
    await page.evaluate(() => {
      // React gives an element other props each time it is drawn.
      const drawn = (element: Element | null | undefined): unknown => {
        const name = Object.keys(element ?? {}).find((key) => key.startsWith("__reactProps$"));
        return (element as unknown as Record<string, unknown>)[name ?? ""];
      };
      const parts: Record<string, () => Element | null | undefined> = {
        node: () => document.querySelector('.react-flow__node[data-id="use"]'),
        edge: () => document.querySelector(".react-flow__edge"),
        palette: () => document.querySelector('[aria-label="Add a node"]'),
        bar: () => document.querySelector('button[aria-label="Outline"]'),
        row: () =>
          [...document.querySelectorAll("[aria-label=Problems] li")].find((row) => /somebody/.test(row.textContent)),
      };
      const before = Object.entries(parts).map(([name, part]) => [name, part(), drawn(part())] as const);
      const anew = () => before.filter(([name, part, props]) => parts[name]?.() !== part || drawn(part) !== props);
      Object.assign(window, {
        __known: before.every(([, , props]) => props !== undefined),
        __anew: () => anew().map(([name]) => name),
      });
    });
    expect(await page.evaluate("window.__known")).toBe(true);
    await page.keyboard.type("2345678", { delay: 30 });
    await expect.poll(() => server.read("one.flow.yaml")).toContain("12345678");
    await page.getByText("Saved").first().waitFor();
    expect(await page.evaluate("window.__anew()")).toEqual([]);
  });
}
