// NewWorkflow: creates a workflow file from a name. It runs unchanged.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { firstWorkflow } from "../../workflow/first-workflow.ts";
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
  const navigate = useNavigate();
  const path = fileNameFor(name);
  const create = useMutation({
    mutationFn: () => createDocument(path, firstWorkflow(name.trim()), { exact: true }),
    onSuccess: (file) => {
      closeOverlay();
      void navigate({ to: "/w/$path", params: { path: file } });
    },
  });
  const problem = create.error === null ? undefined : problemOf(create.error);
  const taken = problem?.status === 412;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path !== "") create.mutate();
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
          help={path === "" ? "The file gets this name." : `Written to ${path}`}
          error={taken ? `${path} already exists. Choose another name.` : undefined}
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
