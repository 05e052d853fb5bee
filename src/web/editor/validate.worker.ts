// validate.worker: checks a document in a thread of its own, so that nobody who types waits for it; what an edit did not touch is not
// checked anew (spec ui.md 6.8).

import { keptFromBefore } from "../../workflow/kept.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import type { Checked, ToCheck } from "./validator.ts";

const kept = keptFromBefore();

self.onmessage = async ({ data }: MessageEvent<ToCheck>) => {
  const { diagnostics } = await validateWorkflow(data.text, data.file, { kept });
  self.postMessage({ number: data.number, diagnostics } satisfies Checked);
};
