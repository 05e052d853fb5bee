// The two decisions that need text: an edited command, or a reason for a rejection.

import { useState } from "react";
import type { ApprovalItem } from "../../api/shapes.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/facts.tsx";

interface EditFormProps {
  item: ApprovalItem;
  busy: boolean;
  onCancel: () => void;
  onApprove: (edited: string) => void;
}

export function EditForm({ item, busy, onCancel, onApprove }: EditFormProps) {
  const { detail } = item;
  const [text, setText] = useState(detail.wholeProgram ? detail.rendered : detail.command);
  return (
    <Section title="Runs instead, this time only">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it was opened to write here.
        autoFocus
        aria-label="The command that runs instead"
        value={text}
        spellCheck={false}
        rows={Math.min(16, Math.max(5, text.split("\n").length + 1))}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            onApprove(text);
          }
          event.stopPropagation();
        }}
        className="w-full rounded-md border border-edge/70 bg-sunken p-2.5 font-mono text-sm"
      />
      <p className="text-sm text-muted">
        References such as {"${1}"} get their values as before. The edit is kept in the run.
      </p>
      <div className="flex gap-2 max-sm:[&>button]:h-11">
        <Button
          kind="primary"
          shortcut="Ctrl+Enter"
          busy={busy}
          disabled={text.trim() === ""}
          onClick={() => onApprove(text)}
        >
          Approve the edit
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </Section>
  );
}

interface RejectFormProps {
  busy: boolean;
  /** Number of requests to reject. */
  count: number;
  onCancel: () => void;
  onReject: (reason: string) => void;
}

export function RejectForm({ busy, count, onCancel, onReject }: RejectFormProps) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== "") onReject(reason.trim());
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-sm text-muted">
          {count === 1 ? "Reason (kept in the run)" : "Reason (kept in each run)"}
        </span>
        <input
          // biome-ignore lint/a11y/noAutofocus: it was opened to write here.
          autoFocus
          value={reason}
          required
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onCancel();
            event.stopPropagation();
          }}
          className="h-9 w-full rounded-md border border-edge/70 bg-bg px-2.5"
        />
      </label>
      <div className="flex gap-2 max-sm:[&>button]:h-11">
        <Button type="submit" kind="danger" busy={busy} disabled={reason.trim() === ""}>
          {count === 1 ? "Reject" : `Reject all ${count}`}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
