// stores: a store in a temporary folder, for tests in this process. It is closed after the test.

import { onTestFinished } from "vitest";
import { type LocalStore, openStore } from "../../src/store/index.ts";
import { serverStore } from "../../src/store/server-store.ts";
import { tempFolder } from "./folders.ts";

export function testStore(home = tempFolder()): LocalStore {
  const opened = openStore(home);
  if (!opened.ok) throw new Error(opened.error.message);
  onTestFinished(() => opened.value.close());
  return opened.value;
}

/** With the server's parts. */
export const testServerStore = () => serverStore(testStore());
