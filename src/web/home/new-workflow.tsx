// NewWorkflow: a name, and a document that runs as it is.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { firstWorkflow } from "../../workflow/first-workflow.ts";
import { useLead } from "../app/lead.ts";
import { closeOverlay } from "../app/overlays.ts";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { createDocument } from "./create.ts";
import { fileNameFor } from "./file-names.ts";

export function NewWorkflow() {
  const [name, setName] = useState("");
  const lead = useLead();
  const path = fileNameFor(name);
  const create = useMutation({
    mutationFn: () => createDocument(path, firstWorkflow(name.trim()), { exact: true }),
    onMutate: lead,
    onSuccess: (file, _, goOn) => goOn({ file }),
  });
  const problem = create.error === null ? undefined : problemOf(create.error);
  const taken = problem?.status === 412;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Of this dialog alone: another one may be open by then.
    if (path !== "") create.mutate(undefined, { onSuccess: closeOverlay });
  };
  return (
    <Dialog open onClose={closeOverlay} title="New workflow">
      <form onSubmit={submit} className="flex flex-col gap-4 pb-3">
        <TextField
          label="Name"
          value={name}
          autoFocus
          autoComplete="off"
          placeholder="Open issues"
          help={path === "" ? "The file is called by it." : `Written to ${path}`}
          error={taken ? `${path} is there already. Give another name.` : undefined}
          onChange={(event) => {
            create.reset();
            setName(event.target.value);
          }}
        />
        {problem !== undefined && !taken && <Problem problem={problem} />}
        <div className="flex justify-end">
          <Button type="submit" kind="primary" busy={create.isPending} disabled={path === ""}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
