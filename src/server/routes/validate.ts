// validate: diagnostics of a document.

import type { Handlers } from "../call.ts";

export const validateRoutes: Partial<Handlers> = {};
