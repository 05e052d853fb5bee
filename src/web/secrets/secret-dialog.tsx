// SecretDialog: saves a typed or pasted value to the local store. The page does not keep it or show it again.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass, TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
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
  const form = useId();
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
  const ready = name !== "" && wrong === undefined && givenValue(value) !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) save.mutate({ name, value: givenValue(value) });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={given === undefined ? "Add a secret" : `${replaces ? "Replace" : "Set"} ${given}`}
      description="It is encrypted in this home, and given to the nodes of a workflow that name it. It is never shown again."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" busy={save.isPending} disabled={!ready}>
            {replaces ? "Replace" : "Save"}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4 py-1">
        {given === undefined && (
          <TextField
            label="Name"
            value={name}
            error={wrong}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="API_KEY"
            className="font-mono"
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <Field label="Value" help="One line, or several, such as a key file. A line break at the end is left out.">
          {(props) => (
            <textarea
              {...props}
              rows={shown ? 4 : 2}
              autoFocus={given !== undefined}
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
        {save.error !== null && <Problem problem={problemOf(save.error)} />}
      </form>
    </Dialog>
  );
}
