// triggers: schedules, webhooks and file watches (spec 2.5).

import { type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem } from "../problem.ts";

export const triggerRoutes = {
  "GET /triggers": async (_call, { triggers }) =>
    json((await triggers?.list()) ?? { schedules: [], hooks: [], files: [] }),

  "POST /triggers/{id}/pause": ({ params }, context) => paused(params.id, true, context),

  /** From now on; what passed meanwhile is passed. */
  "POST /triggers/{id}/resume": ({ params }, context) => paused(params.id, false, context),
} satisfies Partial<Handlers>;

function paused(id: string, isPaused: boolean, { triggers }: ServerContext): Response {
  const done = triggers?.pause(id, isPaused);
  if (done !== undefined && !done.ok) return failureProblem(done.error, 503);
  return done?.value === true ? noContent() : problem("not-found", { detail: `There is no trigger ${id}.` });
}
