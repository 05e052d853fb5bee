// runs: runs: start, list, look into, cancel, resume, retry, remove.

import type { Handlers } from "../call.ts";

export const runRoutes: Partial<Handlers> = {};
