// validate.worker: checks a workflow in its own thread, so that typing never waits for the checks.

import { validateWorkflow } from "../../workflow/validate.ts";
import type { ToCheck } from "./validator.ts";

self.onmessage = async ({ data: { text, file } }: MessageEvent<ToCheck>) => {
  self.postMessage((await validateWorkflow(text, file)).diagnostics);
};
