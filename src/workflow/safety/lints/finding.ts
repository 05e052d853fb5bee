// safety/lints: what is told about a script before it runs. Each finding has its place in the author's content.

import type { Diagnostic } from "../../diagnostic.ts";
import type { At } from "../../diagnostics/base.ts";

export interface Finding {
  start: number;
  end: number;
  tell(at: At): Diagnostic;
}

export function finding(place: { start: number; end: number }, tell: (at: At) => Diagnostic): Finding {
  return { start: place.start, end: place.end, tell };
}
