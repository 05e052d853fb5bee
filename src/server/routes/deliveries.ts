// deliveries: the inbox of webhook deliveries (spec 2.5).

import type { Handlers } from "../call.ts";

export const deliveryRoutes: Partial<Handlers> = {};
