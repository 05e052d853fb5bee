// A runner whose engine is closed before it came up: it leaves nothing, least of all a home that somebody has removed meanwhile (spec 3.4).

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stateOf } from "../../src/process/identity.ts";
import { createRunnerClient } from "../../src/process/runner/client.ts";

const TIMES = { timeout: 60_000 };

if (process.platform !== "win32") {
  test("its folder is not there", TIMES, async () => {
    const home = await closedEarly();
    expect(existsSync(join(home, "runners")) ? readdirSync(join(home, "runners")) : []).toEqual([]);
  });

  test("a home that was removed does not come back", TIMES, async () => {
    const home = await closedEarly((at) => rmSync(at, { recursive: true }));
    expect(existsSync(home)).toBe(false);
  });
}

/** A home, when the runner has gone. */
async function closedEarly(afterwards: (home: string) => void = () => {}): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "curlew-early-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const client = createRunnerClient(home);
  const runner = client.name();
  if (runner === undefined) throw new Error("no runner");
  await client.close();
  afterwards(home);
  await expect.poll(() => stateOf(runner).state, { timeout: 20_000 }).toBe("dead");
  return home;
}
