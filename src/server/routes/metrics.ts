// metrics: figures for Prometheus.

import type { Handlers } from "../call.ts";

export const metricsRoutes: Partial<Handlers> = {};
