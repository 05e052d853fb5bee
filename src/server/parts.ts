// parts: what a server runs beside its routes, in the order in which it starts.

import type { Part } from "./context.ts";
import { tracesPart } from "./traces/part.ts";
import { triggersPart } from "./triggers/part.ts";

/** The served folder is watched; starting does not wait until it is. */
const folderWatch: Part = {
  name: "folder-watch",
  start: async ({ documents }) => documents.startWatching(),
};

export const PARTS: readonly Part[] = [tracesPart, folderWatch, triggersPart];
