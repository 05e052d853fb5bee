import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Fifo } from "./fifo.ts";
import { readFifo } from "./reader.ts";

if (process.platform !== "win32")
  test("what cannot be read is told once, and its FIFO serves nobody else", async () => {
    expect(await readFrom(constants.O_RDONLY)).toEqual({ taken: "all", lost: [], fifo: "given back" });
    // The kernel rejects reads from the writing end.
    expect(await readFrom(constants.O_WRONLY)).toEqual({
      taken: "",
      lost: [expect.stringMatching(/^read E/)],
      fifo: "discarded",
    });
  });

async function readFrom(mode: number): Promise<{ taken: string; lost: string[]; fifo: string }> {
  const folder = mkdtempSync(join(tmpdir(), "curlew-reader-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
