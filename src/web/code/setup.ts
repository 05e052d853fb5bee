// setup: the common extensions of all code editors. The panel's fields and the source view share them (ui 6.2, 6.3).
//   S1. Tab leaves the editor, as everywhere on the page. The key help lists the editor's keys.
//   S2. Ctrl+Enter and Escape belong to the page: they test a node and move one level out.

import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
  currentCompletions,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import type { LanguageName } from "./language-name.ts";
import { languageOf } from "./languages.ts";
import { codeLook } from "./theme.ts";

export interface SetupOptions {
  language: LanguageName;
  /** The accessible name of the editor. */
  label?: string;
  singleLine?: boolean;
  readOnly?: boolean;
  placeholder?: string;
  /** The document has the undo history, not the editor. */
  noHistory?: boolean;
}

const PAGE_KEYS = new Set(["Mod-Enter", "Ctrl-Enter"]);
const keys = defaultKeymap.filter(({ key }) => key === undefined || !PAGE_KEYS.has(key));

export function codeSetup(options: SetupOptions): Extension {
  const { language, label, singleLine, readOnly, noHistory } = options;
  // An editable element is a Tab stop anyway, but accessibility checkers require the attribute.
  const attributes = { tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" };
  return [
    codeLook(),
    languageOf(language),
    highlightSpecialChars(),
    drawSelection(),
    bracketMatching(),
    overMarked,
    noHistory ? [] : [history(), keymap.of(historyKeymap)],
    readOnly ? EditorState.readOnly.of(true) : [closeBrackets(), indentOnInput()],
    singleLine ? oneLine : [EditorView.lineWrapping, keymap.of(searchKeymap)],
    options.placeholder === undefined ? [] : placeholder(options.placeholder),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...keys]),
    EditorView.contentAttributes.of(attributes),
    label === undefined ? [] : EditorView.contentAttributes.of({ "aria-label": label }),
    singleLine ? EditorView.contentAttributes.of({ "aria-multiline": "false" }) : [],
  ];
}

/**
 * S2. Right after a key, completions are looked for but not shown yet, and Escape would only end that. It goes before
 * `autocompletion`.
 */
export const escapeLeaves: Extension = Prec.highest(
  keymap.of([
    {
      key: "Escape",
      run(view) {
        const isShown = currentCompletions(view.state).length > 0;
        if (!isShown && completionStatus(view.state) !== null) closeCompletion(view);
        return false;
      },
    },
  ]),
);

/** Newlines in pasted text become blanks. Enter adds none. */
const oneLine: Extension = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  if (transaction.isUserEvent("input") && !transaction.isUserEvent("input.paste")) return [];
  const text = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, " ");
  return {
    changes: { from: 0, to: transaction.startState.doc.length, insert: text },
    selection: { anchor: Math.min(transaction.newSelection.main.head, text.length) },
  };
});

/**
 * Handles text typed over a selection. The browser would keep the replaced text's look in a `style` attribute, which
 * the Content Security Policy blocks (spec 4.3) with a console error. So the editor inserts the text, with the usual
 * input handlers.
 */
const overMarked: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const { data } = event;
    const plain = event.inputType === "insertText" && data !== null && !event.isComposing && !view.composing;
    if (!plain || main.empty || ranges.length > 1 || view.state.readOnly) return false;
    const { from, to } = main;
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        userEvent: "input.type",
        scrollIntoView: true,
      });
    const taken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!taken) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
