// validate.worker: checks a document in its own thread, so that typing never waits for it.

import { validateWorkflow } from "../../workflow/validate.ts";
import type { Checked, ToCheck } from "./validator.ts";

self.onmessage = async ({ data: { number, text, file } }: MessageEvent<ToCheck>) => {
  const { diagnostics } = await validateWorkflow(text, file);
  self.postMessage({ number, diagnostics } satisfies Checked);
};
