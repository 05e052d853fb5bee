// validate.worker: checks a document in a thread of its own, so that nobody who types waits for it (spec ui.md 6.8).

import { validateWorkflow } from "../../workflow/validate.ts";
import type { Checked, ToCheck } from "./validator.ts";

self.onmessage = async ({ data }: MessageEvent<ToCheck>) => {
  const { diagnostics } = await validateWorkflow(data.text, data.file);
  self.postMessage({ number: data.number, diagnostics } satisfies Checked);
};
