// outputs: values and outputs, by range, tail, lines and search.

import type { Handlers } from "../call.ts";

export const outputRoutes: Partial<Handlers> = {};
