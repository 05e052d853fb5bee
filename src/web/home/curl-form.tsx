// CurlForm: creates a workflow from a pasted curl command and opens it.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { closeOverlay } from "../app/overlays.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Failed } from "../ui/problem.tsx";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { createFromCurl } from "./create.ts";

export function CurlForm({ rows = 4, autoFocus, onDone }: { rows?: number; autoFocus?: boolean; onDone?: () => void }) {
  const [source, setSource] = useState("");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: createFromCurl,
    onSuccess: ({ path, secrets }) => {
      onDone?.();
      if (secrets.length > 0)
        toast(`${count(secrets.length, "credential")} moved to secrets: ${secrets.join(", ")}`, {
          label: secrets.length === 1 ? "Set its value" : "Set their values",
          onPress: () => void navigate({ to: "/secrets" }),
        });
      void navigate({ to: "/w/$path", params: { path } });
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (source.trim() !== "") create.mutate(source);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={submit} className="flex flex-1 flex-col gap-3">
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
      <Failed error={create.error} />
      <Button
        type="submit"
        kind="primary"
        busy={create.isPending}
        disabled={source.trim() === ""}
        shortcut="Ctrl+Enter"
        className="mt-auto"
      >
        Create workflow
      </Button>
    </form>
  );
}

/** The form in a dialog, available on every screen. */
export function PasteCurl() {
  return (
    <Dialog
      open
      onClose={closeOverlay}
      title="Paste a curl command"
      description="“Copy as cURL” in a browser's network tab works too. Credentials become secrets."
    >
      <div className="pb-3">
        <CurlForm rows={7} autoFocus onDone={closeOverlay} />
      </div>
    </Dialog>
  );
}
