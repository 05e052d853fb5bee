// world: what an engine takes its place in the world by: who it is, who else lives, what commands are (spec 5.6 "local default").
//   W1. A simulated world has its own; everything above it is the same code (test/simulation).

import { type Kinds, kindsOf } from "../../nodes/index.ts";
import type { ChildRuns } from "../../nodes/subflow.ts";
import type { Tools } from "../../nodes/tools.ts";
import type { IsAlive, Owner } from "../../store/index.ts";
import { isAlive, thisProcess } from "./owner.ts";

export interface World {
  owner: Owner;
  isAlive: IsAlive;
  kinds(tools: Tools, children: ChildRuns): Kinds;
}

export function thisWorld(): World {
  return { owner: thisProcess(), isAlive, kinds: kindsOf };
}
