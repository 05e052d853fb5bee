// NewWorkflow: creates a workflow file from a name. It runs unchanged.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { firstWorkflow } from "../../workflow/first-workflow.ts";
import { closeOverlay } from "../app/overlays.ts";
import { problemOf } from "../client/queries.ts";
import { TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
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
  const taken = create.error !== null && problemOf(create.error).status === 412;
  return (
    <FormDialog
      title="New workflow"
      submit="Create"
      disabled={path === ""}
      saving={taken ? { isPending: false, error: null } : create}
      onSubmit={() => create.mutate()}
      onClose={closeOverlay}
    >
      <TextField
        label="Name"
        value={name}
        autoComplete="off"
        placeholder="Open issues"
        help={path === "" ? "The file gets this name." : `Written to ${path}`}
        error={taken ? `${path} already exists. Choose another name.` : undefined}
        onChange={(event) => {
          create.reset();
          setName(event.target.value);
        }}
      />
    </FormDialog>
  );
}
