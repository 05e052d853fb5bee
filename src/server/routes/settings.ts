// settings: retention and model providers.

import type { Handlers } from "../call.ts";

export const settingsRoutes: Partial<Handlers> = {};
