// canvas: opening, moving and editing drawings of 100, 1,000 and 5,000 nodes.

import type { Page } from "playwright-core";
import { bestOf } from "./frames.ts";
import { openPlace, type Place } from "./place.ts";
import { least, long, most, quantile, quick, type Row } from "./row.ts";

const NODE = ".react-flow__node";

export const canvas = {
  canvas: () =>
    inPlace(quick ? [100, 1_000] : [100, 1_000, 5_000], async (place, sizes) => {
      const empty = (await bestOf(place, TRIES, 1, async () => {})).frames;
      const rows: Row[] = [];
      for (const size of sizes) rows.push(...(await ofSize(place, size, empty)));
      return rows;
    }),
  typing: () =>
    inPlace([100, 1_000], async (place, sizes) => {
      const rows: Row[] = [];
      for (const size of sizes) rows.push(...(await typing(place, size)));
      return rows;
    }),
  edits: () => inPlace([100], async (place) => [await edits(place)]),
};

/** Everything that is loaded on demand is, before anything is timed. */
async function inPlace(sizes: number[], ask: (place: Place, sizes: number[]) => Promise<Row[]>): Promise<Row[]> {
  const place = await openPlace();
  try {
    for (const size of sizes) place.write(`n${size}.flow.yaml`, drawing(size));
    await opened(place, 100);
    return await ask(place, sizes);
  } finally {
    await place.close();
  }
}

const OPEN_MS: Record<number, number> = { 100: 700, 1000: 1_500, 5000: 3_000 };

async function ofSize(place: Place, size: number, empty: number): Promise<Row[]> {
  const { page } = place;
  const openMs: number[] = [];
  let before = 0;
  for (let n = 0; n < TRIES; n += 1) {
    await place.go("/doctor");
    await page
      .getByRole("heading", { name: /doctor/i })
      .first()
      .waitFor();
    before = await place.heap();
    openMs.push(await opened(place, size));
  }
  const rows = [most(`open a workflow of ${size} nodes`, Math.min(...openMs), OPEN_MS[size]!, "ms")];
  if (size === 100) return rows;
  await page.keyboard.press("Shift+2");
  const control = (stepMs: number) => `an empty page ${empty.toFixed(0)}; ${stepMs.toFixed(1)} ms of work a step`;
  const panned = await bestOf(place, TRIES, STEPS, () => pan(page, 300));
  rows.push(least("  pan, zoom 1", panned.frames, size === 1_000 ? 50 : 40, "frames/s", control(panned.stepMs)));
  if (size !== 1_000) return rows;
  const dragged = await bestOf(place, TRIES, STEPS, () => drag(page));
  rows.push(least("  drag a node, zoom 1", dragged.frames, 50, "frames/s", control(dragged.stepMs)));
  const elements = Number(await page.evaluate("document.querySelectorAll('*').length"));
  rows.push(most("  elements in the document", elements, 3_000, ""));
  rows.push(most("  memory over a screen without a drawing", ((await place.heap()) - before) / 1e6, 40, "MB"));
  await page.keyboard.press("Shift+1");
  await page.waitForFunction(`document.querySelectorAll("${NODE}").length === ${size}`);
  const far = await bestOf(place, TRIES, STEPS, () => pan(page, 60));
  rows.push(least("  all of them on the screen", far.frames, 30, "frames/s", control(far.stepMs)));
  return rows;
}

const TRIES = quick ? 1 : 3;
const STEPS = quick ? 63 : 126;

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

/** With the middle button, back and forth, and back to where it began. */
async function pan(page: Page, wide: number): Promise<void> {
  await page.mouse.move(700, 300);
  await page.mouse.down({ button: "middle" });
  for (let at = 1; at <= STEPS; at += 1)
    await page.mouse.move(700 + wide * Math.sin(at / 10), 300 + (wide / 2) * Math.sin(at / 5));
  await page.mouse.up({ button: "middle" });
}

/** The node in the middle, around its place; it is put back by undo. */
async function drag(page: Page): Promise<void> {
  const box = await page.locator(NODE).nth(5).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let at = 1; at <= STEPS; at += 1) await page.mouse.move(x + 40 * Math.sin(at / 10), y + 30 * Math.sin(at / 5));
  await page.mouse.up();
  await page.keyboard.press("Control+z");
}

/**
 * From a key to the next frame, in a command of the inspector; from the last key until what is wrong is underlined, and until it is said in
 * words below the field and in the list of problems.
 */
async function typing(place: Place, size: number): Promise<Row[]> {
  const { page } = place;
  await opened(place, size);
  await page.keyboard.press("Control+j");
  await page.locator(NODE).first().click();
  const editor = page.locator(".cm-content").first();
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.evaluate(`window.__keys = [];
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.name === "keydown") window.__keys.push(e.processingEnd - e.startTime); })
      .observe({ type: "event", durationThreshold: 16, buffered: false });
    window.__all = 0; addEventListener("keydown", () => { window.__all++; window.__from = performance.now(); }, true)`);
  const workedMs = await place.taskMs();
  await page.keyboard.type(" --header 'Accept: application/json' ".repeat(quick ? 2 : 6), { delay: 20 });
  const slow = (await page.evaluate("window.__keys")) as number[];
  const all = Number(await page.evaluate("window.__all"));
  const keyMs = ((await place.taskMs()) - workedMs) / all;
  // Only those that took longer than 16 ms, with painting, are told: all others are below.
  const worst = slow.length < all / 20 ? 16 : quantile(slow, 0.95);
  const what = `a key in the command editor, ${size} nodes (95 of 100)`;
  const rows = [most(what, worst, 16, "ms", `${keyMs.toFixed(1)} ms of work of the page a key`)];
  const lints: number[] = [];
  const words: number[] = [];
  const isMarked = `[...document.querySelectorAll(".cm-lintRange")].some((mark) => mark.textContent.includes("nobody"))`;
  const isSaid = `["aside[aria-label=Inspector]", "ul[aria-label=Problems]"].every((part) => document.querySelector(part)?.textContent.includes("nothing sets it"))`;
  for (let n = 0; n < TRIES; n += 1) {
    await page.evaluate(`window.__from = performance.now(); window.__until = (is) => new Promise((done) => {
      const look = () => is() || performance.now() - window.__from > 15_000 ? done(performance.now() - window.__from) : requestAnimationFrame(look); look(); });
      window.__shown = window.__until(() => ${isMarked}); window.__said = window.__until(() => ${isSaid}); undefined`);
    await page.keyboard.insertText(" ${nobody}");
    lints.push(Number(await page.evaluate("window.__shown")));
    words.push(Number(await page.evaluate("window.__said")));
    for (let back = 0; back < 10; back += 1) await page.keyboard.press("Backspace");
    await page.waitForFunction(`!${isMarked} && !(${isSaid})`);
  }
  return [
    ...rows,
    most("  what is wrong is underlined after", Math.min(...lints), 300, "ms"),
    most("  and said in words, below it and in the list", Math.min(...words), 300, "ms"),
  ];
}

/** `--long`: ten minutes of work; otherwise the same in short: pan, zoom, add, delete, undo. */
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
  const until = performance.now() + (long ? 600_000 : 0);
  let done = 0;
  for (; done < rounds || performance.now() < until; done += 1) await round();
  const grown = (100 * ((await place.heap()) - before)) / before;
  const what = `memory after ${done} rounds of pan, zoom, add, delete, undo`;
  return most(what, grown, 10, "%", `of ${(before / 1e6).toFixed(0)} MB`);
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
