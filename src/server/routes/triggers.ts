// Lists, pauses, and resumes triggers (spec 2.5).

import { type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem } from "../problem.ts";

export const triggerRoutes = {
  "GET /triggers": async (_call, { triggers }) => json({ items: (await triggers?.list()) ?? [] }),

  "POST /triggers/{id}/pause": ({ params }, context) => paused(params.id, true, context),

  /** Takes effect from now. Times missed during the pause are not made up for. */
  "POST /triggers/{id}/resume": ({ params }, context) => paused(params.id, false, context),
} satisfies Partial<Handlers>;

async function paused(id: string, isPaused: boolean, { triggers }: ServerContext): Promise<Response> {
  const done = await triggers?.pause(id, isPaused);
  if (done !== undefined && !done.ok) return failureProblem(done.error, 503);
  return done?.value === true ? noContent() : problem("not-found", { detail: `There is no trigger ${id}.` });
}
