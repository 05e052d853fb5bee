// curl-form: a field for a pasted curl command, on the first screen and in dialogs.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { tooLong } from "../../workflow/import/pasted.ts";
import { closeOverlay } from "../app/overlays.ts";
import { ownProblem, Refusal } from "../client/api.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Field, inputClass } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Failed } from "../ui/problem.tsx";
import { createFromCurl } from "./create.ts";

function CurlField({ rows, source, onSource }: { rows: number; source: string; onSource: (source: string) => void }) {
  return (
    <Field label="curl command" bare>
      {(props) => (
        <textarea
          {...props}
          rows={rows}
          spellCheck={false}
          value={source}
          onChange={(event) => onSource(event.target.value)}
          placeholder="curl https://example.com/orders"
          className={classes(inputClass, "resize-none py-2 font-mono text-sm")}
        />
      )}
    </Field>
  );
}

function checked(source: string): string {
  const title = tooLong(source);
  if (title !== undefined) throw new Refusal(ownProblem("curl-too-long", title));
  return source;
}

/** Makes a workflow from the command, and opens it. */
function useCreate() {
  const navigate = useNavigate();
  return async (source: string) => {
    const path = await createFromCurl(checked(source));
    void navigate({ to: "/w/$path", params: { path } });
  };
}

/** The form on the first screen. */
export function NewFromCurl() {
  const [source, setSource] = useState("");
  // The command may contain a credential.
  const create = useMutation({ mutationFn: useCreate(), gcTime: 0 });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(source);
  };
  return (
    <form onSubmit={submit} className="flex flex-1 flex-col gap-3">
      <CurlField rows={4} source={source} onSource={setSource} />
      <Failed error={create.error} />
      <Button type="submit" kind="primary" busy={create.isPending} disabled={source.trim() === ""} className="mt-auto">
        Create workflow
      </Button>
    </form>
  );
}

/** The form in a dialog, available on every screen. */
export function PasteCurl() {
  const create = useCreate();
  const submit = async (source: string) => {
    await create(source);
    closeOverlay();
  };
  return <CurlDialog submit="Create workflow" onSource={submit} onClose={closeOverlay} />;
}

interface CurlDialogProps {
  submit: string;
  onSource: (source: string) => unknown;
  onClose: () => void;
}

export function CurlDialog({ submit, onSource, onClose }: CurlDialogProps) {
  const [source, setSource] = useState("");
  return (
    <FormDialog
      title="Paste a curl command"
      description="“Copy as cURL” in a browser's network tab works too. Credentials become secrets."
      submit={submit}
      disabled={source.trim() === ""}
      onSubmit={async () => onSource(checked(source))}
      onClose={onClose}
    >
      <CurlField rows={7} source={source} onSource={setSource} />
    </FormDialog>
  );
}
