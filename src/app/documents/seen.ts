// Which commands of imported workflows a person has approved in this data directory,
// for checks of documents (spec 4.2).
//   S1. The data directory is read only if a document is blocked until approved, and is never created for it.

import { dirname, resolve } from "node:path";
import { realFolder, sha256 } from "../../engine/trust-hash.ts";
import { readSetting } from "../../secrets/config.ts";
import type { Store } from "../../store/index.ts";
import type { SeenDeps } from "../../workflow/unseen-findings.ts";

/** Opens the store that has what a person approved. Undefined: it does not exist. */
export type OpenTrust = () => Promise<Pick<Store, "trust" | "close"> | undefined>;

/** `cwd`: document names are relative to it. `store`: the open store, or how to open it if it is needed. */
export async function seenIn(home: string, cwd: string, store: Pick<Store, "trust"> | OpenTrust): Promise<SeenDeps> {
  const mode = await readSetting(home, "trust");
  return {
    digest: sha256,
    // An unreadable configuration stops the run. A finding about commands that were not imported would be wrong.
    all: mode.ok && mode.value === "all-new",
    folderOf: (file) => realFolder(dirname(resolve(cwd, file))),
    known: async (hashes) => {
      if (typeof store !== "function") return knownIn(store, hashes);
      const opened = await store();
      if (opened === undefined) return new Set();
      try {
        return await knownIn(opened, hashes);
      } finally {
        await opened.close();
      }
    },
  };
}

async function knownIn({ trust }: Pick<Store, "trust">, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const known = await trust.known(hashes);
  return known.ok ? known.value : new Set();
}
