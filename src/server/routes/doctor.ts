// doctor: what `curlew doctor` finds.

import type { Handlers } from "../call.ts";

export const doctorRoutes: Partial<Handlers> = {};
