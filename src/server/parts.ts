// The parts that run beside the server's routes, in start order.

import type { Part } from "./context.ts";
import { tracesPart } from "./traces/part.ts";
import { triggersPart } from "./triggers/part.ts";

/** Watches the served folder. The server does not wait for the watch to be ready. */
const folderWatch: Part = {
  name: "folder-watch",
  start: async ({ documents }) => documents.startWatching(),
};

export const PARTS: readonly Part[] = [tracesPart, folderWatch, triggersPart];
