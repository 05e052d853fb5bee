// events: events as SSE, of one run and of everything (spec 2.4).

import type { Handlers } from "../call.ts";

export const eventRoutes: Partial<Handlers> = {};
