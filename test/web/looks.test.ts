// Every screen as others see it: at 200 % (one way to scroll), and by the Tab key alone (the focus is always visible).

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { fits, inBrowser, type View } from "./browser.ts";
import { ASKS, FAILS, HELLO } from "./flows.ts";
import { tabRound } from "./readable.ts";
import { TOUR } from "./run-flows.ts";

const TRIGGERED = `curlew: 1
name: Triggered
secrets: [HOOK_SECRET, MISSING_ONE]
on:
  - webhook: { path: push, verify: token, secret: HOOK_SECRET }
  - schedule: { cron: "0 9 * * mon-fri", timezone: Europe/Berlin }
  - file: { paths: ["inbox/*.json"] }
nodes:
  - { id: t, type: text, data: { title: t, content: done } }
`;
const LONG = "A-very-long-name-without-any-space-that-goes-on-and-on-".repeat(4);
const FILES = {
  ".env": "HOOK_SECRET=hook-value-9d\n",
  "hello.flow.yaml": HELLO,
  "asks.flow.yaml": ASKS,
  "fails.flow.yaml": FAILS,
  "tour.flow.yaml": TOUR,
  "triggered.flow.yaml": TRIGGERED,
  "long.flow.yaml": HELLO.replace("Hello", LONG).replace("Greet", LONG),
};

if (has("chromium")) {
  const web = inBrowser(FILES);

  test("at 200 % nothing scrolls two ways, and names have room", async () => {
    const view = await web.open({ size: { width: 640, height: 400 } });
    const { page, go } = view;
    for (const [path, ready] of Object.entries(await screens(view))) {
      await go(path);
      await page.locator(ready).first().waitFor({ state: "attached" });
      await fits(page);
      expect(await page.evaluate(cut), `${path}: cut off at the side`).toEqual([]);
      expect(await page.evaluate(wider), `${path}: the page scrolls sideways`).toEqual([]);
    }
    await go("/");
    const name = page.getByRole("link", { name: "Hello", exact: true });
    expect((await name.locator("..").boundingBox())!.width).toBeGreaterThan(200);
    await go("/runs");
    const cell = page.getByRole("link", { name: "Hello", exact: true }).first();
    expect((await cell.boundingBox())!.width).toBeGreaterThan(30);
  });

  test("controls that belong together share a line, and a failed node is named once", async () => {
    const view = await web.open();
    const { page, go } = view;
    const of = await startedRuns(view);
    const inOneLine = async (...all: Locator[]) => {
      const tops = await Promise.all(all.map(async (one) => (await one.boundingBox())!.y));
      expect(Math.max(...tops) - Math.min(...tops), tops.join(" ")).toBeLessThan(8);
    };
    await go("/runs");
    const filters = page.getByRole("search", { name: "Filters" });
    await inOneLine(filters.getByLabel("Text in name, file or id"), filters.getByLabel("Node that failed"));
    await inOneLine(filters.getByRole("group", { name: "Time" }), filters.getByLabel("Order"));

    await go(`/runs/${of("Asks")}?node=gate`);
    const [approve, reject] = ["Approve", "Reject…"].map((name) => page.getByRole("button", { name, exact: true }));
    await approve!.waitFor();
    await inOneLine(approve!, reject!);
    const edge = page.getByRole("separator", { name: "Width of the details" });
    for (let presses = 0; presses < 12; presses++) await edge.press("ArrowRight");
    await inOneLine(approve!, page.getByRole("button", { name: "Edit and approve" }), reject!);

    await go(`/runs/${of("Fails")}?node=broken`);
    await page.getByRole("article", { name: "Broken failed" }).waitFor();
    expect(await page.getByRole("heading", { name: /Broken/ }).count()).toBe(1);
  });

  test("the Tab key goes once around every kind of screen, and the focus is always visible", {
    timeout: 180_000,
  }, async () => {
    const view = await web.open();
    const { page, go } = view;
    const seen = new Set<string>();
    for (const [path, ready] of Object.entries(await screens(view))) {
      // One of each kind: a run, a comparison.
      const kind = path.replace(/\?.*/, "").replace(/^\/runs\/(?!compare).*/, "run");
      if (seen.has(kind)) continue;
      seen.add(kind);
      await go(path);
      await page.locator(ready).first().waitFor();
      const { stops, wrong } = await tabRound(page);
      expect(wrong, path).toEqual([]);
      expect(stops, path).toBeGreaterThan(8);
    }
  });
}

/** The id of a run by the name of its workflow. The first call starts one of each. */
async function startedRuns({ server }: View): Promise<(name: string) => string> {
  const runs = async () =>
    ((await (await server.api("GET", "/runs")).json()) as { items: { id: string; workflow: string }[] }).items;
  if ((await runs()).length === 0)
    for (const name of ["hello", "asks", "fails", "tour", "long"])
      await server.api("POST", `/workflows/${name}.flow.yaml/runs?wait=20`);
  const all = await runs();
  return (name) => all.find(({ workflow }) => workflow === name)!.id;
}

/** With what must be there first. */
async function screens(view: View): Promise<Record<string, string>> {
  const of = await startedRuns(view);
  return {
    "/": "text=hello.flow.yaml",
    "/w/tour.flow.yaml?node=fetch": "[data-id=fetch]",
    "/w/hello.flow.yaml?view=source": ".cm-content",
    [`/runs/${of("Tour")}?node=fetch`]: 'text="Value"',
    [`/runs/${of("Tour")}?tab=timeline`]: "text=Summarise",
    [`/runs/${of("Fails")}`]: "text=The command exited with code 3",
    [`/runs/${of("Asks")}`]: "article h2",
    [`/runs/${of(LONG)}`]: "text=Ran exactly this",
    "/runs": "text=hello.flow.yaml",
    [`/runs/compare?a=${of("Hello")}&b=${of("Fails")}`]: "text=/difference/",
    [`/runs/compare?a=${of("Fails")}&b=${of(LONG)}`]: "text=/difference/",
    "/inbox": "article h2",
    "/triggers": "text=At 09:00",
    "/secrets": "text=MISSING_ONE",
    "/doctor": "text=In order",
    "/settings": "text=Days to keep",
  };
}

/** In the page: a place that is wider than its window. */
function wider(): string[] {
  return [...document.querySelectorAll("main > *")]
    .filter((place) => place.scrollWidth > place.clientWidth && !/hidden|clip/.test(getComputedStyle(place).overflowX))
    .map((place) => `${place.scrollWidth} of ${place.clientWidth}`);
}

/** In the page: buttons outside the window, in nothing that scrolls sideways. */
function cut(): string[] {
  return [...document.querySelectorAll("button, a, input, select, textarea")].flatMap((one) => {
    const { right, left, width } = one.getBoundingClientRect();
    if (width === 0 || (right <= innerWidth + 1 && left >= -1)) return [];
    for (let at = one.parentElement; at !== null; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) || at.matches(".react-flow")) return [];
    return [`${one.getAttribute("aria-label") ?? one.textContent} ${Math.round(left)}-${Math.round(right)}`];
  });
}
