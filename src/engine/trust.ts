// trust: which commands of an untrusted run a user of this data directory has seen (spec 4.2, ADR 44).
//   U1. A run is untrusted if its workflow file is marked as imported, if this data directory trusts no new command, or
//       if its parent run is untrusted. That is decided once, at the start, and recorded.
//   U2. A trusted run computes nothing here.

import type { Failure } from "../base/failure.ts";
import { after } from "../base/now.ts";
import { impossible, ok, type Result } from "../base/result.ts";
import type { Inert } from "../scheduler/event.ts";
import { readSetting } from "../secrets/config.ts";
import type { Store } from "../store/index.ts";
import { contentHashes } from "../workflow/contents.ts";
import type { Graph } from "../workflow/graph.ts";
import type { Workflow } from "../workflow/model.ts";
import type { RunTrust } from "./approvals.ts";
import { StoreFault } from "./driver/recording.ts";
import { realFolder, sha256 } from "./trust-hash.ts";

/** Location of a workflow file, for display and for the hashes of its commands. */
export interface WorkflowLocation {
  /** Absolute path of the workflow file. */
  file: string;
  /** Absolute path of the folder that its commands run in. */
  folder: string;
}

export function trustOf(
  graph: Graph,
  inert: Inert | undefined,
  place: WorkflowLocation,
  store: Store,
): { trust?: RunTrust } {
  if (inert === undefined) return {};
  const hashes = hashesOf(graph, inert, place.folder);
  const seen = new Set<string>();
  const hashOf = (node: string): string => hashes().get(node) ?? impossible(`no digest of "${node}"`);
  const trust: RunTrust = {
    isUntrusted: (node) => {
      const hash = hashOf(node);
      if (seen.has(hash)) return false;
      return after(store.trust.known([hash]), (known) => {
        if (!known.ok) throw new StoreFault(known.error);
        if (known.value.has(hash)) seen.add(hash);
        return !known.value.has(hash);
      });
    },
    seen: async (node, by) => {
      const added = await store.trust.add([{ hash: hashOf(node), file: place.file, node, by }], "approval");
      if (!added.ok) throw new StoreFault(added.error);
    },
  };
  return { trust };
}

/** For an outermost run. The workflow file's own mark is read elsewhere. Failures: those of config.yaml. */
export async function inertAtHome(home: string, { imported }: Workflow): Promise<Result<{ inert?: Inert }, Failure>> {
  const mode = await readSetting(home, "trust");
  if (!mode.ok) return mode;
  return ok(mode.value === "all-new" && imported === undefined ? { inert: { why: "all-new" } } : {});
}

/** For a subflow's run: the state inherited from its parent. */
export function inertInside(graph: Graph, inert: Inert | undefined, folder: string, path: string): { inert?: Inert } {
  if (inert === undefined) return {};
  const node = path.replace(/\[.*$/, "");
  const within = hashesOf(graph, inert, folder)().get(node) ?? impossible(`no digest of "${node}"`);
  return { inert: { why: inert.why, within } };
}

/** The hashes, computed on first use. Links in `folder` are resolved. */
function hashesOf(graph: Graph, { within }: Inert, folder: string): () => ReadonlyMap<string, string> {
  let known: ReadonlyMap<string, string> | undefined;
  return () => {
    known ??= contentHashes(graph, { folder: realFolder(folder), within }, sha256);
    return known;
  };
}
