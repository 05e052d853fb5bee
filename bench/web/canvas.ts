// canvas: opening, moving and editing drawings of 100, 1,000 and 5,000 nodes.

import type { Page } from "playwright-core";
import { openPlace, type Place } from "./place.ts";
import { least, most, quantile, quick, type Row } from "./row.ts";

const NODE = ".react-flow__node";

export const canvas = {
  canvas: async (): Promise<Row[]> => {
    const place = await openPlace();
    try {
      const sizes = quick ? [100, 1_000] : [100, 1_000, 5_000];
      for (const size of sizes) place.write(`n${size}.flow.yaml`, drawing(size));
      // Everything that is loaded on demand is, before anything is timed.
      await opened(place, 100);
      const empty = await framesWhile(place.page, async () => {});
      const rows: Row[] = [];
      for (const size of sizes) rows.push(...(await ofSize(place, size, empty)));
      rows.push(...(await typing(place)), await edits(place));
      return rows;
    } finally {
      await place.close();
    }
  },
};

const OPEN_MS: Record<number, number> = { 100: 700, 1000: 1_500, 5000: 3_000 };

async function ofSize(place: Place, size: number, empty: number): Promise<Row[]> {
  await place.go("/doctor");
  await place.page
    .getByRole("heading", { name: /doctor/i })
    .first()
    .waitFor();
  const before = await place.heap();
  const openMs = await opened(place, size);
  const rows = [most(`open a workflow of ${size} nodes`, openMs, OPEN_MS[size]!, "ms")];
  if (size === 100) return rows;
  await place.page.keyboard.press("Shift+2");
  const panned = await framesWhile(place.page, () => pan(place.page));
  const control = `an empty page ${empty.toFixed(0)}`;
  rows.push(least("  pan, zoom 1", panned, size === 1_000 ? 50 : 40, "frames/s", control));
  if (size !== 1_000) return rows;
  const elements = Number(await place.page.evaluate("document.querySelectorAll('*').length"));
  rows.push(most("  elements in the document", elements, 3_000, ""));
  rows.push(most("  memory over a screen without a drawing", ((await place.heap()) - before) / 1e6, 40, "MB"));
  await place.page.keyboard.press("Shift+1");
  rows.push(
    least("  all of them on the screen", await framesWhile(place.page, () => pan(place.page)), 30, "frames/s", control),
  );
  return rows;
}

/** Until nodes stand there and two frames have passed. */
async function opened(place: Place, size: number): Promise<number> {
  await place.go("/");
  await place.page.getByText(`n${size}.flow.yaml`).first().waitFor();
  await place.page.evaluate("window.__from = performance.now()");
  await place.go(`/w/n${size}.flow.yaml`);
  await place.page.waitForSelector(NODE);
  const until =
    "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(performance.now() - window.__from))))";
  return Number(await place.page.evaluate(until));
}

/** Frames a second while something is done, of the page's own count. */
async function framesWhile(page: Page, what: () => Promise<void>): Promise<number> {
  await page.evaluate(`window.__frames = 0; window.__stop = false; window.__since = performance.now();
    requestAnimationFrame(function count() { window.__frames++; if (!window.__stop) requestAnimationFrame(count); })`);
  await what();
  await page.waitForFunction("performance.now() - window.__since > 1500");
  return Number(
    await page.evaluate("window.__stop = true; window.__frames / ((performance.now() - window.__since) / 1000)"),
  );
}

/** With the middle button, back and forth. */
async function pan(page: Page): Promise<void> {
  const steps = quick ? 60 : 150;
  await page.mouse.move(700, 300);
  await page.mouse.down({ button: "middle" });
  for (let at = 0; at < steps; at += 1)
    await page.mouse.move(700 + 300 * Math.sin(at / 10), 300 + 150 * Math.cos(at / 10));
  await page.mouse.up({ button: "middle" });
}

/** From a key to the next frame, in a command of the inspector. */
async function typing(place: Place): Promise<Row[]> {
  const { page } = place;
  await opened(place, 100);
  await page.locator(NODE).first().click();
  const editor = page.locator(".cm-content").first();
  await editor.click();
  await page.evaluate(`window.__keys = [];
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.name === "keydown") window.__keys.push(e.processingEnd - e.startTime); })
      .observe({ type: "event", durationThreshold: 16, buffered: false });
    window.__all = 0; addEventListener("keydown", () => window.__all++, true)`);
  await page.keyboard.type(" --header 'Accept: application/json' ".repeat(quick ? 2 : 6), { delay: 20 });
  const slow = (await page.evaluate("window.__keys")) as number[];
  const all = Number(await page.evaluate("window.__all"));
  // Only those that took longer than 16 ms, with painting, are told: all others are below.
  const worst = slow.length < all / 20 ? 16 : quantile(slow, 0.95);
  return [most("a key in the command editor (95 of 100)", worst, 16, "ms", `${slow.length} of ${all} took longer`)];
}

/** Ten minutes of work in short: pan, zoom, add, delete, undo. */
async function edits(place: Place): Promise<Row> {
  const { page } = place;
  await opened(place, 100);
  const round = async (): Promise<void> => {
    await page.mouse.click(700, 520);
    await page.mouse.move(700, 300);
    await page.mouse.wheel(0, 200);
    await page.mouse.wheel(0, -200);
    await page.locator(NODE).first().click();
    await page.keyboard.press("Control+d");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
  };
  const rounds = quick ? 10 : 60;
  for (let at = 0; at < rounds / 2; at += 1) await round();
  const before = await place.heap();
  for (let at = 0; at < rounds; at += 1) await round();
  const grown = (100 * ((await place.heap()) - before)) / before;
  return most(
    `memory after ${rounds} rounds of pan, zoom, add, delete, undo`,
    grown,
    10,
    "%",
    `of ${(before / 1e6).toFixed(0)} MB`,
  );
}

function drawing(size: number): string {
  const wide = Math.ceil(Math.sqrt(size));
  const nodes = Array.from(
    { length: size },
    (_, at) =>
      `  - { id: n${at}, type: cli, data: { title: Step ${at}, content: "curl --fail --silent https://api.example/items/${at}" } }`,
  );
  const edges = Array.from({ length: size - 1 }, (_, at) => `  - n${at} -> n${at + 1}`);
  const layout = Array.from(
    { length: size },
    (_, at) => `  n${at}: [${(at % wide) * 300}, ${Math.floor(at / wide) * 140}]`,
  );
  return `curlew: 1\nname: ${size} nodes\nnodes:\n${nodes.join("\n")}\nedges:\n${edges.join("\n")}\nlayout:\n${layout.join("\n")}\n`;
}
