// CurlForm: a field for a pasted curl command. NewFromCurl makes a workflow from it and opens it.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import { tooLong } from "../../workflow/import/pasted.ts";
import { closeOverlay } from "../app/overlays.ts";
import { Refusal } from "../client/api.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Failed } from "../ui/problem.tsx";
import { createFromCurl } from "./create.ts";

interface CurlFormProps {
  rows?: number;
  autoFocus?: boolean;
  submit: string;
  saving?: { isPending: boolean; error: unknown };
  onSource: (source: string) => void;
}

function CurlForm({ rows = 4, autoFocus, submit, saving, onSource }: CurlFormProps) {
  const [source, setSource] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const onSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    const title = tooLong(source);
    setRefusal(
      title === undefined ? undefined : new Refusal({ type: "about:blank", title, status: 413, code: "curl-too-long" }),
    );
    if (title === undefined && source.trim() !== "") onSource(source);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-1 flex-col gap-3">
      <Field label="curl command" bare>
        {(props) => (
          <textarea
            {...props}
            rows={rows}
            // biome-ignore lint/a11y/noAutofocus: in a dialog that was opened to paste here.
            autoFocus={autoFocus}
            spellCheck={false}
            value={source}
            onChange={(event) => setSource(event.target.value)}
            onKeyDown={onKeyDown}
            placeholder="curl https://example.com/orders"
            className={classes(inputClass, "resize-none py-2 font-mono text-sm")}
          />
        )}
      </Field>
      <Failed error={refusal ?? saving?.error ?? null} />
      <Button
        type="submit"
        kind="primary"
        busy={saving?.isPending}
        disabled={source.trim() === ""}
        shortcut="Ctrl+Enter"
        className="mt-auto"
      >
        {submit}
      </Button>
    </form>
  );
}

export function NewFromCurl({ onDone, ...rest }: Pick<CurlFormProps, "rows" | "autoFocus"> & { onDone?: () => void }) {
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: createFromCurl,
    // The command may contain a credential.
    gcTime: 0,
    onSuccess: (path) => {
      onDone?.();
      void navigate({ to: "/w/$path", params: { path } });
    },
  });
  return <CurlForm {...rest} submit="Create workflow" saving={create} onSource={create.mutate} />;
}

/** The form in a dialog, available on every screen. */
export function PasteCurl() {
  return (
    <CurlDialog onClose={closeOverlay}>
      <NewFromCurl rows={7} autoFocus onDone={closeOverlay} />
    </CurlDialog>
  );
}

/** The form in a dialog that adds the commands to the open workflow. */
export function AddCurl({ onClose, onSource }: { onClose: () => void; onSource: (source: string) => void }) {
  return (
    <CurlDialog onClose={onClose}>
      <CurlForm rows={7} autoFocus submit="Add to the canvas" onSource={onSource} />
    </CurlDialog>
  );
}

function CurlDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Paste a curl command"
      description="“Copy as cURL” in a browser's network tab works too. Credentials become secrets."
    >
      <div className="pb-3">{children}</div>
    </Dialog>
  );
}
