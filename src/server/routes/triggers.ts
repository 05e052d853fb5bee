// Lists, pauses, and resumes schedules, webhooks, and file watches (spec 2.5).

import { type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { pageOf } from "../page-of.ts";
import { failureProblem, problem } from "../problem.ts";
import type { ActiveTrigger } from "../triggers/active-trigger.ts";

export const triggerRoutes = {
  "GET /triggers": async ({ query }, { triggers }) => {
    const armed = triggers?.armedNow() ?? [];
    const isPart = query.has("limit") || query.has("cursor");
    const page = pageOf(query, isPart ? armed.toSorted((a, b) => (isBehind(a, keyOf(b)) ? 1 : -1)) : armed, {
      list: "triggers",
      keyOf,
      isBehind,
    });
    if (page instanceof Response) return page;
    const { items, ...more } = page;
    return json({ ...((await triggers?.list(items)) ?? { schedules: [], hooks: [], files: [] }), ...more });
  },

  "POST /triggers/{id}/pause": ({ params }, context) => paused(params.id, true, context),

  /** Takes effect from now. Times missed during the pause are not made up for. */
  "POST /triggers/{id}/resume": ({ params }, context) => paused(params.id, false, context),
} satisfies Partial<Handlers>;

/** Sorts by document: an id alone does not show which document it belongs to. */
function keyOf({ path, id }: ActiveTrigger): string {
  return `${path}\n${id}`;
}

function isBehind(one: ActiveTrigger, key: string): boolean {
  return keyOf(one) > key;
}

function paused(id: string, isPaused: boolean, { triggers }: ServerContext): Response {
  const done = triggers?.pause(id, isPaused);
  if (done !== undefined && !done.ok) return failureProblem(done.error, 503);
  return done?.value === true ? noContent() : problem("not-found", { detail: `There is no trigger ${id}.` });
}
