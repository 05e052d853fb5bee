// What the editor looks like where it can be measured (spec ui 6.6, 6.7): whole focus rings, targets of 24 pixels, sizes of what is drawn.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";

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

const TALL = `curlew: 1
name: Tall
nodes:
${Array.from({ length: 40 }, (_, n) => `  - id: n${n}\n    type: text\n    data: { title: Step ${n}, content: "${n}" }`).join("\n")}
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
  // A box to tick is pressed by its label too. What moves a border is as thin as it, but for its grip.
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
  const web = inBrowser({ "looks.flow.yaml": FLOW, "tall.flow.yaml": TALL });

  test("a source that is longer than its window is accessible", async () => {
    const { page, go } = await web.open();
    await go("/w/tall.flow.yaml?view=source");
    await page.locator(".cm-line").getByText("Step 1", { exact: false }).first().waitFor();
    const scrolls = page.locator(".cm-scroller").first();
    expect(await scrolls.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true);
    await accessible(page, "a long source");
  });

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

  test("a border is moved by a grip of 24 pixels in its middle, and nowhere else takes a press beside it", async () => {
    const { page, go } = await web.open({ size: { width: 1440, height: 900 } });
    await go("/w/looks.flow.yaml");
    const border = page.getByRole("separator", { name: "Width of the inspector" });
    const { x, y, height } = (await border.boundingBox())!;
    const grabbed = (dx: number, at: number) =>
      border.evaluate((own, [left, top]) => document.elementFromPoint(left!, top!) === own, [x + 2 + dx, y + at]);
    for (const dx of [-11, 0, 11]) expect(await grabbed(dx, height / 2), `${dx} px beside its middle`).toBe(true);
    for (const dx of [-6, 6]) expect(await grabbed(dx, height / 4), `${dx} px beside its quarter`).toBe(false);
    const panel = page.getByRole("complementary", { name: "Inspector" });
    const before = (await panel.boundingBox())!.width;
    await page.mouse.move(x - 8, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x - 68, y + height / 2, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => (await panel.boundingBox())!.width).toBe(before + 60);
  });

  test("what is selected stays in sight when something takes room of the canvas, and moves no farther than it must", async () => {
    const { page, go } = await web.open({ size: { width: 1440, height: 900 } });
    await go("/w/looks.flow.yaml");
    const card = page.locator('.react-flow__node[data-id="other"]');
    const panel = page.getByRole("complementary", { name: "Inspector" });
    await panel.waitFor();
    await page.keyboard.press("Control+.");
    await panel.waitFor({ state: "detached" });
    const place = async () => (await card.boundingBox())!;
    const first = await place();
    // To the lower right corner, by hand.
    await page.mouse.move(700, 200);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(700 + 1430 - first.x - first.width, 200 + 850 - first.y - first.height, { steps: 4 });
    await page.mouse.up({ button: "middle" });
    await card.click({ position: { x: 60, y: 14 } });
    const before = await place();
    const inside = async (right: number, bottom: number) => {
      await expect.poll(async () => (await place()).x + before.width).toBeLessThanOrEqual(right);
      await expect.poll(async () => (await place()).y + before.height).toBeLessThanOrEqual(bottom);
    };
    await page.keyboard.press("Control+.");
    await inside((await panel.boundingBox())!.x, 900);
    expect((await place()).y).toBe(before.y);
    await page.keyboard.press("Control+j");
    const problems = page.getByRole("region", { name: "Problems" });
    await inside((await panel.boundingBox())!.x, (await problems.boundingBox())!.y);
    const seen = await place();
    await page.keyboard.press("Control+.");
    await panel.waitFor({ state: "detached" });
    expect(await place()).toEqual(seen);
    // A drawer over the canvas leaves half of it, the problems leave half of a low window.
    await page.setViewportSize({ width: 760, height: 500 });
    await page.keyboard.press("Control+.");
    await panel.waitFor();
    const drawer = (await panel.boundingBox())!;
    expect(drawer.width).toBeLessThanOrEqual(760 / 2);
    const below = (await problems.boundingBox())!;
    expect(below.height).toBeLessThanOrEqual(500 / 2);
    await inside(drawer.x, below.y);
  });

  test("who sees all of it sees all of it when the source or the outline takes room, and again when it goes", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 700 } });
    const row = ["a", "b", "c", "d"].map((id) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }\n`);
    server.write("row.flow.yaml", `curlew: 1\nname: Row\nnodes:\n${row.join("")}edges:\n  - a -> b -> c -> d\n`);
    await go("/w/row.flow.yaml");
    const cards = page.locator(".react-flow__node");
    await cards.nth(3).waitFor();
    const canvas = page.getByRole("region", { name: "Canvas of row.flow.yaml" });
    const within = async () => {
      const room = (await canvas.boundingBox())!;
      const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
      return boxes.length === 4 && boxes.every((box) => box!.x >= room.x && box!.x + box!.width <= room.x + room.width);
    };
    const width = async () => Math.round((await cards.first().boundingBox())!.width);
    const before = await width();
    expect(await within()).toBe(true);
    await page.keyboard.press("4");
    await page.getByText("name: Row").first().waitFor();
    await expect.poll(within, { message: "all is in sight beside the source" }).toBe(true);
    await page.getByRole("button", { name: "Design" }).click();
    await expect.poll(width).toBe(before);
    await expect.poll(within).toBe(true);
    await page.keyboard.press("o");
    await page.getByRole("tree").waitFor();
    await expect.poll(within, { message: "and beside the outline" }).toBe(true);
  });

  test("a loop that comes around nodes covers no other: who stands in its way makes room in the same step", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    const text = FLOW.replace("layout:", "layout:\n  near: [240, 10]").replace(
      "edges:",
      "  - { id: near, type: text, data: { title: Near, content: x } }\nedges:",
    );
    server.write("close.flow.yaml", text);
    await go("/w/close.flow.yaml");
    const card = page.locator('.react-flow__node[data-id="call"]');
    await card.click({ position: { x: 60, y: 14 } });
    await page.keyboard.press("Control+g");
    const loop = page.locator('.react-flow__node[data-id="loop"]');
    await loop.waitFor();
    const box = (await loop.boundingBox())!;
    for (const id of ["near", "other", "rescue"]) {
      const other = (await page.locator(`.react-flow__node[data-id="${id}"]`).boundingBox())!;
      const isBeside = other.x >= box.x + box.width || other.x + other.width <= box.x;
      expect(isBeside || other.y >= box.y + box.height || other.y + other.height <= box.y, id).toBe(true);
    }
    await page.keyboard.press("Control+z");
    await expect.poll(() => server.read("close.flow.yaml")).toBe(text);
  });

  test("a loop that grows because a node is put into it covers no other, and one undo takes back both", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    const text = `curlew: 1
nodes:
  - { id: again, type: loop-start, data: { title: Again, iterations: 2 } }
  - { id: body, type: text, data: { title: Body, content: x } }
  - { id: done, type: loop-end, data: { title: Done } }
  - { id: free, type: text, data: { title: Free, content: x } }
  - { id: under, type: text, data: { title: Under, content: x } }
edges:
  - again -> body -> done -> under
layout: { again: [0, 0], body: [60, 0], done: [120, 0], free: [700, 0], under: [400, 0] }
`;
    server.write("grows.flow.yaml", text);
    await go("/w/grows.flow.yaml");
    const drawn = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    await drawn("again").locator('[data-handleid="body"]').dragTo(drawn("free").locator(".target"));
    await expect.poll(() => server.read("grows.flow.yaml")).toMatch(/- again -> free\n[\s\S]*under: \[400, (?!0\])/);
    await expect.poll(async () => (await drawn("again").boundingBox())!.width).toBeGreaterThan(600);
    const [box, under] = [(await drawn("again").boundingBox())!, (await drawn("under").boundingBox())!];
    expect(under.y >= box.y + box.height || under.y + under.height <= box.y).toBe(true);
    await page.keyboard.press("Control+z");
    await expect.poll(() => server.read("grows.flow.yaml")).toBe(text);
  });

  test("of a loop that is drawn half as large the end is hit on 24 pixels; from farther away its title is read", async () => {
    const { page, go, server } = await web.open({ size: { width: 1440, height: 900 } });
    const body = Array.from({ length: 5 }, (_, at) => `s${at}`);
    const text = (id: string) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }`;
    server.write(
      "loop.flow.yaml",
      `curlew: 1\nnodes:\n  - { id: again, type: loop-start, data: { title: Again, iterations: 2 } }\n${body.map(text).join("\n")}\n  - { id: done, type: loop-end, data: { title: Done } }\nedges:\n  - again -> ${body.join(" -> ")} -> done\n`,
    );
    await go("/w/loop.flow.yaml");
    const end = page.getByRole("button", { name: "Done", exact: true });
    const { x, y, width, height } = (await end.boundingBox())!;
    expect(height, "the drawing is small").toBeLessThan(20);
    const hit = (dy: number) =>
      end.evaluate(
        (own, [left, top]) => document.elementFromPoint(left!, top!) === own,
        [x + width / 2, y + height / 2 + dy],
      );
    expect(width).toBeGreaterThanOrEqual(24);
    for (const dy of [-11.5, 11.5]) expect(await hit(dy), `${dy} px from its middle`).toBe(true);
    for (const _ of [1, 2, 3]) await page.getByRole("button", { name: "Zoom out" }).click();
    const title = page.locator(".loop-head").getByText("Again");
    await expect.poll(() => title.evaluate((one) => one.getBoundingClientRect().height)).toBeGreaterThan(8);
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
    // It opens where it begins.
    const last = page.locator('.react-flow__node[data-id="n39"]');
    await page.keyboard.press("Shift+1");
    await last.waitFor();
    const bar = (await page.getByRole("toolbar", { name: "Add a node" }).boundingBox())!;
    expect((await first.boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height);
    // Eight columns of 300 in the width there is: a third of their size.
    server.write(
      "wide.flow.yaml",
      `curlew: 1\nnodes:\n${nodes.split("\n").slice(0, 8).join("\n")}\nedges:\n  - ${ids.slice(0, 8).join(" -> ")}\n`,
    );
    await last.waitFor({ state: "detached" });
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
    ]);
    expect(drawn).toEqual([228, 78]);
    const colours = (id: string): Promise<string[]> =>
      page
        .locator(`.react-flow__node[data-id="${id}"] .port-error`)
        .evaluate((port) => [
          ...[getComputedStyle(port).borderTopColor, getComputedStyle(port).backgroundColor],
          ...[port.querySelector(".port-label")!].map((label) => getComputedStyle(label).color),
        ]);
    const nothing = "rgba(0, 0, 0, 0)";
    expect(await colours("call")).not.toContain(nothing);
    expect(await colours("other")).toEqual([nothing, nothing, nothing]);
    await page.locator('.react-flow__node[data-id="other"]').hover();
    expect(await colours("other")).not.toContain(nothing);
    const line = page.locator(".react-flow__edge-path").first();
    expect(await line.evaluate((element) => getComputedStyle(element).strokeWidth)).toBe("1.5px");
  });

  test("a pan moves two pictures that are painted already; at rest there is none, which a zoom would blur", async () => {
    const { page, go } = await web.open({ size: { width: 1440, height: 900 } });
    await go("/w/looks.flow.yaml");
    await page.locator('.react-flow__node[data-id="call"]').waitFor();
    const kept = (): Promise<string[]> =>
      page.evaluate(() =>
        [".react-flow__viewport", ".dots"].map((part) => getComputedStyle(document.querySelector(part)!).willChange),
      );
    /** How far the ground reaches over each edge of its frame. */
    const over = (): Promise<number[]> =>
      page.evaluate(() => {
        const [ground, frame] = [".dots", ".react-flow"].map((part) =>
          document.querySelector(part)!.getBoundingClientRect(),
        ) as [DOMRect, DOMRect];
        return [
          ...[frame.left - ground.left, frame.top - ground.top],
          ...[ground.right - frame.right, ground.bottom - frame.bottom],
        ];
      });
    expect(await kept()).toEqual(["auto", "auto"]);
    await page.mouse.move(700, 300);
    await page.mouse.down({ button: "middle" });
    for (const [x, y] of [
      [731, 317],
      [300, 420],
      [690, 199],
    ] as const) {
      await page.mouse.move(x, y);
      expect(await kept()).toEqual(["transform", "transform"]);
      for (const reach of await over()) expect(reach).toBeGreaterThanOrEqual(0);
    }
    await page.mouse.up({ button: "middle" });
    await expect.poll(kept).toEqual(["auto", "auto"]);
    await page.mouse.wheel(0, -300);
    for (const reach of await over()) expect(reach).toBeGreaterThanOrEqual(0);
  });
}
