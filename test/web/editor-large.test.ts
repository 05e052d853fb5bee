// Drawings of a thousand nodes and more: what is not in view is not drawn, and an edit changes its own lines alone. Times are printed, with
// bounds that only a drawing of everything would break; the machine may be busy.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser } from "./browser.ts";

function large(count: number): string {
  const nodes: string[] = [];
  const edges: string[] = [];
  const layout: string[] = [];
  for (let n = 0; n < count; n++) {
    nodes.push(
      `  - id: n${n}\n    type: text\n    data:\n      title: Node ${n}\n      content: "${n === 0 ? "" : `\${1} `}${n}"\n`,
    );
    if (n > 0) edges.push(`  - n${Math.max(0, n - 1 - (n % 4) * 3)} -> n${n}\n`);
    layout.push(`  n${n}: [${Math.floor(n / 40) * 300}, ${(n % 40) * 132}]\n`);
  }
  return `curlew: 1\nname: Large\nnodes:\n${nodes.join("")}edges:\n${edges.join("")}layout:\n${layout.join("")}`;
}

if (has("chromium")) {
  const web = inBrowser({ "k03.flow.yaml": large(300), "k1.flow.yaml": large(1000), "k5.flow.yaml": large(5000) });

  test.each([
    { name: "k1", elementsMost: 3_000, openMs: 8_000 },
    { name: "k5", elementsMost: 8_000, openMs: 20_000 },
  ])("$name opens, pans and edits with few elements on the page", async (bounds) => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    page.setDefaultTimeout(30_000);
    const begin = Date.now();
    await go(`/w/${bounds.name}.flow.yaml`);
    await page.locator('.react-flow__node[data-id="n0"]').waitFor();
    const openMs = Date.now() - begin;
    const { frameMs, elements } = await page.evaluate(async () => {
      const pane = document.querySelector(".react-flow__pane") as HTMLElement;
      const { left, top } = pane.getBoundingClientRect();
      const press = (type: string, on: EventTarget, x: number) =>
        on.dispatchEvent(
          new MouseEvent(type, { bubbles: true, button: 1, buttons: 4, clientX: x, clientY: top + 300, view: window }),
        );
      press("mousedown", pane, left + 700);
      const frames: number[] = [];
      let last = performance.now();
      for (let n = 0; n < 60; n++) {
        press("mousemove", window, left + 700 - n * 10);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
      }
      press("mouseup", window, left + 100);
      return {
        frameMs: frames.sort((a, b) => a - b)[30] ?? 0,
        elements: document.querySelectorAll("*").length,
      };
    });
    console.log(`${bounds.name}: open ${openMs} ms, frame ${frameMs.toFixed(1)} ms, ${elements} elements`);
    expect(elements).toBeLessThan(bounds.elementsMost);
    expect(openMs).toBeLessThan(bounds.openMs);
    expect(frameMs).toBeLessThan(150);
    const before = server.read(`${bounds.name}.flow.yaml`).split("\n");
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-id"))).toBe("n0");
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(
        () =>
          server
            .read(`${bounds.name}.flow.yaml`)
            .split("\n")
            .filter((line, at) => line !== before[at]).length,
      )
      .toBe(1);
  });

  test("all of a large drawing on the screen is a few shapes; its nodes are chosen, focused and moved as near", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    page.setDefaultTimeout(30_000);
    await go("/w/k03.flow.yaml");
    const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    await node("n0").waitFor();
    await page.keyboard.press("Shift+1");
    await expect.poll(() => page.locator(".react-flow__node").count()).toBe(300);
    const count = (what: string) => page.locator(what).count();
    await expect.poll(() => count(".react-flow__edge"), { message: "lines of their own" }).toBe(0);
    expect(await count(".far-layer path"), "shapes").toBeLessThan(10);
    expect(await count(".react-flow *"), "elements of the drawing").toBeLessThan(1.2 * 300);
    await accessible(page, "a drawing from far away");
    await node("n100").click();
    await page.getByRole("textbox", { name: "Title" }).and(page.locator('[value="Node 100"]')).waitFor();
    const outline = await page.locator(".far-chosen").getAttribute("d");
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-id"))).toBe("n140");
    expect(await page.locator(".far-chosen").getAttribute("d")).not.toBe(outline);
    const place = () => /^ {2}n200: (.*)$/m.exec(server.read("k03.flow.yaml"))?.[1];
    const from = place();
    const box = (await node("n200").boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(place).not.toBe(from);
    for (let times = 0; times < 8; times++) await page.getByRole("button", { name: "Zoom in" }).click();
    await page.locator(".far-layer").waitFor({ state: "detached" });
    await page.locator(".react-flow__edge").first().waitFor({ state: "attached" });
  });
}
