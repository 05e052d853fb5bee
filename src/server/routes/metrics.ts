// Metrics for Prometheus (metrics.ts).

import type { Handlers } from "../call.ts";

export const metricsRoutes = {
  "GET /metrics": async (_call, { metrics }) => {
    const { text, type } = await metrics.text();
    return new Response(text, { headers: { "content-type": type } });
  },
} satisfies Partial<Handlers>;
