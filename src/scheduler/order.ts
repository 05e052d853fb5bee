// order: sorts nodes: in file order, then by iteration, or by the time when their budget has room.

import type { NodeState } from "./state.ts";

export function fileOrder(one: NodeState, other: NodeState): number {
  if (one.node !== other.node) return one.node - other.node;
  for (const [depth, index] of one.scope.indexes.entries()) {
    const difference = index - (other.scope.indexes[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function untilOrder(one: NodeState, other: NodeState): number {
  return (one.budget?.untilMs ?? 0) - (other.budget?.untilMs ?? 0) || fileOrder(one, other);
}
