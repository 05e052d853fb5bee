// actions: the editor's actions with their keys (spec ui.md 6.5), for the keyboard, the command palette, and the help.

import { type Action, useActions } from "../app/actions.ts";
import type { Bench } from "./bench.ts";
import { editNode, editWorkflow, openAddBox, openConnectBox } from "./moves.ts";
import type { Way } from "./rules.ts";

export function toggleDock({ frame }: Bench): void {
  frame.set({ dock: !frame.dock });
}

/** Shows the problems in the bottom panel, or hides it if they are shown. */
export function toggleProblems({ frame, dockTab, setDockTab, run }: Bench): void {
  frame.set({ dock: !frame.dock || (run !== undefined && dockTab !== "problems") });
  setDockTab("problems");
}

/** In a window too narrow for a canvas, the outline replaces it. */
export function toggleOutline({ frame, hasCanvas, view, show }: Bench): void {
  if (hasCanvas) frame.set({ outline: !frame.outline });
  else show(view === "source" ? "design" : "source");
}

const WAYS: [string, Way][] = [
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
];

type Spec = Partial<Action> & { run: () => void };

const act = (id: string, title: string, keys: string | undefined, spec: Spec): Action => ({
  id: `editor.${id}`,
  title,
  keys,
  ...spec,
});

/** One action per arrow key. */
const perWay = (id: string, title: string, prefix: string, run: (way: Way) => void, disabled = false): Action[] =>
  WAYS.map(([key, way]) =>
    act(`${id}.${way}`, `${title} ${way}`, prefix + key, {
      run: () => run(way),
      keysOnly: true,
      held: true,
      disabled,
    }),
  );

export function useEditorActions(bench: Bench): void {
  useActions("Editor", [...editingActions(bench), ...movingActions(bench), ...viewActions(bench)]);
}

function editingActions(bench: Bench): Action[] {
  const { operations, selected, session, setBox } = bench;
  const [id] = selected;
  const none = id === undefined;
  const one = selected.size === 1;
  const rename = () => id !== undefined && setBox({ kind: "rename", id });
  const byBrowser = { keysOnly: true, byBrowser: true };
  return [
    act("add", "Add a node…", "A", { run: () => openAddBox(bench), words: "new create insert" }),
    act("connect", "Connect to…", "C", { run: () => openConnectBox(bench), disabled: none, words: "edge link" }),
    act("edit", "Edit fields", "Enter", { run: () => editNode(bench), keysOnly: true, disabled: !one }),
    act("escape", "One level out", "Escape", { run: () => session.select([]), keysOnly: true }),
    act("rename", "Rename the id…", "F2", { run: rename, disabled: !one }),
    act("snippets", none ? "Snippets…" : "Save the selection as a snippet…", "Ctrl+Shift+S", {
      run: () => setBox({ kind: "snippets" }),
      words: "snippets save template reuse",
    }),
    act("schedule", "Add a schedule…", undefined, {
      run: () => setBox({ kind: "schedule" }),
      words: "trigger cron time",
    }),
    act("delete", "Delete", "Delete or Backspace", { run: () => operations.remove(false) }),
    act("heal", "Delete and reconnect", "Ctrl+Delete or Ctrl+Backspace", { run: () => operations.remove(true) }),
    act("undo", "Undo", "Ctrl+Z", { run: operations.undo, held: true }),
    act("redo", "Redo", "Ctrl+Shift+Z or Ctrl+Y", { run: operations.redo, held: true }),
    act("copy", "Copy", "Ctrl+C", { run: () => document.execCommand("copy"), ...byBrowser }),
    act("cut", "Cut", "Ctrl+X", { run: () => document.execCommand("cut"), ...byBrowser }),
    act("paste", "Paste", "Ctrl+V", { run: bench.onPaste, ...byBrowser }),
    act("duplicate", "Duplicate", "Ctrl+D", { run: operations.duplicate, disabled: none }),
    act("all", "Select everything", "Ctrl+A", { run: () => session.select(bench.model.order) }),
    act("wrap", "Put the selection in a loop", "Ctrl+G", {
      run: operations.wrap,
      disabled: none,
      words: "repeat wrap",
    }),
  ];
}

function movingActions(bench: Bench): Action[] {
  const { operations, canvas, selected } = bench;
  const none = selected.size === 0;
  const fitSelection = () => canvas.current?.fitAll(selected);
  return [
    act("tidy", "Tidy up the canvas", "L", { run: operations.tidy, words: "layout arrange auto" }),
    act("fit", "Everything in view", "Shift+1", { run: () => canvas.current?.fitAll(), words: "zoom fit" }),
    act("fit.selection", "Selection in view", "Shift+2", { run: fitSelection, disabled: none }),
    ...perWay("move", "Move", "", (way) => operations.nudge(way, 1), none),
    ...perWay("far", "Move far", "Shift+", (way) => operations.nudge(way, 5), none),
    ...perWay("walk", "Walk", "Alt+", operations.walk),
    ...perWay("grow", "New connected node", "Ctrl+", (way) => openAddBox(bench, way), none),
  ];
}

function viewActions(bench: Bench): Action[] {
  const { show, frame } = bench;
  const toggleInspector = () => frame.set({ inspector: !frame.inspector });
  const yaml = "yaml text view";
  return [
    act("run", "Run this workflow", "R", { run: bench.start, words: "start execute" }),
    act("run.inputs", "Run with inputs", undefined, { run: bench.startWithInputs, words: "start execute parameters" }),
    act("view.design", "Design", "1", { run: () => show("design"), words: "canvas view" }),
    act("view.run", "The last run, or the chosen one", "2", { run: () => show("run"), words: "view history" }),
    act("view.source", "Source", "3", { run: () => show("source"), words: yaml }),
    act("view.split", "Design and source", "4", { run: () => show("split"), words: `${yaml} both` }),
    act("outline", "Outline", "O", { run: () => toggleOutline(bench), words: "tree nodes screen reader" }),
    act("dock", "Bottom panel", "Ctrl+J", {
      run: () => toggleDock(bench),
      inFields: true,
      words: "problems output timeline",
    }),
    act("workflow", "Fields of the workflow", "W", {
      run: () => editWorkflow(bench),
      words: "name inputs settings panel",
    }),
    act("inspector", "Inspector", "Ctrl+.", { run: toggleInspector, inFields: true }),
  ];
}
