// findings: underlines the findings of a field in its editor and offers their one-click fixes (ui 6.3).
//   D1. Validation of the whole document happens elsewhere. Outdated findings move with the text here.

import { type Action, type Diagnostic as Shown, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { type Fix, fixesOf } from "./fixes.ts";
import type { Finding } from "./places.ts";

export type OnFix = (fix: Fix, text: string) => void;

export function showFindings(view: EditorView, findings: readonly Finding[], onFix?: OnFix): void {
  const length = view.state.doc.length;
  const text = view.state.doc.toString();
  const shown = findings.map((finding): Shown => {
    const from = Math.min(finding.start, length);
    const to = Math.min(Math.max(finding.end, from), length);
    return {
      from,
      to,
      severity: finding.severity,
      message: finding.help === undefined ? finding.message : `${finding.message} ${finding.help}`,
      ...(/^unknown-name/.test(finding.code) ? { markClass: "cm-ref-unknown" } : {}),
      actions: fixesOf(finding, text).flatMap((fix) => actionOf(fix, text, onFix)),
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

/**
 * The editor applies a fix that changes only text. A fix of other fields is passed to `onFix` and returns with the
 * document. A fix applies only to the text that it was made for.
 */
function actionOf(fix: Fix, text: string, onFix: OnFix | undefined): Action[] {
  const isFor = (view: EditorView) => view.state.doc.toString() === text;
  const { changes = [], set, label } = fix;
  if (set === undefined)
    return [
      {
        name: label,
        apply: (view) => isFor(view) && view.dispatch({ changes: [...changes], userEvent: "input.fix" }),
      },
    ];
  return onFix === undefined ? [] : [{ name: label, apply: (view) => isFor(view) && onFix(fix, text) }];
}
