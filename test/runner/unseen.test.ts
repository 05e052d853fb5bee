// The end of a command that no engine saw, when its disk is full: what was begun of a sealed value has another name, so that whoever goes on
// with the run never takes half of one for the whole.

import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeUnseen } from "../../src/process/runner/orphan-result.ts";
import { tempFolder } from "../store/folders.ts";

if (existsSync("/dev/full"))
  test("a sealed value that finds no room leaves nothing that looks like one", () => {
    const [home, folder] = [tempFolder(), tempFolder()];
    symlinkSync("/dev/full", join(folder, "4-1-out.sealed.part"));
    const end = { secret: { printed: Buffer.from("a-secret-of-many-letters") } };
    const order = { folder, stem: "4-1", run: "1m8xxxxxxxxxxxxxxxxxxx" };
    expect(() => writeUnseen(order as never, end as never, home)).toThrow(/ENOSPC/);
    expect(readdirSync(folder)).toEqual([]);
  });
