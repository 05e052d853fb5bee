// history: the list of runs when there are very many.

import { newRunId } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/index.ts";
import { openPlace, type Place } from "./place.ts";
import { most, quick, type Row } from "./row.ts";

const RUNS = quick ? 5_000 : 100_000;
const ROW = "[role=grid] [role=row]";

export const history = {
  history: async (): Promise<Row[]> => {
    const place = await openPlace(fill);
    try {
      // What the screen loads on demand is loaded.
      await shown(place, "/runs", "waits");
      await place.go("/");
      const first = await shown(place, "/runs", "waits");
      const filtered = await shown(place, "/runs?status=failed", "fails");
      return [most(`first page of ${RUNS} runs`, first, 200, "ms"), most("  a filter over them", filtered, 300, "ms")];
    } finally {
      await place.close();
    }
  },
};

/** Until the newest row that belongs there has been drawn. */
async function shown(place: Place, path: string, name: string): Promise<number> {
  await place.page.evaluate("window.__from = performance.now()");
  await place.go(path);
  await place.page.locator(ROW, { hasText: name }).first().waitFor();
  return Number(await place.page.evaluate("performance.now() - window.__from"));
}

/** Every hundredth has failed; the newest waits. */
function fill(home: string): void {
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  for (let n = 0; n <= RUNS; n += 1) {
    const atMs = Date.UTC(2026, 0, 1) + n * 1_000;
    const status = n === RUNS ? "waiting" : n % 100 === 0 ? "failed" : "succeeded";
    const name = { waiting: "waits", failed: "fails", succeeded: "works" }[status];
    const startedAt = new Date(atMs).toISOString();
    const id = newRunId(atMs, new Uint8Array(11).fill(n % 32));
    const row = {
      id,
      name,
      file: `/flows/${name}.flow.yaml`,
      trigger: { kind: "cli" as const },
      startedAt,
      status,
    } as const;
    const made = store.value.journal.createRun(row);
    if (!made.ok) throw new Error(made.error.message);
  }
  store.value.close();
}
