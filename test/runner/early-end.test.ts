// A runner whose engine closes before the runner is up leaves nothing, not even a data directory that was removed in
// between (spec 3.4).

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateOf } from "../../src/process/identity.ts";
import { RunnerClient } from "../../src/process/runner/client.ts";
import { tempFolder } from "../setup/folders.ts";

const TIMES = { timeout: 60_000 };

if (process.platform !== "win32") {
  test("its folder does not exist", TIMES, async () => {
    const home = await closedEarly();
    expect(existsSync(join(home, "runners")) ? readdirSync(join(home, "runners")) : []).toEqual([]);
  });

  test("a data directory that was removed does not come back", TIMES, async () => {
    const home = await closedEarly((at) => rmSync(at, { recursive: true }));
    expect(existsSync(home)).toBe(false);
  });
}

/** A data directory after the runner has gone. */
async function closedEarly(afterwards: (home: string) => void = () => {}): Promise<string> {
  const home = tempFolder();
  const client = new RunnerClient(home);
  const runner = client.name();
  if (runner === undefined) throw new Error("no runner");
  await client.close();
  afterwards(home);
  await expect.poll(() => stateOf(runner).state, { timeout: 20_000 }).toBe("dead");
  return home;
}
