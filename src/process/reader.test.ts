import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import type { Fifo } from "./fifo.ts";
import { readFifo } from "./reader.ts";

if (process.platform !== "win32")
  test("an unreadable stream is reported once, and no other reader gets its FIFO", async () => {
    expect(await readFrom(constants.O_RDONLY)).toEqual({ taken: "all", lost: [], fifo: "given back" });
    // The kernel rejects reads from the writing end.
    expect(await readFrom(constants.O_WRONLY)).toEqual({
      taken: "",
      lost: [expect.stringMatching(/^read E/)],
      fifo: "discarded",
    });
  });

async function readFrom(mode: number): Promise<{ taken: string; lost: string[]; fifo: string }> {
  const folder = tempFolder();
  const path = join(folder, "fifo");
  execFileSync("mkfifo", [path]);
  const command = openSync(path, constants.O_RDWR);
  const ours = openSync(path, mode | constants.O_NONBLOCK);
  const seen = { taken: "", lost: [] as string[], fifo: "" };
  const fifo = {
    giveBack: () => Object.assign(seen, { fifo: "given back" }),
    discard: () => Object.assign(seen, { fifo: "discarded" }),
  } as unknown as Fifo;
  writeSync(command, "all");
  const reader = readFifo(
    ours,
    fifo,
    (bytes) => {
      seen.taken += Buffer.from(bytes).toString();
    },
    (reason) => seen.lost.push(reason),
  );
  if (mode === constants.O_RDONLY) await expect.poll(() => seen.taken).toBe("all");
  closeSync(command);
  await reader.drained(10_000);
  return seen;
}
