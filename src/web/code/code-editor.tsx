// CodeEditor: one field of code. Loaded when first shown. CodeField is shown until then.
//   E1. While the user types, the editor is ahead of the document (running.ts U1, U2).

import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { isGone, isWrittenIn } from "./insert.ts";
import type { LanguageName } from "./language-name.ts";
import { languageOf } from "./languages.ts";
import type { Finding } from "./places.ts";
import { type CodeGrounds, groundsOf, references } from "./references.ts";
import { type Running, startEditor, useRunning } from "./running.ts";
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
  describedBy?: string | undefined;
  singleLine?: boolean;
  readOnly?: boolean;
  placeholder?: string;
}

const NONE: readonly Finding[] = [];
const NO_GROUNDS: CodeGrounds = { mode: "template", names: [] };

export default function CodeEditor(props: CodeEditorProps) {
  const { value, language, grounds = NO_GROUNDS, findings = NONE, areOld, describedBy } = props;
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
    const running = editor.current;
    if (running === undefined || areOld === true || running.isAhead()) return;
    const { state } = running.view;
    const shown = findings.map((finding) => underlined(finding, state.doc.length));
    running.view.dispatch(setDiagnostics(state, shown));
  }, [findings, areOld]);
  useEffect(() => {
    const content = editor.current?.view.contentDOM;
    if (describedBy === undefined) content?.removeAttribute("aria-describedby");
    else content?.setAttribute("aria-describedby", describedBy);
  }, [describedBy]);

  return <div ref={host} className="min-w-0" />;
}

/** The fixes of a finding are below the field. */
function underlined({ start, end, severity, code, message, help }: Finding, length: number): Diagnostic {
  const from = Math.min(start, length);
  return {
    from,
    to: Math.min(Math.max(end, from), length),
    severity,
    message: help === undefined ? message : `${message} ${help}`,
    markClass: /^unknown-name/.test(code) ? "cm-ref-unknown" : undefined,
  };
}

interface Field extends Running {
  language: Compartment;
  grounds: Compartment;
}

function start(parent: HTMLElement, props: { current: CodeEditorProps }): Field {
  const {
    value,
    language: name,
    label,
    grounds: known = NO_GROUNDS,
    singleLine,
    readOnly,
    placeholder,
  } = props.current;
  const language = new Compartment();
  const grounds = new Compartment();
  const running = startEditor(parent, {
    text: value,
    onText: (text) => props.current.onChange?.(text),
    extensions: [
      language.of(languageOf(name)),
      grounds.of(groundsOf.of(known)),
      references(),
      codeSetup({ language: "text", label, singleLine, readOnly, placeholder }),
      ViewPlugin.define((made) => ({ destroy: () => isGone(made) })),
      EditorView.domEventHandlers({
        focus: (_event, focused) => isWrittenIn(focused),
        keydown: (event) => {
          // A key that tests or saves must use the current text.
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) running.tell();
        },
      }),
    ],
  });
  return { ...running, language, grounds };
}
