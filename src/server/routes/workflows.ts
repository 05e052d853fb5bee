// workflows: the workflow files of the served folder (spec 2.7).

import type { Handlers } from "../call.ts";

export const workflowRoutes: Partial<Handlers> = {};
