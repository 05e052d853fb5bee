// db-history: checks the history of a cluster, and moves one into it or back (spec 6.2).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ClusterGiven, clusterKey, keyForPurpose, loadCluster, neededDatabase } from "../../app/cluster.ts";
import { takeInstance } from "../../app/instance.ts";
import { err, ok } from "../../base/result.ts";
import { count } from "../../base/text.ts";
import { keyFor } from "../../secrets/home-key.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, placeFor, refuse, refused } from "../open.ts";
import type { Terminal } from "../terminal.ts";

/** Exit code 1 if something is wrong. */
export async function check(options: ClusterGiven & HomeOption, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
  const place = { ...options, env: terminal.env, home, cwd: terminal.cwd };
  const url = await neededDatabase(place);
  if (!url.ok) return refused(url.error, terminal);
  const key = clusterKey(place);
  if (!key.ok && key.error.code !== "cluster-key-missing") return refused(key.error, terminal);
  const auditKey = () => (key.ok ? ok(keyForPurpose(key.value, "audit")) : err(key.error));
  const { checkHistory } = await loadCluster();
  const { path, remove } = placeFor(home);
  const runsKey = key.ok ? keyForPurpose(key.value, "runs") : undefined;
  const checked = await checkHistory({ url: url.value, home: path, auditKey }, runsKey).finally(remove);
  if (!checked.ok) return refused(checked.error, terminal);
  const { runs, events, findings } = checked.value;
  for (const { code, message } of findings) terminal.out(`${code}: ${message}\n`);
  terminal.err(`${count(runs, "run")}, ${count(events, "event")}: ${count(findings.length, "finding")}.\n`);
  if (!key.ok)
    terminal.err(
      "The marks of events and the audit log were not checked, because that needs the key of the cluster (--key-file).\n",
    );
  return findings.length === 0 ? Exit.OK : Exit.FAILED;
}

type MoveOptions = Pick<ClusterGiven, "keyFile"> & HomeOption & { to?: string; from?: string };

export async function move(options: MoveOptions, terminal: Terminal): Promise<Exit> {
  const { to, from } = options;
  const url = to ?? from;
  if (url === undefined || (to !== undefined && from !== undefined))
    return refuse(terminal, "conflicting-options", "Give either --to or --from, with the URL of the database.");
  const home = homeOf(options, terminal);
  if (to !== undefined && !existsSync(join(home, "curlew.db")))
    return refuse(terminal, "no-history", `There is no history in ${home} to move.`);
  const key = clusterKey({ ...options, env: terminal.env, home, cwd: terminal.cwd });
  if (!key.ok) return refused(key.error, terminal);
  const homeKey = keyFor("audit", home);
  if (!homeKey.ok) return refused(homeKey.error, terminal);
  const instance = await takeInstance(home);
  if (instance === undefined)
    return refuse(terminal, "move-server-running", `A server uses ${home}.`, "Stop it, and repeat the move.");
  try {
    const keys = { clusterKey: keyForPurpose(key.value, "audit"), key: keyForPurpose(key.value, "runs") };
    const moving = { home, url, homeKey: homeKey.value, ...keys };
    const { historyTo, historyBack } = await loadCluster();
    const moved = await (to === undefined ? historyBack(moving) : historyTo(moving));
    if (!moved.ok) return refused(moved.error, terminal);
    const { runs, events } = moved.value;
    const where = to === undefined ? `back in ${home}` : "in the cluster. Commands in this data directory use it there";
    terminal.err(`${count(runs, "run")} with ${count(events, "event")} are ${where}.\n`);
    return Exit.OK;
  } finally {
    instance.release();
  }
}
