// moves: opens the small boxes of the editor, and moves the focus between its parts (spec ui.md 6.5).

import { nodeRanges } from "../document/index.ts";
import { openFirstTab } from "../inspector/inspector.tsx";
import { focusSoon } from "../ui/focus.ts";
import type { Bench } from "./bench.ts";
import type { Beside } from "./editing.ts";
import type { Kind } from "./kinds.ts";
import { placeBeside, type Way } from "./rules.ts";

export interface Screen {
  x: number;
  y: number;
}

/** Opens the box that adds a node. With `way`, the new node is connected to the selected one. */
export function openAddBox({ selected, drawn, setBox }: Bench, way?: Way): void {
  const [id] = selected;
  if (way === undefined || id === undefined) {
    setBox({ kind: "add", screen: screenOf(), where: {} });
    return;
  }
  const loop = drawn.current.loops.get(id);
  // Beside a loop with a body, the new node follows the loop.
  const source = loop !== undefined && loop.inside.length > 0 ? loop.end.id : id;
  const at = placeBeside(drawn.current, id, way);
  setBox({ kind: "add", screen: screenOf(id), where: { at, after: { source } } });
}

/** Adds a node of a kind. The first thing to fill in of an HTTP request is its URL. */
export function addKind(bench: Bench, kind: Kind, where: Beside = {}): void {
  openFirstTab();
  const isRequest = kind.id === "http";
  bench.operations.add(kind, where, !isRequest);
  if (!isRequest) return;
  bench.openInspector();
  focusSoon(() => {
    const url = document.querySelector<HTMLElement>(`${INSPECTOR} [data-part=url] [contenteditable=true]`);
    url?.focus();
    if (url !== null) getSelection()?.selectAllChildren(url);
    return url;
  });
}

export function openConnectBox({ selected, setBox }: Bench): void {
  const [source] = selected;
  if (source !== undefined) setBox({ kind: "connect", screen: screenOf(source), source });
}

/** Focuses the first field of the selected node. */
export function editNode({ selected, openInspector }: Bench): void {
  if (selected.size === 0) return;
  openInspector();
  focusField(":is(input, textarea, select)");
}

/** Selects its text, as Tab does. */
function focusField(selector: string): void {
  focusSoon(() => {
    const field = document.querySelector<HTMLElement>(`${INSPECTOR} ${selector}`);
    if (field instanceof HTMLInputElement) field.select();
    return field;
  });
}

/** Focuses the first field of the workflow. Nothing stays selected. */
export function editWorkflow({ session, openInspector }: Bench): void {
  session.select([]);
  openInspector();
  focusField("[data-part=workflow] :is(input, textarea)");
}

/** Focuses the selected node, or the first one, or the first tile. A drawer closes. */
export function leaveInspector({ selected, frame, canvas, drawn }: Bench): void {
  const id = [...selected][0] ?? drawn.current.order[0];
  if (!frame.isWide) frame.set({ inspector: false });
  if (id === undefined) {
    focusSoon(() => document.querySelector<HTMLElement>("[data-part=start] button"));
    return;
  }
  if (canvas.current !== null) canvas.current.focus(id);
  else focusSoon(() => document.querySelector<HTMLElement>(`[role=treeitem][data-id="${CSS.escape(id)}"]`));
}

/** Focuses the canvas next to the text, or the choice of views if there is no canvas. */
export function leaveSource({ selected, drawn, canvas }: Bench): void {
  const id = [...selected][0] ?? drawn.current.order[0];
  if (canvas.current !== null && id !== undefined) canvas.current.focus(id);
  else document.querySelector<HTMLElement>("[role=group] > [aria-pressed=true]")?.focus();
}

/** Shows the place of a problem: its node on the canvas, and its line in the text. */
export function showProblem(bench: Bench, line: number, column: number): void {
  const { doc } = bench.state;
  const before = doc.text.split("\n").slice(0, line - 1);
  const offset = before.join("\n").length + column;
  const node = nodeRanges(doc).find(({ from, to }) => from <= offset && offset <= to + 1);
  if (node !== undefined) bench.showNode(node.id);
  else if (bench.view === "design") bench.show("source");
  bench.setGoTo({ line, column });
}

/** A point below a button. */
export function below(button: Element): Screen {
  const { left, bottom } = button.getBoundingClientRect();
  return { x: left, y: bottom + 6 };
}

const INSPECTOR = "[data-part=inspector]";

/** A point next to the node, or in the middle of the canvas. */
function screenOf(id?: string): Screen {
  const node = id === undefined ? null : document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  const box = (node ?? document.querySelector("[data-part=work]"))?.getBoundingClientRect();
  if (box === undefined) return { x: 200, y: 200 };
  return node === null
    ? { x: box.left + box.width / 2 - 160, y: box.top + box.height / 4 }
    : { x: box.right + 12, y: box.top };
}
