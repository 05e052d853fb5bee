// CodeEditor: one field of code. Loaded when first shown. CodeField is shown until then.
//   E1. While the user types, the editor is ahead of the document (running.ts U1, U2).

import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { type OnFix, showFindings } from "./findings.ts";
import { isGone, isWrittenIn } from "./insert.ts";
import type { LanguageName } from "./language-name.ts";
import { languageOf } from "./languages.ts";
import type { Finding } from "./places.ts";
import type { CodeGrounds } from "./references.ts";
import { groundsOf, references } from "./references.ts";
import { delayed, PAUSE_MS, type Running, useRunning } from "./running.ts";
import { codeSetup } from "./setup.ts";

export interface CodeEditorProps {
  value: string;
  onChange?: (value: string) => void;
  language: LanguageName;
  label: string;
  grounds?: CodeGrounds | undefined;
  findings?: readonly Finding[];
  /** The findings are about an earlier text of the document. */
  areOld?: boolean;
  onFix?: OnFix;
  describedBy?: string | undefined;
  singleLine?: boolean;
  readOnly?: boolean;
  placeholder?: string;
}

const NONE: readonly Finding[] = [];
const NOTHING: CodeGrounds = { mode: "template", names: [] };

export default function CodeEditor(props: CodeEditorProps) {
  const { value, language, grounds = NOTHING, findings = NONE, areOld, onFix, describedBy } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Field>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useRunning(host, editor, value, (parent) => start(parent, latest));
  useEffect(() => {
    const running = editor.current;
    running?.view.dispatch({ effects: running.language.reconfigure(languageOf(language)) });
  }, [language]);
  useEffect(() => {
    const running = editor.current;
    running?.view.dispatch({ effects: running.grounds.reconfigure(groundsOf.of(grounds)) });
  }, [grounds]);
  useEffect(() => {
    const { view, isAhead } = editor.current ?? {};
    if (view !== undefined && areOld !== true && isAhead?.() !== true)
      showFindings(
        view,
        findings,
        onFix === undefined
          ? undefined
          : (fix, text) => {
              editor.current?.tell();
              onFix(fix, text);
            },
      );
  }, [findings, areOld, onFix]);
  useEffect(() => {
    const content = editor.current?.view.contentDOM;
    if (describedBy === undefined) content?.removeAttribute("aria-describedby");
    else content?.setAttribute("aria-describedby", describedBy);
  }, [describedBy]);

  return <div ref={host} className="min-w-0" />;
}

interface Field extends Running {
  language: Compartment;
  grounds: Compartment;
  isAhead(): boolean;
}

function start(parent: HTMLElement, props: { current: CodeEditorProps }): Field {
  const { value, language: name, label, grounds: known = NOTHING, singleLine, readOnly, placeholder } = props.current;
  const language = new Compartment();
  const grounds = new Compartment();
  let told = value;
  const telling = delayed(PAUSE_MS, () => {
    const text = view.state.doc.toString();
    if (text === told) return;
    told = text;
    props.current.onChange?.(text);
  });
  /** Set while the text is replaced from outside, which must not be reported as typing. */
  let isTaken = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        language.of(languageOf(name)),
        grounds.of(groundsOf.of(known)),
        references(),
        codeSetup({
          language: "text",
          label,
          singleLine,
          readOnly,
          placeholder,
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isTaken) telling.later();
        }),
        ViewPlugin.define((made) => ({ destroy: () => isGone(made) })),
        EditorView.domEventHandlers({
          focus: (_event, focused) => isWrittenIn(focused),
          blur: () => void telling.now(),
          keydown: (event) => {
            // A key that tests or saves must use the current text.
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) telling.now();
          },
        }),
      ],
    }),
  });
  return {
    view,
    language,
    grounds,
    tell: telling.now,
    isAhead: telling.isOn,
    take: (next) => {
      const text = view.state.doc.toString();
      if (next === text || telling.isOn()) return;
      told = next;
      isTaken = true;
      view.dispatch({ changes: { from: 0, to: text.length, insert: next } });
      isTaken = false;
    },
  };
}
