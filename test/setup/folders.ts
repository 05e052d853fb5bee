// folders: empty folders for tests, removed when their test file is done.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
// The test runner ends a worker without an exit event, so the end of the file cleans up.
afterAll(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder, 0700. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-test-"));
  folders.push(folder);
  return folder;
}
