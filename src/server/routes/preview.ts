// preview: what a document would run, rendered; nothing is executed.

import type { Handlers } from "../call.ts";

export const previewRoutes: Partial<Handlers> = {};
