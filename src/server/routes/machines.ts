// Lists the machines of a cluster, and says which of them take runs (spec 6.2).
//   M1. Without a cluster every route is 404: there is one machine, and it is not listed.

import type { MachineItem, Page } from "../../api/shapes.ts";
import { machineAlive } from "../../app/cluster.ts";
import type { MachineRow } from "../../engine/cluster/index.ts";
import type { Machines } from "../../engine/contract.ts";
import { type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem, Refused } from "../problem.ts";

export const machineRoutes = {
  "GET /machines": async (_call, context) => {
    const listed = await machinesOf(context).list();
    if (!listed.ok) return failureProblem(listed.error, 503);
    return json({ items: listed.value.map(itemOf) } satisfies Page<MachineItem>);
  },

  "POST /machines/{name}/drain": ({ params }, context) => drained(params.name, true, context),

  "POST /machines/{name}/resume": ({ params }, context) => drained(params.name, false, context),

  "POST /machines/{name}/forget": async ({ params: { name } }, context) => {
    const machines = machinesOf(context);
    const gone = await machines.forget(name);
    if (!gone.ok) return failureProblem(gone.error, 503);
    if (gone.value) return decided("machine.forgotten", name, context);
    const listed = await machines.list();
    if (!listed.ok) return failureProblem(listed.error, 503);
    return listed.value.some((machine) => machine.name === name)
      ? failureProblem(machineAlive(name), 409)
      : missing(name);
  },
} satisfies Partial<Handlers>;

async function drained(name: string, drains: boolean, context: ServerContext): Promise<Response> {
  const set = await machinesOf(context).setDraining(name, drains);
  if (!set.ok) return failureProblem(set.error, 503);
  return set.value ? decided(drains ? "machine.drained" : "machine.resumed", name, context) : missing(name);
}

function itemOf({ labels, ...machine }: MachineRow): MachineItem {
  return { ...machine, labels: [...labels] };
}

/** M1. */
function machinesOf({ engine }: ServerContext): Machines {
  if (engine.machines !== undefined) return engine.machines;
  const detail = "This server keeps its runs on this machine. Machines are listed only where they share a database.";
  throw new Refused("not-found", { detail });
}

async function decided(type: string, name: string, { store, log }: ServerContext): Promise<Response> {
  const written = await store.audit.append({ type, name, door: "web" });
  log.info({ type, name }, "a machine was changed");
  return written.ok ? noContent() : failureProblem(written.error, 503);
}

function missing(name: string): Response {
  return problem("not-found", { detail: `There is no machine ${name}.` });
}
