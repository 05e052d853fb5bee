// folders: empty folders for the store's tests, gone when their test file is done.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
// A worker of the test runner is ended without an exit event, so the file's own end is what cleans up.
afterAll(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder, 0700. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-store-"));
  folders.push(folder);
  return folder;
}
