// node-actions: the nodes of a drawing, for the palette (spec ui 6.2.10): typing a name or an id goes there.

import { useMemo, useRef } from "react";
import { type Action, useActions } from "./actions.ts";

/** Under this heading the palette shows what is typed for, not all of them. */
export const NODES = "Nodes";

export function useNodeActions(nodes: readonly { id: string; title: string }[], go: (id: string) => void): void {
  const latest = useRef(go);
  latest.current = go;
  const actions = useMemo(
    () => nodes.map(({ id, title }): Action => ({ id: `node.${id}`, title, words: id, run: () => latest.current(id) })),
    [nodes],
  );
  useActions(NODES, actions);
}
