// triggers: schedules, webhooks and file watches (spec 2.5).

import type { Handlers } from "../call.ts";

export const triggerRoutes: Partial<Handlers> = {};
