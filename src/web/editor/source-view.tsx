// SourceView: the file's text, with completion from the schema, problems shown in place, and the cursor linked with the
// canvas (spec ui.md 6.2).
//   S1. While the user types, the editor is ahead of the document (code/running.ts U1, U2).
//   S2. Changes from elsewhere do not move the cursor within its text.
//   S3. Undo uses the document's history, so that changes on the canvas and in the text are undone in their order.

import { autocompletion } from "@codemirror/autocomplete";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { fromOutside, type Running, startEditor, useRunning } from "../code/running.ts";
import { codeSetup, escapeLeaves } from "../code/setup.ts";
import { type Doc, editBetween, nodeRanges, type TextEdit } from "../document/index.ts";
import { schemaCompletion } from "./schema-completion.ts";

export interface SourceViewProps {
  doc: Doc;
  diagnostics: { text: string; list: readonly Diagnostic[] };
  selected: ReadonlySet<string>;
  onType: (edits: readonly TextEdit[]) => void;
  onUndo: () => void;
  onRedo: () => void;
  /** Called when the cursor enters this node. */
  onCursor: (id: string) => void;
  /** Called on Escape, if the editor does not use it. */
  onLeave: () => void;
  /** The place to go to, counted from 1. A new object goes there again. */
  goTo?: { line: number; column: number } | undefined;
}

export function SourceView(props: SourceViewProps) {
  const { doc, diagnostics, selected, goTo } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Running>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useRunning(host, editor, doc.text, (parent) => start(parent, latest));
  useEffect(() => {
    const view = editor.current?.view;
    if (view === undefined || view.state.sliceDoc() !== diagnostics.text) return;
    view.dispatch(
      setDiagnostics(
        view.state,
        diagnostics.list.map((found) => shown(view.state, found)),
      ),
    );
  }, [diagnostics]);
  useEffect(() => {
    const view = editor.current?.view;
    const [only] = selected.size === 1 ? selected : [];
    if (view === undefined || only === undefined || view.hasFocus) return;
    const range = nodeRanges(latest.current.doc).find(({ id }) => id === only);
    if (range !== undefined) reveal(view, range.from);
  }, [selected]);
  useEffect(() => {
    const view = editor.current?.view;
    if (view === undefined || goTo === undefined) return;
    const line = view.state.doc.line(Math.min(goTo.line, view.state.doc.lines));
    reveal(view, Math.min(line.from + goTo.column - 1, line.to));
    view.focus();
  }, [goTo]);

  return (
    <div
      ref={host}
      className="source-view h-full min-h-0 overflow-hidden bg-panel focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-focus"
    />
  );
}

function start(parent: HTMLElement, props: { current: SourceViewProps }): Running {
  const { text } = props.current.doc;
  const told = (run: () => void) => () => {
    running.tell();
    run();
    return true;
  };
  const running = startEditor(parent, {
    text,
    onText: (now) => props.current.onType(editBetween(props.current.doc.text, now)),
    extensions: [
      Prec.highest(
        keymap.of([
          { key: "Mod-z", run: told(() => props.current.onUndo()) },
          { key: "Mod-Shift-z", run: told(() => props.current.onRedo()) },
          { key: "Mod-y", run: told(() => props.current.onRedo()) },
        ]),
      ),
      Prec.lowest(keymap.of([{ key: "Escape", run: told(() => props.current.onLeave()) }])),
      text.includes("\r\n") ? EditorState.lineSeparator.of("\r\n") : [],
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      codeSetup({ language: "yaml", label: "Source of the workflow", noHistory: true }),
      escapeLeaves,
      autocompletion({ override: [schemaCompletion], icons: false }),
      EditorView.theme({ "&": { height: "100%" }, ".cm-scroller": { overflow: "auto" } }),
      EditorView.updateListener.of(({ selectionSet, transactions, state, view }) => {
        if (!selectionSet || !view.hasFocus || transactions.some((one) => one.annotation(fromOutside))) return;
        const at = state.selection.main.head;
        const node = nodeRanges(props.current.doc).find(({ from, to }) => from <= at && at <= to);
        if (node !== undefined && !props.current.selected.has(node.id)) props.current.onCursor(node.id);
      }),
    ],
  });
  return running;
}

function reveal(view: EditorView, offset: number): void {
  const at = Math.min(offset, view.state.doc.length);
  view.dispatch({
    selection: { anchor: at },
    effects: EditorView.scrollIntoView(at, { y: "center" }),
    annotations: fromOutside.of(true),
  });
}

function shown(state: EditorState, { range, severity, message, help, code }: Diagnostic) {
  const offset = ({ line, column }: { line: number; column: number }): number => {
    const found = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
    return Math.min(found.from + column - 1, found.to);
  };
  const from = offset(range.start);
  return {
    from,
    to: Math.max(from, offset(range.end)),
    severity,
    source: code,
    message: help === undefined ? message : `${message} ${help}`,
  };
}
