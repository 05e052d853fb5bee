// bench: everything that the parts of the editor share: the open document, its views, and what is open around it.
//   B1. Each prop of the canvas keeps its identity from one rendering to the next (canvas.tsx K3).

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Page, RunItem } from "../../api/shapes.ts";
import { useNodeActions } from "../app/actions.ts";
import type { EditorView } from "../app/search.ts";
import { useStartRun } from "../app/start-run.tsx";
import type { WorkflowView } from "../app/view-switch.tsx";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { edgeData } from "../canvas/edge-data.ts";
import type { CanvasEdge } from "../canvas/model.ts";
import { ask } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { chosenRun, useLastValues } from "../inspector/last-values.ts";
import { NOTHING_YET } from "../inspector/values.ts";
import { toast } from "../ui/toast.tsx";
import { CANVAS, useMedia } from "../ui/use-media.ts";
import type { Box } from "./boxes.tsx";
import { useFrame } from "./frame.tsx";
import { operationsOn } from "./operations.ts";
import { useClipboard } from "./use-clipboard.ts";
import { type Loaded, useDocument } from "./use-document.ts";

export type Bench = ReturnType<typeof useBench>;

export function useBench(loaded: Loaded) {
  const { session } = loaded;
  const document = useDocument(loaded);
  const { state, model } = document;
  const { path } = state;
  const views = useViews(path);
  const frame = useFrame();
  const [box, setBox] = useState<Box>();
  const [goTo, setGoTo] = useState<{ line: number; column: number }>();
  const canvas = useRef<CanvasHandle>(null);
  const drawn = useRef(model);
  // Set only after the model is drawn, so that every node in `drawn` is on the canvas.
  useLayoutEffect(() => {
    drawn.current = model;
  }, [model]);
  const operations = useMemo(
    () => operationsOn({ session, model: () => drawn.current, canvas: () => canvas.current }),
    [session],
  );
  const onPaste = useClipboard(operations, canvas);
  const openInspector = useCallback(() => frame.set({ inspector: true }), [frame.set]);
  const last = useLastValues(path);
  const carried = useCallback(({ source }: CanvasEdge) => edgeData(last.handedOn(source), NOTHING_YET), [last]);
  const showNode = useCallback(
    (id: string): void => {
      session.select([id]);
      canvas.current?.focus(id);
    },
    [session],
  );
  const titles = useMemo(() => [...model.byId].map(([id, { title }]) => ({ id, title })), [model]);
  useNodeActions(titles, showNode);
  // A link to a node selects and shows it.
  useEffect(() => {
    if (views.node === undefined || !drawn.current.byId.has(views.node)) return;
    openInspector();
    showNode(views.node);
  }, [views.node, openInspector, showNode]);
  const start = useStartRun();
  return {
    ...document,
    ...views,
    session,
    path,
    frame,
    canvas,
    drawn,
    operations,
    carried,
    showNode,
    openInspector,
    onPaste,
    box,
    setBox,
    goTo,
    setGoTo,
    selected: state.selected,
    run(): void {
      const { workflow } = state.doc.parsed;
      if (workflow === undefined || document.errors > 0) {
        frame.set({ dock: true });
        toast("Fix the problems before you run it.");
      } else start({ path, name: workflow.name, inputs: workflow.inputs }, document.save);
    },
  };
}

/** The view and the node that the URL names. In a narrow window there is no split view. */
function useViews(path: string) {
  const search = useSearch({ from: "/w/$path" });
  const navigate = useNavigate();
  const hasCanvas = useMedia(CANVAS);
  const view: EditorView = search.view === "split" && !hasCanvas ? "source" : (search.view ?? "design");
  return {
    view,
    hasCanvas,
    node: search.node,
    show(next: WorkflowView): void {
      if (next !== "run") {
        void navigate({ to: ".", search: (before) => ({ ...before, view: next }), replace: true });
        return;
      }
      lastRun(path).then(
        (id) =>
          id === undefined
            ? toast("Not run yet. Press R to run it.")
            : void navigate({ to: "/runs/$id", params: { id } }),
        (reason: unknown) => toast(problemOf(reason).title),
      );
    },
  };
}

/** The run whose values the inspector shows: the one that the user chose, otherwise the newest. */
async function lastRun(path: string): Promise<string | undefined> {
  const chosen = chosenRun(path);
  if (chosen !== undefined) return chosen;
  const { items } = await ask<Page<RunItem>>("/runs", { query: { path, limit: 1 } });
  return items[0]?.id;
}
