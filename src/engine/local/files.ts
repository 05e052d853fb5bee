// files: a run's folder as the nodes see it. Names are given out here or by the driver, never taken from a document.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunFiles } from "../../nodes/values.ts";

/** `nextSeq`: the number of the event that is recorded next, which a fresh file is named after. */
export function runFiles(
  folder: string,
  nextSeq: () => number,
  mask: (text: string) => string = (text) => text,
): RunFiles {
  const known = new Set<string>();
  let count = 0;
  return {
    mask,
    path: (name) => join(folder, name),
    fresh: (suffix) => {
      let name: string;
      do {
        count = (count % 999_999) + 1;
        name = `${nextSeq()}-${count}.${suffix}`;
      } while (existsSync(join(folder, name)));
      return name;
    },
    has: (name) => {
      if (known.has(name)) return true;
      if (existsSync(join(folder, name))) known.add(name);
      return known.has(name);
    },
  };
}
