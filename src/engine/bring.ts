// bring: gets files of a run that another machine of the cluster made. On one machine it does nothing.

import type { Store } from "../store/index.ts";

const VALUES = /"file":"([^"\\]+)"/g;
const ALL = /"(?:file|stdoutFile|stderrFile)":"([^"\\]+)"/g;

/** The values that `named` names, and with `outputs` what was printed. Their readers report missing ones. */
export async function bringNamed(run: string, named: unknown, store: Store, outputs?: "outputs"): Promise<void> {
  if (store.bring === undefined) return;
  const found = JSON.stringify(named).matchAll(outputs === undefined ? VALUES : ALL);
  const files = new Set([...found].map(([, file]) => file!));
  for (const file of outputs === undefined ? [] : [...files]) files.add(file.replace(/\.out$/, ".ord"));
  await store.bring(run, [...files]);
}
