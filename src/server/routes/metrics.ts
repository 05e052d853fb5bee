// Metrics for Prometheus (metrics.ts).

import type { Handlers } from "../call.ts";

export const metricsRoutes = {
  "GET /metrics": async (_call, { figures }) => {
    const { text, type } = await figures.text();
    return new Response(text, { headers: { "content-type": type } });
  },
} satisfies Partial<Handlers>;
