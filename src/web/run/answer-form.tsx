// AnswerForm: a decision that needs text: an edited command, or a reason for a rejection.

import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Field, inputClass } from "../ui/field.tsx";

interface AnswerFormProps {
  label: string;
  /** The command to edit. Absent: a single line. */
  first?: string;
  help?: string;
  submit: string;
  busy: boolean;
  onCancel: () => void;
  onSubmit: (text: string) => void;
}

export function AnswerForm({ label, first, help, submit, busy, onCancel, onSubmit }: AnswerFormProps) {
  const [text, setText] = useState(first ?? "");
  const isEdit = first !== undefined;
  const Control = isEdit ? "textarea" : "input";
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && text.trim() !== "") onSubmit(isEdit ? text : text.trim());
      }}
      // The keys of the page must not act on what is typed.
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onCancel();
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      <Field {...{ label, help }}>
        {(props) => (
          <Control
            {...props}
            autoFocus
            required
            value={text}
            spellCheck={!isEdit}
            rows={isEdit ? Math.min(16, Math.max(5, text.split("\n").length + 1)) : undefined}
            onChange={(event: { target: { value: string } }) => setText(event.target.value)}
            className={classes(inputClass, isEdit ? "py-2.5 font-mono text-sm" : "h-9")}
          />
        )}
      </Field>
      <div className="flex gap-2 max-sm:[&>button]:h-11">
        <Button
          type="submit"
          kind={isEdit ? "primary" : "danger"}
          shortcut={isEdit ? "Ctrl+Enter" : undefined}
          busy={busy}
          disabled={text.trim() === ""}
        >
          {submit}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
