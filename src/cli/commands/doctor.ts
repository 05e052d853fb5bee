// doctor: checks the installation and suggests a fix for each problem (spec 2.2, 3.4). It changes nothing
// and sends no requests.
//   D1. Exit code 0: no problems. Notes about optional parts don't count. Exit code 1: at least one problem.
//   D2. Every finding has a stable code and a suggested fix (docs/reference/doctor.md).
//   D3. It is quick: programs are checked in parallel, and --store is needed to check a large run history record by
//       record.
// It repairs nothing. You decide whether to restore a backup or remove the run.

import type { Cluster } from "../../app/cluster.ts";
import type { Check } from "../../app/doctor/check.ts";
import { clusterChecks, unreadable } from "../../app/doctor/leftovers.ts";
import { allChecks } from "../../app/doctor/look.ts";
import { storeChecks } from "../../app/doctor/store.ts";
import { count, harmless, oneLine } from "../../base/text.ts";
import { clusterFor } from "../cluster.ts";
import { Exit } from "../exit.ts";
import { emptyPlace, type HomeOption, homeOf } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface DoctorOptions extends HomeOption {
  store?: boolean;
  json?: boolean;
}

export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
  const cluster = await clusterFor({}, home, terminal);
  const history = cluster.ok ? cluster.value && clusterHistory(cluster.value) : [unreadable(cluster.error)];
  const checks = options.store === true ? (history ?? storeChecks(home)) : allChecks(home, terminal.env, history);
  return report(await checks, options, terminal);
}

/** Uses an empty folder: the data directory itself may be wrong, and doctor creates nothing in it. */
async function clusterHistory(cluster: Cluster): Promise<Check[]> {
  const { lookAtCluster, openClusterStore } = await import("../../app/cluster.ts");
  const state = await lookAtCluster(cluster);
  if (!state.ok) return [unreadable(state.error)];
  const place = emptyPlace();
  const opened = await openClusterStore(cluster, place.path);
  try {
    if (!opened.ok) return [unreadable(opened.error)];
    return await clusterChecks({ ...state.value, journal: opened.value.journal });
  } finally {
    if (opened.ok) await opened.value.close();
    place.remove();
  }
}

function report(checks: readonly Check[], options: DoctorOptions, terminal: Terminal): Exit {
  const home = homeOf(options, terminal);
  const wrong = checks.filter(({ status }) => status === "wrong").length;
  if (options.json) terminal.json({ sound: wrong === 0, home, checks }, true);
  else {
    const wide = Math.max(8, ...checks.map(({ what }) => what.length));
    for (const check of checks) terminal.out(text(check, wide, terminal));
    if (options.store !== true) terminal.out(summary(wrong, checks));
  }
  return wrong === 0 ? Exit.OK : Exit.FAILED;
}

function summary(wrong: number, checks: readonly Check[]): string {
  const notes = checks.filter(({ status }) => status === "note").length;
  const told = [
    wrong === 0 ? "Nothing is wrong" : `${count(wrong, "thing")} ${wrong === 1 ? "is" : "are"} wrong`,
    notes === 0 ? "" : `${notes} noted`,
  ];
  return `\n${told.filter((part) => part !== "").join(", ")}.\n`;
}

const LOOKS = { ok: "succeeded", note: "warning", wrong: "failed" } as const;

function text({ what, status, message, code, help }: Check, wide: number, { outStyle }: Terminal): string {
  const head = `${outStyle(LOOKS[status], status.padEnd(5))}  ${what.padEnd(wide)}  `;
  const told = `${head}${code === undefined ? "" : `[${code}] `}${oneLine(message)}\n`;
  return help === undefined ? told : `${told}       ${outStyle("label", "help:")} ${harmless(help)}\n`;
}
