// secrets: names of secrets and where they come from; values are write-only.

import type { Handlers } from "../call.ts";

export const secretRoutes: Partial<Handlers> = {};
