// A disk that is really full, at every moment of a run. The engine stays alive or ends with a code, what it reported is
// on record, and the store is whole. With room again the run reaches its end.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";

/** A separate disk, gone with the process: for root, and for others where the system allows it. */
const own = ["--mount", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])];
const mount = (folder: string, then: string) =>
  spawnSync("unshare", [...own, "sh", "-c", `mount -t tmpfs -o size=8m tmpfs '${folder}' && ${then}`], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
const possible = has("unshare") && mount(tempFolder(), "true").status === 0;
const COUNT = process.env.CHECK_FULL === undefined ? 20 : 90;
const STEP = process.env.CHECK_FULL === undefined ? 28_672 : 6_656;

if (possible)
  test(`no room at ${COUNT} moments of a run`, { timeout: 600_000 }, () => {
    const folder = tempFolder();
    const script = path.join(import.meta.dirname, "full-disk.ts");
    const ran = mount(folder, `exec '${process.execPath}' '${script}' '${folder}' ${STEP} ${COUNT}`);
    expect({ code: ran.status, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
    const said = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(said).toHaveLength(COUNT);
    const ends = new Set<string>();
    for (const one of said) {
      expect(one).toMatchObject({ unexpected: [], found: [], lost: [] });
      // No node has `onLost`: a command that ran is known to have run, even when its end found no room.
      expect(one.ran).toEqual(["small", "big", "last"].slice(0, one.ran.length));
      if (one.first === "succeeded" || one.resumed === "succeeded") expect(one.ran).toHaveLength(3);
      ends.add(one.first);
      expect(one.first).toMatch(/^(succeeded|store-full|thrown (store-full|home-key-unreadable)|failed [a-z-]+)$/);
      if (one.first.startsWith("failed") || one.first === "succeeded") expect(one.resumed).toBe("none");
      else if (one.first === "store-full") expect(one.resumed).toBe("none");
      // There was room for the run's row and for none of its events: nothing of it had started.
      else expect(["succeeded", "run-empty", "failed output-failed"]).toContain(one.resumed);
    }
    console.log([...ends]);
    expect(ends).toContain("succeeded");
    expect(ends.size).toBeGreaterThan(2);
  });
