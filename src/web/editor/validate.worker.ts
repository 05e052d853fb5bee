// validate.worker: checks a document in a thread of its own, so that nobody who types waits for it; what an edit did not touch is not
// checked anew (spec ui.md 6.8).

import { keptFromBefore } from "../../workflow/kept.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import { foundAhead } from "./ahead.ts";
import type { Checked, ToCheck } from "./validator.ts";

const kept = keptFromBefore();
let before: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<ToCheck>) => {
  before = before.then(async () => self.postMessage(await answer(data)));
};

async function answer({ number, text, file, typed }: ToCheck): Promise<Checked> {
  if (typed !== undefined) return { number, foreseen: await foundAhead(text, file, typed, kept) };
  const { diagnostics } = await validateWorkflow(text, file, { kept });
  return { number, diagnostics };
}
