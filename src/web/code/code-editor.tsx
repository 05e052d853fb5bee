// CodeEditor: one field of code. Loaded when first shown; CodeField stands in until then.
//   E1. While a person types, the editor is ahead of the document; it tells what it holds shortly after the last key, when the focus
//       leaves, and before it goes away: no key is lost.
//   E2. What comes from outside (undo, another tab) replaces the text only when nothing is on its way out.

import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { type OnFix, showFindings } from "./findings.ts";
import { isGone, isWrittenIn } from "./insert.ts";
import type { LanguageName } from "./language-name.ts";
import { languageOf } from "./languages.ts";
import type { Finding } from "./places.ts";
import type { CodeGrounds } from "./references.ts";
import { groundsOf, references } from "./references.ts";
import { codeSetup } from "./setup.ts";

export interface CodeEditorProps {
  value: string;
  onChange?: (value: string) => void;
  language: LanguageName;
  label: string;
  grounds?: CodeGrounds | undefined;
  findings?: readonly Finding[];
  onFix?: OnFix;
  describedBy?: string | undefined;
  singleLine?: boolean;
  readOnly?: boolean;
  placeholder?: string;
}

/** After the last key. */
const TELL_AFTER_MS = 180;
const TELL_AFTER_MAX_MS = 600;
const NONE: readonly Finding[] = [];
const NOTHING: CodeGrounds = { mode: "template", names: [] };

export default function CodeEditor(props: CodeEditorProps) {
  const { value, language, grounds = NOTHING, findings = NONE, onFix, describedBy } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Running | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const running = start(host.current as HTMLDivElement, latest);
    editor.current = running;
    return () => {
      running.tell();
      isGone(running.view);
      running.view.destroy();
    };
  }, []);

  useEffect(() => editor.current?.take(value), [value]);
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
    if (view !== undefined && isAhead?.() !== true)
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
  }, [findings, onFix]);
  useEffect(() => {
    const content = editor.current?.view.contentDOM;
    if (describedBy === undefined) content?.removeAttribute("aria-describedby");
    else content?.setAttribute("aria-describedby", describedBy);
  }, [describedBy]);

  return <div ref={host} className="min-w-0" />;
}

interface Running {
  view: EditorView;
  language: Compartment;
  grounds: Compartment;
  /** E2. */
  take(value: string): void;
  /** E1. */
  tell(): void;
  isAhead(): boolean;
}

function start(parent: HTMLElement, props: { current: CodeEditorProps }): Running {
  const { value, language: name, label, grounds: known = NOTHING, singleLine, readOnly, placeholder } = props.current;
  const language = new Compartment();
  const grounds = new Compartment();
  let told = value;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tellAfterMs = TELL_AFTER_MS;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = view.state.doc.toString();
    if (text === told) return;
    told = text;
    const from = performance.now();
    props.current.onChange?.(text);
    // Where telling is felt (a thousand nodes) it waits for a longer pause, so that the next key does not wait for it.
    tellAfterMs = Math.min(TELL_AFTER_MAX_MS, Math.max(TELL_AFTER_MS, 4 * (performance.now() - from)));
  };
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
          ...(singleLine === undefined ? {} : { singleLine }),
          ...(readOnly === undefined ? {} : { readOnly }),
          ...(placeholder === undefined ? {} : { placeholder }),
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          clearTimeout(timer);
          timer = setTimeout(tell, tellAfterMs);
        }),
        EditorView.domEventHandlers({
          focus: (_event, focused) => isWrittenIn(focused),
          blur: () => void tell(),
          keydown: (event) => {
            // Whoever tests or saves with a key means what stands here now.
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) tell();
          },
        }),
      ],
    }),
  });
  return {
    view,
    language,
    grounds,
    tell,
    isAhead: () => timer !== undefined,
    take: (next) => {
      const text = view.state.doc.toString();
      if (next === text || timer !== undefined) return;
      told = next;
      view.dispatch({ changes: { from: 0, to: text.length, insert: next } });
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
