// useConnecting: turns a drag from a port into an edge, a reason why there cannot be one, a moved edge, or a position
// for a new node (spec ui.md 6.2). The handlers keep their identity, because React Flow redraws every node and edge for
// new ones.

import type { Connection, OnConnectEnd, ReactFlowInstance } from "@xyflow/react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Link } from "../document/links.ts";
import { renamedId } from "../document/plain.ts";
import { useSteady } from "../ui/use-steady.ts";
import type { CanvasEditing } from "./canvas.tsx";
import type { FlowNode } from "./flow-items.ts";
import type { LinkFlowEdge } from "./link.tsx";
import type { CanvasModel } from "./model.ts";
import { sourceOf, targetOf } from "./ports.ts";

type Ends = Pick<Connection, "source" | "target"> & { sourceHandle?: string | null; targetHandle?: string | null };

export function useConnecting(
  model: CanvasModel,
  editing: CanvasEditing | undefined,
  flow: RefObject<ReactFlowInstance<FlowNode, LinkFlowEdge> | null>,
) {
  const idNow = useIdNow(model);
  const linkOf = ({ source, target, sourceHandle, targetHandle }: Ends): Link => ({
    ...sourceOf(model, idNow(source), sourceHandle),
    target: targetOf(model, idNow(target), targetHandle ?? null),
  });
  const onConnect = useSteady((connection: Connection) => editing?.onConnect(linkOf(connection)));
  const isValidConnection = useSteady((ends: Ends) => editing?.whyNot(linkOf(ends)) === undefined);
  const onConnectEnd = useSteady<Parameters<OnConnectEnd>, void>((event, { fromHandle, toHandle, isValid }) => {
    if (editing === undefined || isValid || fromHandle === null) return;
    const touch = "changedTouches" in event ? event.changedTouches[0] : event;
    const screen = { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
    if (toHandle !== null && fromHandle.type !== toHandle.type) {
      const [from, to] = fromHandle.type === "source" ? [fromHandle, toHandle] : [toHandle, fromHandle];
      const ends = { source: from.nodeId, target: to.nodeId, sourceHandle: from.id, targetHandle: to.id };
      const why = editing.whyNot(linkOf(ends));
      if (why !== undefined) editing.onRefused(why);
    } else if (toHandle === null && fromHandle.type === "source" && flow.current !== null)
      editing.onDropEmpty(
        sourceOf(model, idNow(fromHandle.nodeId), fromHandle.id),
        flow.current.screenToFlowPosition(screen),
        screen,
      );
  });
  const onReconnect = useSteady((old: LinkFlowEdge, connection: Connection) => {
    const edge = old.data?.edge;
    if (edge === undefined) return;
    const { source, target, handle } = edge;
    editing?.onReconnect({ source, target, handle }, linkOf(connection));
  });
  return { onConnect, isValidConnection, onConnectEnd, onReconnect };
}

/**
 * The id that a node has now. A press that begins a drag ends the edit of a field. Its new title or URL changes the id,
 * and React Flow or an open box still holds the old one.
 */
export function useIdNow(model: CanvasModel): (id: string) => string {
  const before = useRef(model);
  const renamed = useRef<ReturnType<typeof renamedId>>(undefined);
  useLayoutEffect(() => {
    renamed.current = renamedId([...before.current.byId.keys()], [...model.byId.keys()]) ?? renamed.current;
    before.current = model;
  }, [model]);
  return (id) => (renamed.current?.from === id && !model.byId.has(id) ? renamed.current.to : id);
}
