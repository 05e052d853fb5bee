// Large workflows: the page contains only what is in view, an edit changes only its line, and the far zoom level stays
// usable.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser } from "./browser.ts";
import { smallText } from "./readable.ts";

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
  const web = inBrowser({ "far.flow.yaml": large(300), "k5.flow.yaml": large(5000) });

  test("5,000 nodes open with few elements on the page, and moving one changes one line", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    page.setDefaultTimeout(30_000);
    await go("/w/k5.flow.yaml");
    await page.locator('.react-flow__node[data-id="n0"]').waitFor();
    expect(await page.locator("*").count()).toBeLessThan(8_000);
    const before = server.read("k5.flow.yaml").split("\n");
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-id"))).toBe("n0");
    await page.keyboard.press("ArrowRight");
    const changed = () =>
      server
        .read("k5.flow.yaml")
        .split("\n")
        .filter((line, at) => line !== before[at]).length;
    await expect.poll(changed).toBe(1);
  });

  test("when zoomed far out, nodes are selected, walked and moved", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    page.setDefaultTimeout(30_000);
    await go("/w/far.flow.yaml");
    const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    await node("n0").waitFor();
    expect(await smallText(page)).toEqual([]);
    await page.keyboard.press("Shift+1");
    await expect.poll(() => page.locator(".react-flow__node").count()).toBe(300);
    await accessible(page, "a drawing from far away");
    await node("n100").click();
    await page.getByRole("textbox", { name: "Title" }).and(page.locator('[value="Node 100"]')).waitFor();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-id"))).toBe("n140");
    const place = () => /^ {2}n200: (.*)$/m.exec(server.read("far.flow.yaml"))?.[1];
    const from = place();
    const box = (await node("n200").boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(place).not.toBe(from);
  });
}
