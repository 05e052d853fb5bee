// parts: what a server runs beside its routes, in the order in which it starts.

import type { Part } from "./context.ts";

export const PARTS: readonly Part[] = [];
