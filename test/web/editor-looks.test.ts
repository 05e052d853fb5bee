// What the editor looks like where it can be measured (spec ui 6.6, 6.7): whole focus rings, targets of 24 pixels, sizes of what is drawn.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser, type View } from "./browser.ts";

const FLOW = `curlew: 1
name: Looks
description: A workflow with a finding, for its mark in the bar above.
nodes:
  - id: call
    type: cli
    data: { title: Call, content: "echo \${nobody}" }
  - id: other
    type: cli
    data: { title: Other, content: "true" }
  - id: rescue
    type: text
    data: { title: Rescue, content: nothing came }
edges:
  - call -> other
  - call:error -> rescue
layout:
  call: [0, 0]
  other: [300, 0]
  rescue: [300, 120]
`;

/** What is wrong with whatever has the focus: no ring, one that something around it cuts, a target that is too small. */
function faults(): string | undefined {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  // An edge has its ring along it.
  if (!(element instanceof HTMLElement)) return "edge: ";
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
  const found: string[] = [];
  const box = element.getBoundingClientRect();
  // A box to tick is pressed by its label too. What moves a border is as thin as it: arrow keys do the same.
  const grabbed = element.matches("input") ? element.closest("label")?.getBoundingClientRect() : undefined;
  const { width, height } = grabbed ?? box;
  const isSplitter = element.getAttribute("role") === "separator";
  if (!isSplitter && (width < 24 || height < 24)) found.push(`${width} x ${height}`);
  // What is written in has its ring around the frame of the field.
  const isCode = element.closest(".cm-editor") !== null;
  if (!isCode && (outlineStyle === "none" || outlineWidth !== "2px")) found.push("no ring");
  const grown = Number.parseFloat(outlineOffset) + 2;
  for (let around = element.parentElement; around !== null && !isCode && !isSplitter; around = around.parentElement) {
    if (getComputedStyle(around).overflow === "visible" || around === document.documentElement) continue;
    const edge = around.getBoundingClientRect();
    const cut = Math.max(
      ...[edge.left - box.left, edge.top - box.top, box.right - edge.right, box.bottom - edge.bottom],
    );
    if (cut + grown > 1) found.push(`its ring is cut by ${around.className}`);
  }
  const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
  return `${name.slice(0, 40)}: ${found.join(", ")}`;
}

if (has("chromium")) {
  const web = inBrowser({ "looks.flow.yaml": FLOW });

  async function walked(view: View, steps: number): Promise<string[]> {
    const seen = new Set<string>();
    for (let n = 0; n < steps; n++) {
      await view.page.keyboard.press("Tab");
      const found = await view.page.evaluate(faults);
      // Behind the last it begins again.
      if (found !== undefined) seen.add(found);
    }
    return [...seen];
  }

  for (const [name, size] of Object.entries({ wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }))
    test(`${name}: whatever takes the focus has a whole ring, and is large enough to be hit`, async () => {
      const view = await web.open({ size });
      await view.go("/w/looks.flow.yaml?node=call");
      await view.page.getByRole("tab", { name: "Command" }).waitFor();
      await view.page.getByRole("button", { name: /^1 (?:error|warning)$/ }).waitFor();
      const found = await walked(view, 80);
      expect(found.length).toBeGreaterThan(20);
      expect(found.some((one) => /^1 (?:error|warning):/.test(one))).toBe(true);
      expect(found.filter((one) => !one.endsWith(": "))).toEqual([]);
    });

  test("everything in view stands below the bar of kinds; what is drawn small is still read", async () => {
    const { page, go, server } = await web.open({ size: { width: 900, height: 420 } });
    const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const nodes = ids
      .map((id) => `  - { id: ${id}, type: text, data: { title: Node of ${id}, content: x } }`)
      .join("\n");
    server.write("wide.flow.yaml", `curlew: 1\nnodes:\n${nodes}\nedges:\n  - ${ids.slice(0, 8).join(" -> ")}\n`);
    await go("/w/wide.flow.yaml");
    const first = page.locator('.react-flow__node[data-id="n0"]');
    await first.waitFor();
    const bar = (await page.getByRole("toolbar", { name: "Add a node" }).boundingBox())!;
    expect((await first.boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height);
    // Eight columns of 300 in the width there is: a third of their size.
    server.write(
      "wide.flow.yaml",
      `curlew: 1\nnodes:\n${nodes.split("\n").slice(0, 8).join("\n")}\nedges:\n  - ${ids.slice(0, 8).join(" -> ")}\n`,
    );
    await page.locator('.react-flow__node[data-id="n39"]').waitFor({ state: "detached" });
    await page.keyboard.press("Shift+1");
    const title = first.getByText("Node of n0");
    await title.waitFor();
    const height = await title.evaluate((element) => {
      const shown = element.getBoundingClientRect().height / (element as HTMLElement).offsetHeight;
      return Number.parseFloat(getComputedStyle(element).fontSize) * shown;
    });
    expect(height).toBeGreaterThan(8);
  });

  test("cards are 228 x 78, edges 1.5 px, and where a branch for failures leads on its port is seen", async () => {
    const { page, go } = await web.open({ size: { width: 1440, height: 900 } });
    await go("/w/looks.flow.yaml");
    const card = page.locator('.react-flow__node[data-id="call"]');
    await card.waitFor();
    const drawn = await card.evaluate((element) => [
      ...[(element as HTMLElement).offsetWidth, (element as HTMLElement).offsetHeight],
      ...[getComputedStyle(element.querySelector(".port-error")!).opacity],
    ]);
    expect(drawn).toEqual([228, 78, "1"]);
    const unused = page.locator('.react-flow__node[data-id="other"] .port-error');
    expect(await unused.evaluate((element) => getComputedStyle(element).opacity)).toBe("0");
    const line = page.locator(".react-flow__edge-path").first();
    expect(await line.evaluate((element) => getComputedStyle(element).strokeWidth)).toBe("1.5px");
  });
}
