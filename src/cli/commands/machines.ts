// machines: lists the machines of a cluster, and says which of them take runs (spec 6.2).

import { setTimeout as sleep } from "node:timers/promises";
import {
  type ClusterGiven,
  loadCluster,
  machineAlive,
  neededCluster,
  neededDatabase,
  openClusterStore,
} from "../../app/cluster.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import { count, oneLine } from "../../base/text.ts";
import { duration } from "../../base/time-text.ts";
import type { MachineRow, Query } from "../../engine/cluster/index.ts";
import { Exit } from "../exit.ts";
import { printList } from "../list.ts";
import { type HomeOption, homeOf, refuse, refused } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export async function list(options: Options & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  const url = await neededDatabase(placed(options, terminal));
  if (!url.ok) return refused(url.error, terminal);
  const { askDatabase, machinesOf } = await loadCluster();
  const asked = askDatabase(url.value);
  if (!asked.ok) return refused(asked.error, terminal);
  const machines = await machinesOf(asked.value.query);
  await asked.value.close();
  if (!machines.ok) return refused(machines.error, terminal);
  const head = ["NAME", "STATE", "RUNS", "SLOTS", "VERSION", "LAST SIGN", "LABELS"];
  const empty = "No machine has worked in this cluster yet.";
  printList(machines.value, { json: options.json, empty, head, row: cellsOf }, terminal);
  return Exit.OK;
}

function cellsOf({ name, state, runs, slots, version, silentMs, labels }: MachineRow): string[] {
  const seen = `${duration(silentMs)} ago`;
  return [oneLine(name), state, String(runs), String(slots), oneLine(version), seen, labels.map(oneLine).join(", ")];
}

/** `wait`: until the machine has no run left. */
export async function drain(name: string, options: Options & { wait?: boolean }, terminal: Terminal): Promise<Exit> {
  return deciding(options, terminal, async (query, { setDraining, machinesOf }, note) => {
    const set = await setDraining(query, name, true);
    if (!set.ok || !set.value) return notDone(set, name, terminal);
    const noted = await note("machine.drained", name, `Machine ${name} takes no new runs.`);
    while (noted === Exit.OK && options.wait === true) {
      const machines = await machinesOf(query);
      if (!machines.ok) return refused(machines.error, terminal);
      const left = machines.value.find((machine) => machine.name === name)?.runs ?? 0;
      if (left === 0) return Exit.OK;
      await sleep(limits.queueAgainMs);
    }
    return noted;
  });
}

export async function resume(name: string, options: Options, terminal: Terminal): Promise<Exit> {
  return deciding(options, terminal, async (query, { setDraining }, note) => {
    const set = await setDraining(query, name, false);
    if (!set.ok || !set.value) return notDone(set, name, terminal);
    return note("machine.resumed", name, `Machine ${name} takes runs again.`);
  });
}

export async function forget(name: string, options: Options, terminal: Terminal): Promise<Exit> {
  return deciding(options, terminal, async (query, cluster, note) => {
    const machines = await cluster.machinesOf(query);
    if (!machines.ok) return refused(machines.error, terminal);
    const machine = machines.value.find((other) => other.name === name);
    const gone = await cluster.forget(query, name);
    if (machine === undefined || !gone.ok) return notDone(gone.ok ? { ok: true, value: false } : gone, name, terminal);
    if (!gone.value) return refused(machineAlive(name), terminal);
    const runs = count(machine.runs, "run");
    return note("machine.forgotten", name, `${runs} of machine ${name} can now continue elsewhere.`);
  });
}

function notDone(done: Result<boolean, Failure>, name: string, terminal: Terminal): Exit {
  if (!done.ok) return refused(done.error, terminal);
  const hint = "`curlew machines` lists them.";
  return refuse(terminal, "machine-not-found", `No machine of this cluster is named "${name}".`, hint);
}

type Options = ClusterGiven & HomeOption;
type Cluster = Awaited<ReturnType<typeof loadCluster>>;
type Work = (query: Query, cluster: Cluster, note: Note) => Promise<Exit>;
/** Records in the audit log what was done to a machine, and prints it. */
type Note = (type: string, name: string, text: string) => Promise<Exit>;

/** Needs the key of the cluster. */
async function deciding(options: Options, terminal: Terminal, work: Work): Promise<Exit> {
  const cluster = await neededCluster(placed(options, terminal));
  if (!cluster.ok) return refused(cluster.error, terminal);
  const opened = await openClusterStore(cluster.value, homeOf(options, terminal));
  if (!opened.ok) return refused(opened.error, terminal);
  const { audit, connection, close } = opened.value;
  try {
    const query: Query = (text, values) => connection.query(text, values);
    return await work(query, await loadCluster(), async (type, name, text) => {
      const noted = await audit.append({ type, name, door: "cli" });
      if (!noted.ok) return refused(noted.error, terminal);
      terminal.err(`${text}\n`);
      return Exit.OK;
    });
  } finally {
    await close();
  }
}

function placed(options: Options, terminal: Terminal) {
  return { ...options, env: terminal.env, home: homeOf(options, terminal), cwd: terminal.cwd };
}
