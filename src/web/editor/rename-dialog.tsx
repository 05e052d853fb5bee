// RenameDialog: changes the id of a node. Edges, positions, `output`, and `finally` are updated. The title is edited in
// the inspector.

import { useState } from "react";
import { TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

export interface RenameDialogProps {
  id: string;
  title: string;
  /** Returns why the id is not possible, or `undefined` after renaming. */
  onRename: (to: string) => string | undefined;
  onClose: () => void;
}

export function RenameDialog({ id, title, onRename, onClose }: RenameDialogProps) {
  const [text, setText] = useState(id);
  const [problem, setProblem] = useState<string>();
  const submit = (): void => {
    const why = onRename(text.trim());
    setProblem(why);
    if (why === undefined) onClose();
  };
  return (
    <FormDialog
      title={`Rename the id of ${title}`}
      description="Edges and everything else that names it follow."
      submit="Rename"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Id"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
        onFocus={(event) => event.target.select()}
        spellCheck={false}
        error={problem}
        className="font-mono"
      />
    </FormDialog>
  );
}
