// insert: inserts a reference at the last cursor position of an editor that is still shown (ui 6.3: inserting a
// variable by clicking an earlier output's JSON).

import type { EditorView } from "@codemirror/view";
import { groundsOf } from "./references.ts";

let last: EditorView | undefined;

/** Remembers the editor that has, or last had, the focus. */
export function isWrittenIn(view: EditorView): void {
  last = view;
}

export function isGone(view: EditorView): void {
  if (last === view) last = undefined;
}

/** Inserts `${1.id}`, or `inputs[0].id` in an expression. Returns false if no editor can be written to. */
export function insertReference(root: string, members: readonly (string | number)[]): boolean {
  if (last === undefined || !last.dom.isConnected || last.state.readOnly) return false;
  const { mode } = last.state.facet(groundsOf);
  const text = referenceText(mode, root, members);
  last.dispatch(last.state.replaceSelection(text), { userEvent: "input.insert", scrollIntoView: true });
  last.focus();
  return true;
}

export function referenceText(
  mode: "template" | "expression",
  root: string,
  members: readonly (string | number)[],
): string {
  const path = members.map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`)).join("");
  if (mode === "template") return `\${${root}${path}}`;
  return /^[0-9]/.test(root) ? `inputs[${Number(root) - 1}]${path}` : `vars.${root}${path}`;
}
