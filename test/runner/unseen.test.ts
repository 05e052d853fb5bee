// A command ends on a full disk while no engine runs. The started file of a sealed value has another name, so that a
// resumed run never takes a part of it for the whole.

import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeOrphanResult } from "../../src/process/runner/orphan-result.ts";
import { tempFolder } from "../setup/folders.ts";

if (existsSync("/dev/full"))
  test("a sealed value that finds no room leaves nothing that looks like one", () => {
    const [home, folder] = [tempFolder(), tempFolder()];
    symlinkSync("/dev/full", join(folder, "4-1-out.sealed.part"));
    const end = { secret: { printed: Buffer.from("a-secret-of-many-letters") } };
    const order = { folder, stem: "4-1", run: "1m8xxxxxxxxxxxxxxxxxxx" };
    expect(() => writeOrphanResult(order as never, end as never, home)).toThrow(/ENOSPC/);
    expect(readdirSync(folder)).toEqual([]);
  });
