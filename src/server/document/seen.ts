// seen: what a person of a home has seen of the commands of imported workflows, as checks of a document ask for it (spec 4.2).
//   S1. The home is looked into only when a document is inert, and is not made for it.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realFolder, sha256 } from "../../engine/local/place.ts";
import { readTrustMode } from "../../secrets/config.ts";
import type { Store } from "../../store/index.ts";
import type { SeenGround } from "../../workflow/unseen-findings.ts";

/** `cwd`: what names of documents are relative to. `store`: the home's, where it is open already. */
export async function seenIn(home: string, cwd: string, store?: Pick<Store, "trust">): Promise<SeenGround> {
  const mode = await readTrustMode(home);
  return {
    digest: sha256,
    // A configuration that cannot be read stops the run; until then the stricter of both is told.
    all: !mode.ok || mode.value === "all-new",
    folderOf: (file) => realFolder(dirname(resolve(cwd, file))),
    known: async (hashes) => {
      if (store !== undefined) return knownIn(store, hashes);
      if (!existsSync(join(home, "curlew.db"))) return new Set();
      const { openStore } = await import("../../store/index.ts");
      const opened = openStore(home);
      if (!opened.ok) return new Set();
      try {
        return knownIn(opened.value, hashes);
      } finally {
        opened.value.close();
      }
    },
  };
}

function knownIn({ trust }: Pick<Store, "trust">, hashes: readonly string[]): ReadonlySet<string> {
  const known = trust.known(hashes);
  return known.ok ? known.value : new Set();
}
