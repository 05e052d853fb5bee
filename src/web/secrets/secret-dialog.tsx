// SecretDialog: saves a typed or pasted value to the local store. The page does not keep it or show it again.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { classes } from "../ui/classes.ts";
import { Field, inputClass, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { givenValue, nameProblem } from "./groups.ts";
import { saveSecret } from "./queries.ts";

export interface SecretDialogProps {
  /** Fixed if given. */
  name?: string | undefined;
  /** The local store already has a value for it. */
  replaces?: boolean;
  onClose: () => void;
}

export function SecretDialog({ name: given, replaces, onClose }: SecretDialogProps) {
  const [name, setName] = useState(given ?? "");
  const [value, setValue] = useState("");
  const [shown, setShown] = useState(false);
  const save = useMutation({
    mutationFn: saveSecret,
    // The value must not stay in the cache of finished mutations.
    gcTime: 0,
    onSuccess: () => {
      toast(`Saved ${name}`);
      onClose();
    },
  });
  const wrong = nameProblem(name);
  return (
    <FormDialog
      title={given === undefined ? "Add a secret" : `${replaces ? "Replace" : "Set"} ${given}`}
      description="It is encrypted in the data directory, and passed to the nodes of a workflow that name it. It is never shown again."
      submit={replaces ? "Replace" : "Save"}
      disabled={name === "" || wrong !== undefined || givenValue(value) === ""}
      saving={save}
      onSubmit={() => save.mutate({ name, value: givenValue(value) })}
      onClose={onClose}
    >
      {given === undefined && (
        <TextField
          label="Name"
          value={name}
          error={wrong}
          autoComplete="off"
          spellCheck={false}
          placeholder="API_KEY"
          className="font-mono"
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Field label="Value" help="One line, or several, such as a key file. A newline at the end is removed.">
        {(props) => (
          <textarea
            {...props}
            rows={shown ? 4 : 2}
            autoComplete="off"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
            value={value}
            onChange={(event) => setValue(event.target.value)}
            className={classes(inputClass, "resize-none py-1.5 font-mono", !shown && "[-webkit-text-security:disc]")}
          />
        )}
      </Field>
      <label className="flex w-fit items-center gap-2 text-muted">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} />
        Show it while I type
      </label>
    </FormDialog>
  );
}
