// code: fields with references: templates of one line or several, commands, prompts, and expressions.

import { Suspense, useMemo } from "react";
import { CodeField } from "../../code/code-field.tsx";
import { commandLanguage, type LanguageName } from "../../code/language-name.ts";
import type { FieldSpec } from "../../kinds.ts";
import { lazily } from "../../ui/lazily.ts";
import { useField, useGrounds, usePanel } from "../context.ts";
import { written } from "./controls.tsx";
import { Frame } from "./frame.tsx";

const HttpFormView = lazily(
  () => import("../http-form-view.tsx"),
  (it) => it.HttpFormView,
);

const LINES: Partial<Record<FieldSpec["control"], number>> = { shell: 6, prompt: 6, text: 3, expression: 1 };

export function TemplateField({ spec }: { spec: FieldSpec }) {
  const { node, isChecked } = usePanel();
  const field = useField(spec.path);
  const text = written(field.value);
  const isShell = spec.control === "shell";
  const mode = spec.control === "expression" ? "expression" : "template";
  const label = isShell ? (node?.data.mode === "script" ? "Script" : "Command") : spec.label;
  const plain: LanguageName = mode === "expression" ? "expression" : "text";
  const language = isShell ? commandLanguage(text, node?.data.mode, node?.effective.shell) : plain;
  const grounds = useGrounds(spec, mode, isShell);
  const findings = useSettled(field.findings);
  return (
    <Frame
      label={label}
      help={spec.control === "prompt" ? `${spec.help} ${tokensIn(text)}` : spec.help}
      findings={field.findings}
      labelled
    >
      {(described) => (
        <CodeField
          key={`${node?.key} ${spec.path.join(".")}`}
          value={text}
          language={language}
          label={label}
          grounds={grounds}
          findings={findings}
          areOld={!isChecked}
          describedBy={described["aria-describedby"]}
          invalid={described["aria-invalid"]}
          singleLine={spec.control === "template"}
          lines={LINES[spec.control] ?? 1}
          placeholder={spec.usual}
          onChange={(next) => field.set(typedValue(next, spec))}
        />
      )}
    </Frame>
  );
}

/** A command, below the form of its request. */
export function CommandField({ spec }: { spec: FieldSpec }) {
  const { node } = usePanel();
  return (
    <div className="flex flex-col gap-3.5">
      {node !== undefined && (
        <Suspense>
          <HttpFormView />
        </Suspense>
      )}
      <TemplateField spec={spec} />
    </div>
  );
}

/** A plain number in a counting field stays a number. */
function typedValue(text: string, { path }: FieldSpec): unknown {
  if (text === "") return undefined;
  const counts = path.length === 1 && (path[0] === "iterations" || path[0] === "start");
  return counts && /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

/** Estimates four characters per token, the average of common models. The run records the real count. */
function tokensIn(text: string): string {
  return text === ""
    ? ""
    : `About ${Math.ceil(text.length / 4).toLocaleString("en")} tokens before values are filled in.`;
}

/** Keeps the list's identity while its content is equal, so that the editor is not updated for nothing. */
function useSettled<Item>(items: readonly Item[]): readonly Item[] {
  const key = JSON.stringify(items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the content of the list.
  return useMemo(() => items, [key]);
}
