// world: what an engine needs from the machine: its identity, which processes live, and how commands run (spec 5.6
// "local default").
//   W1. A simulation replaces only this. The code above it is the same (test/simulation).

import { type Kinds, kindsOf } from "../kinds/index.ts";
import type { ChildRuns } from "../kinds/subflow/index.ts";
import type { Tools } from "../kinds/tools.ts";
import type { IsAlive, Owner } from "../store/index.ts";
import type { Elsewhere } from "./placed.ts";
import { isAlive, thisProcess } from "./recovery/owner.ts";

export interface World {
  owner: Owner;
  isAlive: IsAlive;
  /** Whether a runner is of this data directory. Absent: all are. */
  isOurs?(runner: string): boolean;
  /** Only in a cluster: other machines, for subflows. */
  elsewhere?: Elsewhere;
  kinds(tools: Tools, children: ChildRuns): Kinds;
}

export function thisWorld(): World {
  return { owner: thisProcess(), isAlive, kinds: kindsOf };
}
