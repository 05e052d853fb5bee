// approvals: what waits for a person, and the answers (spec 2.4).

import type { Handlers } from "../call.ts";

export const approvalRoutes: Partial<Handlers> = {};
