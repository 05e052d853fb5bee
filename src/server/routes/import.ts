// import: a pasted curl command or another tool's document as a workflow.

import type { Handlers } from "../call.ts";

export const importRoutes: Partial<Handlers> = {};
