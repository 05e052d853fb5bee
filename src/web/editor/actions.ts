// actions: the editor's actions with their keys (spec ui.md 6.5), for the keyboard, the command palette, and the help.

import { type Action, useActions } from "../app/actions.ts";
import type { WorkflowView } from "../app/view-switch.tsx";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import type { Operations } from "./operations.ts";
import type { Line, Way } from "./rules.ts";

export interface EditorKeys {
  operations: Operations;
  canvas: () => CanvasHandle | null;
  selected: ReadonlySet<string>;
  /** Opens the box that adds a node. With `beside`, the new node is connected to the selected one. */
  onAdd: (beside?: Way) => void;
  onConnect: () => void;
  /** Moves the focus to the fields of the selected node. */
  onEdit: () => void;
  onPaste: () => void;
  onRename: () => void;
  onSnippets: () => void;
  onEscape: () => void;
  onView: (view: WorkflowView) => void;
  onRun: () => void;
  onDock: () => void;
  onInspector: () => void;
  onOutline: () => void;
  onSelectAll: () => void;
}

const WAYS: [string, Way][] = [
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
];

const LINES: [Line, string][] = [
  ["left", "Align left edges"],
  ["centre", "Align centres"],
  ["right", "Align right edges"],
  ["top", "Align tops"],
  ["middle", "Align middles"],
  ["bottom", "Align bottoms"],
  ["across", "Spread across"],
  ["down", "Spread down"],
];

export function useEditorActions(keys: EditorKeys): void {
  const { operations, canvas, selected } = keys;
  const none = selected.size === 0;
  const act = (id: string, title: string, chord: string | undefined, run: () => void, more: Partial<Action> = {}) => ({
    id: `editor.${id}`,
    title,
    run,
    keys: chord,
    ...more,
  });
  const perWay = (id: string, title: string, prefix: string, run: (way: Way) => void, disabled: boolean) =>
    WAYS.map(([key, way]) =>
      act(`${id}.${way}`, `${title} ${way}`, prefix + key, () => run(way), { keysOnly: true, held: true, disabled }),
    );
  useActions("Editor", [
    act("add", "Add a node…", "A", () => keys.onAdd(), { words: "new create insert" }),
    act("connect", "Connect to…", "C", keys.onConnect, { disabled: none, words: "edge link" }),
    act("edit", "Edit its fields", "Enter", keys.onEdit, { keysOnly: true, disabled: selected.size !== 1 }),
    act("escape", "One level out", "Escape", keys.onEscape, { keysOnly: true }),
    act("rename", "Rename the id…", "F2", keys.onRename, { disabled: selected.size !== 1 }),
    act("snippets", none ? "Snippets…" : "Keep the selection as a snippet…", "Ctrl+Shift+S", keys.onSnippets, {
      words: "snippets save template reuse",
    }),
    act("delete", "Delete", "Delete or Backspace", () => operations.remove(false)),
    act("heal", "Delete and reconnect", "Ctrl+Delete or Ctrl+Backspace", () => operations.remove(true)),
    act("undo", "Undo", "Ctrl+Z", operations.undo, { held: true }),
    act("redo", "Redo", "Ctrl+Shift+Z or Ctrl+Y", operations.redo, { held: true }),
    act("copy", "Copy", "Ctrl+C", () => document.execCommand("copy"), { keysOnly: true, byBrowser: true }),
    act("cut", "Cut", "Ctrl+X", () => document.execCommand("cut"), { keysOnly: true, byBrowser: true }),
    act("paste", "Paste", "Ctrl+V", keys.onPaste, { keysOnly: true, byBrowser: true }),
    act("duplicate", "Duplicate", "Ctrl+D", operations.duplicate, { disabled: none }),
    act("all", "Select everything", "Ctrl+A", keys.onSelectAll),
    act("wrap", "Put the selection in a loop", "Ctrl+G", operations.wrap, { disabled: none, words: "repeat wrap" }),
    act("tidy", "Tidy the drawing", "L", () => void operations.tidy(), { words: "layout arrange auto" }),
    act("fit", "Everything in view", "Shift+1", () => canvas()?.fitAll(), { words: "zoom fit" }),
    act("fit.selection", "Selection in view", "Shift+2", () => canvas()?.fitAll(selected), { disabled: none }),
    ...perWay("move", "Move", "", (way) => operations.nudge(way, 1), none),
    ...perWay("far", "Move far", "Shift+", (way) => operations.nudge(way, 5), none),
    ...perWay("walk", "Walk", "Alt+", operations.walk, false),
    ...perWay("grow", "New connected node", "Ctrl+", keys.onAdd, none),
    ...LINES.map(([line, title]) =>
      act(`align.${line}`, title, undefined, () => operations.align(line), { disabled: selected.size < 2 }),
    ),
    act("run", "Run this workflow", "R", keys.onRun, { words: "start execute" }),
    act("view.design", "Design", "1", () => keys.onView("design"), { words: "canvas view" }),
    act("view.run", "The last run, or the chosen one", "2", () => keys.onView("run"), { words: "view history" }),
    act("view.source", "Source", "3", () => keys.onView("source"), { words: "yaml text view" }),
    act("view.split", "Design and source", "4", () => keys.onView("split"), { words: "yaml text view both" }),
    act("outline", "Outline", "O", keys.onOutline, { words: "tree steps screen reader" }),
    act("dock", "Problems", "Ctrl+J", keys.onDock, { inFields: true, words: "dock" }),
    act("inspector", "Inspector", "Ctrl+.", keys.onInspector, { inFields: true }),
  ]);
}
