// RenameDialog: changes the id of a node. Edges, positions, `output`, and `finally` are updated. The title is edited in
// the inspector.

import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

export interface RenameDialogProps {
  id: string;
  /** Returns why the id is not possible, or `undefined` after renaming. */
  onRename: (to: string) => string | undefined;
  onClose: () => void;
}

export function RenameDialog({ id, onRename, onClose }: RenameDialogProps) {
  const [text, setText] = useState(id);
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const why = onRename(text.trim());
    setProblem(why);
    if (why === undefined) onClose();
  };
  return (
    <Dialog open onClose={onClose} title={`Rename ${id}`} description="Edges and everything else that names it follow.">
      <form onSubmit={submit} className="flex flex-col gap-3 pb-3">
        <TextField
          label="Id"
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={(event) => event.target.select()}
          spellCheck={false}
          error={problem}
          className="font-mono"
        />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" kind="primary">
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
