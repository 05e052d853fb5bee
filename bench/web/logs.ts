// logs: outputs too large to be read whole: a gigabyte, a million lines, four thousand lines a second while they are followed.

import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FRAMES, framesFrom } from "./frames.ts";
import { openPlace, type Place } from "./place.ts";
import { least, most, quantile, quick, type Row } from "./row.ts";

const GIGABYTE = quick ? 100_000_000 : 1_000_000_000;
const MILLION = quick ? 100_000 : 1_000_000;
const FOLLOW_S = quick ? 4 : 12;
/** Each 10 ms 40 lines that say when they were written. */
const FAST = `let n = 0; const t = setInterval(() => { let s = \\"\\"; for (let i = 0; i < 40; i++) s += \\"tick \\" + ++n + \\" at \\" + Date.now() + \\"\\\\n\\"; process.stdout.write(s); if (n >= ${FOLLOW_S * 4_000}) clearInterval(t); }, 10)`;
const FLOWS = {
  small: 'content: "echo one"',
  million: `content: "seq -f 'line %.0f of very many' ${MILLION}"`,
  fast: `content: "node -e '${FAST}'"`,
};

export const logs = {
  logs: async (): Promise<Row[]> => {
    const place = await openPlace();
    try {
      for (const [name, data] of Object.entries(FLOWS))
        place.write(
          `${name}.flow.yaml`,
          `curlew: 1\nname: ${name}\nnodes:\n  - { id: print, type: cli, data: { title: Print, ${data} } }\n`,
        );
      // What the screen loads on demand is loaded.
      await shown(place, await run(place, "small"), "one");
      return [...(await gigabyte(place)), await million(place), ...(await followed(place))];
    } finally {
      await place.close();
    }
  },
};

async function run(place: Place, name: string, wait = "?wait=120"): Promise<string> {
  return ((await place.api("POST", `/workflows/${name}.flow.yaml/runs${wait}`, {})) as { id: string }).id;
}

/** Milliseconds until a line stands there. */
async function shown(place: Place, id: string, text: string): Promise<number> {
  const { page } = place;
  await place.go("/doctor");
  await page
    .getByRole("heading", { name: /doctor/i })
    .first()
    .waitFor();
  await page.evaluate("window.__from = performance.now()");
  await place.go(`/runs/${id}?node=print`);
  await page.getByRole("log").getByText(text).first().waitFor();
  return since(place);
}

async function since({ page }: Place): Promise<number> {
  return Number(await page.evaluate("performance.now() - window.__from"));
}

async function gigabyte(place: Place): Promise<Row[]> {
  const { page } = place;
  const id = await run(place, "small");
  const lines = write(place, id);
  const before = await place.heap();
  const open = await shown(place, id, `row ${lines} of`);
  await page
    .getByText(new RegExp(`^${lines.toLocaleString("en")} lines|^${lines} lines`))
    .waitFor({ timeout: 120_000 });
  const counted = await since(place);
  const memory = (await place.heap()) - before;
  const half = Math.floor(lines / 2);
  await page.evaluate("window.__from = performance.now()");
  await place.go(`/runs/${id}?node=print&line=${half}`);
  await page.getByRole("log").getByText(`row ${half} of`).first().waitFor();
  const jump = await since(place);
  const name = `an output of ${(GIGABYTE / 1e9).toFixed(1)} GB opens at its end`;
  return [
    most(name, open, 500, "ms"),
    { what: "  all its lines have true numbers", figure: `${counted.toFixed(0)} ms, ${lines} lines`, reach: "" },
    most("  its memory", memory / 1e6, 80, "MB"),
    { what: "  the line in its middle, by its address", figure: `${jump.toFixed(0)} ms`, reach: "" },
  ];
}

/** In place of what the run has printed. */
function write(place: Place, id: string): number {
  const folder = join(place.home, "runs", id);
  const fd = openSync(join(folder, readdirSync(folder).find((name) => name.endsWith(".out"))!), "w");
  let bytes = 0;
  let lines = 0;
  while (bytes < GIGABYTE) {
    let text = "";
    for (let n = 0; n < 10_000; n += 1)
      text += `row ${++lines} of a large output that somebody wants to read to its end\n`;
    bytes += writeSync(fd, text);
  }
  closeSync(fd);
  return lines;
}

/** From the last key to the match on the screen. */
async function million(place: Place): Promise<Row> {
  const { page } = place;
  await shown(place, await run(place, "million"), `line ${MILLION} of`);
  await page.evaluate("window.__from = performance.now()");
  await page.getByRole("searchbox", { name: "Search the output" }).fill(`line ${MILLION - 500} of`);
  await page.getByRole("log").locator("mark").first().waitFor();
  return most(`the last of ${MILLION} lines is found and shown`, await since(place), 3_000, "ms");
}

async function followed(place: Place): Promise<Row[]> {
  const { page } = place;
  const id = await run(place, "fast", "");
  await place.go(`/runs/${id}?node=print`);
  await page.getByRole("log").getByText("tick").first().waitFor();
  const from = await place.taskMs();
  await page.evaluate(FRAMES);
  await page.evaluate(`window.__late = []; window.__longest = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) window.__longest = Math.max(window.__longest, e.duration); }).observe({ type: "longtask" });
    window.__looks = setInterval(() => { const all = [...document.querySelectorAll("[role=log] [data-index]")].map((row) => Number(/ at (\\d+)/.exec(row.textContent)?.[1] ?? 0)); window.__late.push(Date.now() - Math.max(...all)); }, 250)`);
  await page.waitForTimeout((FOLLOW_S - 2) * 1_000);
  const { frames } = await framesFrom(page);
  const busy = ((await place.taskMs()) - from) / ((FOLLOW_S - 2) * 10);
  const late = (await page.evaluate("clearInterval(window.__looks); window.__late")) as number[];
  const longest = Number(await page.evaluate("window.__longest"));
  await page
    .getByRole("log")
    .getByText(`tick ${FOLLOW_S * 4_000} at`)
    .waitFor();
  return [
    least("followed at 4,000 lines a second", frames, 30, "frames/s", `busy ${busy.toFixed(0)} %`),
    most("  its longest task", longest, 200, "ms"),
    most("  a line is on the screen after (95 of 100)", quantile(late, 0.95), 1_000, "ms"),
  ];
}
