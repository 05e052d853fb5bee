// live: a run while it is watched: how soon an event is seen, what many of them cost, how a long output opens.

import { openPlace, type Place } from "./place.ts";
import { most, quantile, quick, type Row } from "./row.ts";

const LINES = quick ? 20_000 : 100_000;

const STEPS = 12;
const SLOW = `curlew: 1
name: Slow
nodes:
${Array.from({ length: STEPS }, (_, at) => `  - { id: s${at}, type: cli, data: { title: Step ${at}, content: sleep ${at === 0 ? 2 : 0.15} } }`).join("\n")}
edges: [${Array.from({ length: STEPS }, (_, at) => `s${at}`).join(" -> ")}]
layout:
${Array.from({ length: STEPS }, (_, at) => `  s${at}: [${(at % 4) * 280}, ${Math.floor(at / 4) * 120}]`).join("\n")}
`;
const FAST = `curlew: 1
name: Fast
nodes:
  - { id: loop, type: loop-start, data: { title: Loop, iterations: ${quick ? 200 : 1_000} } }
  - { id: a, type: text, data: { title: A, content: "\${i}" } }
  - { id: b, type: text, data: { title: B, content: "\${1}" } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [loop -> a -> b -> end]
`;
const LONG = `curlew: 1
name: Long
nodes:
  - { id: print, type: cli, data: { title: Print, content: "seq -f 'line %.0f of a long output that somebody wants to read' ${LINES}" } }
`;

export const live = {
  live: async (): Promise<Row[]> => {
    const place = await openPlace();
    try {
      for (const [name, text] of Object.entries({ slow: SLOW, fast: FAST, long: LONG }))
        place.write(`${name}.flow.yaml`, text);
      await watched(place, await begun(place, "fast"), "succeeded");
      return [await eventToPixel(place), await manyChanges(place), ...(await longOutput(place))];
    } finally {
      await place.close();
    }
  },
};

async function begun(place: Place, name: string, wait = ""): Promise<string> {
  return ((await place.api("POST", `/workflows/${name}.flow.yaml/runs${wait}`, {})) as { id: string }).id;
}

async function watched(place: Place, run: string, until: string): Promise<void> {
  await place.go(`/runs/${run}`);
  await place.page.getByText(until).first().waitFor();
}

/**
 * The server's clock and the page's are one: both run here. A state counts as seen two frames after it stands in the document. While the
 * first step lasts, the page opens: what ended before it stood there would be a figure of the opening.
 */
async function eventToPixel(place: Place): Promise<Row> {
  const { page } = place;
  await page.evaluate(`window.__seen = {};
    new MutationObserver(() => {
      for (const node of document.querySelectorAll(".react-flow__node")) {
        const key = node.getAttribute("data-id") + (/succeeded|\\bms\\b|\\d s/.test(node.textContent) && !/running|queued/.test(node.textContent) ? ":ended" : "");
        if (!(key in window.__seen) && key.endsWith(":ended")) requestAnimationFrame(() => requestAnimationFrame(() => { window.__seen[key] ??= Date.now(); }));
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
  const run = await begun(place, "slow");
  await place.go(`/runs/${run}`);
  await page.waitForFunction(`Object.keys(window.__seen).length >= ${STEPS}`);
  await page.getByText(`${STEPS}/${STEPS} nodes`).waitFor();
  const seen = (await page.evaluate("window.__seen")) as Record<string, number>;
  const events = (await eventsOf(place, run)).filter(({ type }) => type === "attempt.succeeded");
  const delays = events.flatMap(({ path, at }) => {
    const shown = seen[`${path}:ended`];
    return shown === undefined ? [] : [shown - Date.parse(at)];
  });
  return most(
    "from an event to the screen (95 of 100)",
    quantile(delays, 0.95),
    100,
    "ms",
    `${delays.length} of ${events.length} seen`,
  );
}

async function eventsOf(place: Place, run: string): Promise<{ type: string; path: string; at: string }[]> {
  const answer = (await place.api("GET", `/runs/${run}`)) as {
    nodes: { path: string; attempts: { endedAt: string }[] }[];
  };
  return answer.nodes.flatMap(({ path, attempts }) =>
    attempts.map(({ endedAt }) => ({ type: "attempt.succeeded", path, at: endedAt })),
  );
}

async function manyChanges(place: Place): Promise<Row> {
  const { page } = place;
  const run = await begun(place, "fast");
  await page.evaluate(`window.__long = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) window.__long = Math.max(window.__long, e.duration); }).observe({ type: "longtask" })`);
  await watched(place, run, "succeeded");
  return most("longest task while thousands of states change", Number(await page.evaluate("window.__long")), 200, "ms");
}

async function longOutput(place: Place): Promise<Row[]> {
  const { page } = place;
  const run = await begun(place, "long", "?wait=30");
  await place.go("/doctor");
  await page
    .getByRole("heading", { name: /doctor/i })
    .first()
    .waitFor();
  const before = await place.heap();
  await page.evaluate("window.__from = performance.now()");
  await place.go(`/runs/${run}`);
  await page.getByText(`line ${LINES} of`).first().waitFor();
  const mountMs = Number(await page.evaluate("performance.now() - window.__from"));
  return [
    most(`a run with an output of ${LINES} lines opens at its end`, mountMs, 500, "ms"),
    most("  its memory", ((await place.heap()) - before) / 1e6, 80, "MB"),
  ];
}
