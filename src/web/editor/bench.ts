// bench: everything that the parts of the editor share: the open document, its views, and what is open around it.
//   B1. Each prop of the canvas keeps its identity from one rendering to the next (canvas.tsx K3).

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Workflow } from "../../workflow/model.ts";
import { inputsAsked } from "../../workflow/triggers/index.ts";
import { useNodeActions } from "../app/actions.ts";
import { type FrameControl, useFrame } from "../app/frame.tsx";
import type { EditorView } from "../app/search.ts";
import { useStartRun } from "../app/start-run.tsx";
import type { WorkflowView } from "../app/view-switch.tsx";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { problemOf } from "../client/queries.ts";
import { secretsIn, setDocumentField } from "../document/index.ts";
import { nameToFollow } from "../home/create.ts";
import { lastRun, useLastValues, withLive } from "../inspector/last-values.ts";
import { useRunOf } from "../run/run-store.ts";
import { toast } from "../ui/toast.tsx";
import { CANVAS, useMedia } from "../ui/use-media.ts";
import type { Box } from "./boxes.tsx";
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
  const last = useLastValues(path, views.runId);
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
  const followed = useRef(session.store.getState().doc.plain?.name);
  /** The file of a new workflow follows its name, once the name is complete. */
  const followName = (): void => {
    const { name } = session.store.getState().doc.plain ?? {};
    if (name === followed.current) return;
    followed.current = name;
    nameToFollow(path, typeof name === "string" ? name : "")
      .then(async (file) => {
        if (file !== undefined) views.open(await document.moveTo(file));
      })
      .catch((reason: unknown) => toast(problemOf(reason).title));
  };
  const running = useRunning(document, views, frame);
  const known = useMemo(() => withLive(last, running.run), [last, running.run]);
  return {
    ...document,
    ...views,
    session,
    path,
    frame,
    canvas,
    drawn,
    operations,
    last: known,
    showNode,
    openInspector,
    onPaste,
    box,
    setBox,
    goTo,
    setGoTo,
    selected: state.selected,
    followName,
    rename(name: string): void {
      if (operations.edit(setDocumentField(["name"], name))) followName();
    },
    ...running,
  };
}

/** The run whose states are shown, the bottom panel with its output, and how runs start. */
function useRunning(
  { state, errors, save }: ReturnType<typeof useDocument>,
  { runId, showRun, hasCanvas }: ReturnType<typeof useViews>,
  frame: FrameControl,
) {
  const navigate = useNavigate();
  const start = useStartRun();
  const run = useRunOf(runId);
  const [dockTab, setDockTab] = useState("output");
  const openDock = frame.set;
  const startable = (workflow: Workflow) => ({
    ...{ path: state.path, name: workflow.name, inputs: inputsAsked(workflow), secrets: secretsIn(state.doc) },
  });
  /** Shows the states of a run that has just been started. Without a canvas, its page opens. */
  const started = useCallback(
    (id: string, isTest = false): void => {
      if (!hasCanvas && !isTest) {
        void navigate({ to: "/runs/$id", params: { id } });
        return;
      }
      showRun(id);
      setDockTab((tab) => (tab === "problems" ? "output" : tab));
      openDock({ dock: true });
    },
    [showRun, openDock, hasCanvas, navigate],
  );
  /** Does something with the file as it is, unless it has errors. */
  const whenValid = (act: (workflow: Workflow) => void): void => {
    const { workflow } = state.doc.parsed;
    if (workflow !== undefined && errors === 0) {
      act(workflow);
      return;
    }
    setDockTab("problems");
    openDock({ dock: true });
    toast("Fix the problems before you run it.");
  };
  return {
    ...{ run, dockTab, setDockTab, started, whenValid },
    start: () => whenValid((workflow) => start(startable(workflow), save, started)),
    startWithInputs: () => whenValid((workflow) => start({ ...startable(workflow), asks: true }, save, started)),
  };
}

/** The view and the node that the URL names. In a narrow window there is no split view. */
function useViews(path: string) {
  const search = useSearch({ from: "/w/$path" });
  const navigate = useNavigate();
  const hasCanvas = useMedia(CANVAS);
  const view: EditorView = search.view === "split" && !hasCanvas ? "source" : (search.view ?? "design");
  const { run: runId } = search;
  const showRun = useCallback(
    (run: string | undefined) => void navigate({ to: ".", search: (before) => ({ ...before, run }), replace: true }),
    [navigate],
  );
  return {
    ...{ view, hasCanvas, runId, showRun },
    node: search.node,
    /** Shows another file in the place of this one. */
    open: (path: string) => void navigate({ to: "/w/$path", params: { path }, search: { view }, replace: true }),
    show(next: WorkflowView): void {
      if (next !== "run") {
        void navigate({ to: ".", search: (before) => ({ ...before, view: next }), replace: true });
        return;
      }
      lastRun(path, runId).then(
        (id) =>
          id === undefined
            ? toast("Not run yet. Press R to run it.")
            : void navigate({ to: "/runs/$id", params: { id } }),
        (reason: unknown) => toast(problemOf(reason).title),
      );
    },
  };
}
